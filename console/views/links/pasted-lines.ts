export interface PastedLine {
  /** The line number in the pasted list, from 1. */
  readonly line: number;
  readonly text: string;
  readonly address: string;
  /** Omitted for a random code. */
  readonly code?: string;
}

/** A code and an address, in two columns of a spreadsheet or typed with a comma, semicolon or blank between. */
const columns = /^"?([^\s,;"/:]+)"?(?:\t|\s*[,;]\s*|\s+)"?(https?:\/\/.*?)"?$/i;
const swapped = /^"?(https?:\/\/[^\s"]+)"?(?:\t|\s+)"?([^\s,;"/:]+)"?$/i;
const heading = /^"?(code|slug|alias)"?\s*[\t,;]/i;

/** A host without a scheme, alone or in a column, such as `example.com/spring`. */
const bare = /(?<=^|[\t,; "])(?=([\p{L}\d-]+\.)+\p{L}{2,}(:\d+)?([/?#"\s]|$))/u;

/** Adds `https://` to addresses that lack it. */
export const withSchemes = (text: string): string =>
  text.replace(/.+/g, (line) => (line.includes('://') ? line : line.replace(bare, 'https://')));

/** The non-empty lines of a list, without repetitions. Each has an address, optionally after a code. */
export const linesOf = (text: string): PastedLine[] => {
  const known = new Set<string>();
  return text.split(/\r\n?|\n/).flatMap((raw, i) => {
    const one = raw.trim();
    if (one === '' || known.has(one) || (i === 0 && heading.test(one) && !one.includes('://'))) return [];
    known.add(one);
    const [, code, address] = columns.exec(one) ?? [];
    const [, first, second] = swapped.exec(one) ?? [];
    const name = code ?? second;
    return [
      { line: i + 1, text: one, address: address ?? first ?? one, ...(name !== undefined && { code: name }) },
    ];
  });
};
