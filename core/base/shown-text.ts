/** Marks that change the direction of the text around them, so that people misread it. */
const directions = /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** A stored text without direction marks, for people to judge. */
export const withoutDirections = (text: string): string => text.replaceAll(directions, '');

/** An address without direction marks. If its host mixes scripts, the ASCII host follows in brackets. */
export const shownAddress = (address: string): string => {
  const plain = withoutDirections(address);
  const [, typed = ''] = /^https?:\/\/([^/?#]*)/i.exec(plain) ?? [];
  const isMixed = /\p{Script=Latin}/u.test(typed) && /(?!\p{Script=Latin})\p{L}/u.test(typed);
  const host = isMixed ? URL.parse(plain)?.host : undefined;
  return host === undefined ? plain : `${plain} (${host})`;
};
