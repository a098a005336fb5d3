import { plainName } from './trimmed.ts';

/** The most columns in a message; a header can have a hundred thousand. */
const columnsShown = 20;

/**
 * A message that names the unread columns of a table, each with a similar known one, and counts further ones; undefined
 * if there are none. Unnamed columns are fine, because spreadsheets write them after the last one.
 */
export const ignoredColumns = (names: readonly string[], known: readonly string[]): string | undefined => {
  const plain = new Set(known.map(plainName));
  const unknown = names.filter((name) => name !== '' && !plain.has(name));
  if (unknown.length === 0) return undefined;
  const list = unknown.slice(0, columnsShown).map((name) => {
    const near = nearestName(name, known);
    return near === undefined ? shownColumn(name) : `${shownColumn(name)} (did you mean ${near}?)`;
  });
  return `Ignored columns: ${list.join(', ')}${furtherThan(unknown.length)}`;
};

/** The names of a table's columns for a message. */
export const columnList = (names: readonly string[]): string =>
  `${names
    .slice(0, columnsShown)
    .map((name) => `'${shownColumn(name)}'`)
    .join(', ')}${furtherThan(names.length)}`;

const furtherThan = (count: number): string =>
  count > columnsShown ? ` and ${count - columnsShown} more` : '';

const longest = 60;

/** A column's name for the terminal. Files may be untrusted, so it is cut and control characters are escaped. */
export const shownColumn = (name: string): string => {
  const plain = name.replaceAll(/\p{Cc}/gu, '\ufffd');
  return plain.length <= longest ? plain : `${plain.slice(0, longest)}…`;
};

/** A name without case and separators. */
export const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The known name that differs least, in at most a third of its letters; case and separators don't count. */
export const nearestName = (
  name: string,
  known: readonly string[],
  most = lettersOf(name).length / 3,
): string | undefined => {
  // Longer names differ too much from every known one.
  if (name.length > longest) return undefined;
  const letters = lettersOf(name);
  const near = known
    .map((one) => ({ one, edits: editsBetween(letters, lettersOf(one)) }))
    .filter(({ edits }) => edits <= most)
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.one;
};

/** The number of letters to add, remove, replace or swap with the next to turn one text into the other. */
const editsBetween = (from: string, to: string): number => {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: to.length + 1 }, (_, place) => place);
  for (let i = 0; i < from.length; i += 1) {
    const next = [i + 1];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (from[i] === to[j - 1] ? 0 : 1);
      const isExchanged = i > 0 && j > 1 && from[i] === to[j - 2] && from[i - 1] === to[j - 1];
      const exchanged = isExchanged ? (before[j - 2] ?? 0) + 1 : replaced;
      next.push(Math.min(replaced, exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row[to.length] ?? 0;
};
