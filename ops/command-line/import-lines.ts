import type { RowOutcome } from '../transfer/import.ts';

/** Rows of one reason that are printed one by one; the others are counted. */
const rowsOfReason = 5;

/** What an import says of its rows, line by line. */
export const importLines = () => {
  const counts = new Map<string, number>();
  return {
    /** A row's line; undefined for a row without a reason, and for the sixth of one reason. */
    of: (row: RowOutcome): string | undefined => {
      if (row.reason === '') return undefined;
      const count = (counts.get(row.reason) ?? 0) + 1;
      counts.set(row.reason, count);
      return count <= rowsOfReason ? lineOf(row) : undefined;
    },
    /** Lines that count the rows without one of their own. */
    rest: (): string[] =>
      [...counts]
        .filter(([, count]) => count > rowsOfReason)
        .map(([reason, count]) => {
          const more = count - rowsOfReason;
          return plain(`… and ${more} more ${more === 1 ? 'row' : 'rows'}: ${reason}`);
        }),
  };
};

/** No longer one can be a code; a broken file may have megabytes in its place. */
const longestCode = 50;

/** One line, although codes and values of a file may hold line breaks or what steers a terminal. */
const lineOf = ({ line, code, result, reason }: RowOutcome): string =>
  [line, code.length > longestCode ? `${code.slice(0, longestCode)}…` : code, result, reason]
    .map((part) => plain(String(part)))
    .join('\t')
    .trimEnd();

const plain = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ');
