/** Exchanges the first two letters. */
const swapped = (text: string): string => `${text[1] ?? ''}${text[0] ?? ''}${text.slice(2)}`;

/** Whether some edits make one text of the other: a letter inserted, deleted, swapped with the next or, as often as allowed, replaced. */
const isWithin = (edits: number, replacements: number, one: string, other: string): boolean => {
  if (one === other) return true;
  if (edits === 0 || Math.abs(one.length - other.length) > edits) return false;
  let same = 0;
  while (one[same] === other[same]) same += 1;
  const [a, b, restOfA, restOfB] = [
    one.slice(same),
    other.slice(same),
    one.slice(same + 1),
    other.slice(same + 1),
  ];
  const isThen = (from: string, to: string, left = replacements) => isWithin(edits - 1, left, from, to);
  const isMoved = isThen(restOfA, b) || isThen(a, restOfB) || isThen(swapped(a), b) || isThen(a, swapped(b));
  return isMoved || (replacements > 0 && isThen(restOfA, restOfB, replacements - 1));
};

/** Whether a name is probably a slip for a known one, both in lower case and without separators. The shorter, the fewer edits. */
export const isNearly = (name: string, known: string): boolean => {
  const shorter = Math.min(name.length, known.length);
  if (shorter >= 8) return isWithin(2, 1, name, known);
  // Of three letters only a swap keeps the length.
  if (name.length < 3 || (name.length === 3 && known.length !== 3)) return false;
  return isWithin(1, shorter >= 5 ? 1 : 0, name, known);
};
