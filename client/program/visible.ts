/**
 * A text without what steers a terminal or breaks a line: control characters, marks of direction and the like are escaped,
 * and so is `##[`, which begins a command of GitHub's runner anywhere in a line.
 */
export const visible = (text: string): string => text.replaceAll(/\p{C}|(?<=#)#(?=\[)/gu, escaped);

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;
