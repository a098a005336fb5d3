import type { RowOutcome } from '../transfer/import.ts';

/** Printed rows per reason; further ones are counted. */
const rowsOfReason = 5;

/** The lines that an import prints about its rows. */
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
    /** Lines that count the unprinted rows. */
    rest: (): string[] =>
      [...counts]
        .filter(([, count]) => count > rowsOfReason)
        .map(([reason, count]) => {
          const more = count - rowsOfReason;
          return withoutControls(`… and ${more} more ${more === 1 ? 'row' : 'rows'}: ${reason}`);
        }),
  };
};

/** The longest code; a broken file may have megabytes instead. */
const longestCode = 50;

/** A row's outcome as one line, without line breaks or terminal controls from the file. */
const lineOf = ({ line, code, result, reason }: RowOutcome): string =>
  [line, code.length > longestCode ? `${code.slice(0, longestCode)}…` : code, result, reason]
    .map((part) => withoutControls(String(part)))
    .join('\t')
    .trimEnd();

const withoutControls = (text: string): string => text.replaceAll(/\p{Cc}+/gu, ' ');

/** The line of an import's progress, such as `62 %  3,100 of 5,000  3 s left`. */
export const progressLine = (done: number, total: number, ms: number): string => {
  const left = Math.ceil((ms * (total - done)) / done / 1000);
  const rows = `${done.toLocaleString('en')} of ${total.toLocaleString('en')}`;
  return `${Math.floor((100 * done) / total)} %  ${rows}  ${left.toLocaleString('en')} s left`;
};
