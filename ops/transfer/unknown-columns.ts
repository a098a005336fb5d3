import { OperatorError } from '../operator-error.ts';
import { plainName } from './csv.ts';

/**
 * Refuses a table with columns that the import doesn't know: ignoring one would lose its values without a word. A
 * column without a name passes, since spreadsheets write such after the last one. Throws OperatorError with all of them.
 */
export const refuseUnknownColumns = (
  file: string,
  names: readonly string[],
  known: readonly string[],
): void => {
  const plain = new Set(known.map(plainName));
  const unknown = names.filter((name) => name !== '' && !plain.has(name));
  const [first, ...others] = unknown;
  if (first === undefined) return;
  if (others.length === 0) {
    const near = nearestName(first, known);
    const advice = near
      ? `did you mean '${near}'?`
      : `remove it, or rename it to one of: ${known.join(', ')}`;
    throw new OperatorError(`The file ${file} has a column '${first}' that is unknown; ${advice}`);
  }
  const list = unknown.map((name) => {
    const near = nearestName(name, known);
    return `'${name}'${near ? ` (did you mean '${near}'?)` : ''}`;
  });
  throw new OperatorError(
    `The file ${file} has columns that are unknown: ${list.join(', ')}; rename them to the columns of a CSV export, or remove them`,
  );
};

const lettersOf = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');

/** The known name that differs least, in at most a third of its letters; case and separators don't count. */
export const nearestName = (name: string, known: readonly string[]): string | undefined => {
  const letters = lettersOf(name);
  const near = known
    .map((one) => ({ one, edits: editsBetween(letters, lettersOf(one)) }))
    .filter(({ edits }) => edits <= letters.length / 3)
    .sort((a, b) => a.edits - b.edits);
  return near[0]?.one;
};

/** How many letters must be added, removed or replaced to make one text of the other (Levenshtein). */
const editsBetween = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, place) => place);
  for (const [i, letter] of [...from].entries()) {
    const next = [i + 1];
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (letter === to[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
};
