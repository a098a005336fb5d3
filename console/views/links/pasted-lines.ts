export interface PastedLine {
  /** From 1 on, as the list was pasted. */
  readonly line: number;
  readonly text: string;
  readonly address: string;
  /** Left out for a random one. */
  readonly code?: string;
}

/** Between two columns of a sheet, or of a list that somebody typed. */
const columns = /^"?([^\s,;"/:]+)"?(?:\t|\s*[,;]\s*|\s+)"?(https?:\/\/.*?)"?$/i;
const swapped = /^"?(https?:\/\/[^\s"]+)"?(?:\t|\s+)"?([^\s,;"/:]+)"?$/i;
const heading = /^"?(code|slug|alias)"?\s*[\t,;]/i;

/** The lines of a list that say something, each once: an address, or a code and an address in two columns. */
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
