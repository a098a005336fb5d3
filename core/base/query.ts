/** The parts of a query as they were written; empty ones are left out. */
export const queryPairs = (query: string): string[] => query.split('&').filter((pair) => pair !== '');

/** What a browser takes for the name of such a part. */
export const pairName = (pair: string): string => {
  const name = pair.split('=', 1)[0] ?? '';
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
};

/** What a browser takes for the value of such a part; undefined if it can't be decoded. */
export const pairValue = (pair: string): string | undefined => {
  try {
    return decodeURIComponent(pair.split('=').slice(1).join('=').replaceAll('+', ' '));
  } catch {
    return undefined;
  }
};

/** Merges two queries; for a shared name, only the second one's parts remain. */
export const mergeQuery = (pairs: readonly string[], stronger: readonly string[]): string[] => {
  const names = new Set(stronger.map(pairName));
  return [...pairs.filter((pair) => !names.has(pairName(pair))), ...stronger];
};

/** A query without the parts of these names. */
export const withoutNames = (query: string, names: readonly string[]): string =>
  queryPairs(query)
    .filter((pair) => !names.includes(pairName(pair)))
    .join('&');
