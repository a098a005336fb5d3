/** Swaps the first two letters. */
const swapped = (text: string): string => `${text[1] ?? ''}${text[0] ?? ''}${text.slice(2)}`;

/** Whether so many edits turn one text into the other: an inserted, deleted, swapped or replaced letter. */
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

/** Whether a name is probably a typo of a known one, both in lower case without separators. Short names allow fewer edits. */
export const isNearly = (name: string, known: string): boolean => {
  const shorter = Math.min(name.length, known.length);
  if (shorter >= 8) return isWithin(2, 1, name, known);
  // Names of three letters allow only a swap.
  if (name.length < 3 || (name.length === 3 && known.length !== 3)) return false;
  return isWithin(1, shorter >= 5 ? 1 : 0, name, known);
};
