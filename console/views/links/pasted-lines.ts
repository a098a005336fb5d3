export interface PastedLine {
  /** From 1 on, as the list was pasted. */
  readonly line: number;
  readonly text: string;
}

/** The lines of a list that say something, each once. */
export const linesOf = (text: string): PastedLine[] => {
  const known = new Set<string>();
  return text.split(/\r\n?|\n/).flatMap((raw, i) => {
    const one = raw.trim();
    if (one === '' || known.has(one)) return [];
    known.add(one);
    return [{ line: i + 1, text: one }];
  });
};
