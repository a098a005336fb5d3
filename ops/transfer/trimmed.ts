const blanks = ' \t\r\n';

/** A cell without the surrounding blanks that spreadsheets and people leave; other ones may belong to an address. */
export const trimmed = (text: string): string => {
  let [first, end] = [0, text.length];
  while (first < end && blanks.includes(text.charAt(first))) first += 1;
  while (end > first && blanks.includes(text.charAt(end - 1))) end -= 1;
  return text.slice(first, end);
};
