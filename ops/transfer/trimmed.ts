import { invisible } from '../../core/base/invisible.ts';

const blanks = ' \t\r\n';

/** A cell without surrounding blanks and invisible characters; other characters may belong to an address. */
export const trimmed = (text: string): string => cutEnds(text, blanks + invisible);

/** A column's name without differences between programs. */
export const plainName = (name: string): string => trimmed(name).toLowerCase().replaceAll(/\s+/g, ' ');

/** A text in which surrounding blanks may be intended, without surrounding invisible characters. */
export const visible = (text: string): string => cutEnds(text, invisible);

// A pattern would take quadratic time for a cell of a million blanks.
const cutEnds = (text: string, characters: string): string => {
  let [first, end] = [0, text.length];
  while (first < end && characters.includes(text.charAt(first))) first += 1;
  while (end > first && characters.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(first, end);
};
