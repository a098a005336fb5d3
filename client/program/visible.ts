/**
 * Escapes characters that control a terminal or break a line, such as control characters and marks of direction, and
 * `##[`, which begins a command of GitHub's runner anywhere in a line.
 */
export const visible = (text: string): string => text.replaceAll(/\p{C}|(?<=#)#(?=\[)/gu, escaped);

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;
