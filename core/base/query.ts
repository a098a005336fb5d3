/** The parts of a query as written, without empty ones. */
export const queryPairs = (query: string): string[] => query.split('&').filter((pair) => pair !== '');

/** The decoded name of a query's part. */
export const pairName = (pair: string): string => {
  const name = pair.split('=', 1)[0] ?? '';
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
};

/** The decoded value of a query's part; undefined if it can't be decoded. */
export const pairValue = (pair: string): string | undefined => {
  try {
    return decodeURIComponent(pair.split('=').slice(1).join('=').replaceAll('+', ' '));
  } catch {
    return undefined;
  }
};

/** Merges two queries; for a shared name, the second query's parts replace the first's. */
export const mergeQuery = (pairs: readonly string[], stronger: readonly string[]): string[] => {
  const names = new Set(stronger.map(pairName));
  return [...pairs.filter((pair) => !names.has(pairName(pair))), ...stronger];
};

/** A query without the parts of these names. */
export const withoutNames = (query: string, names: readonly string[]): string =>
  queryPairs(query)
    .filter((pair) => !names.includes(pairName(pair)))
    .join('&');
