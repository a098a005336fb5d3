/**
 * Places where spreadsheets see a formula, or hide the sign: the start of a cell, also after a semicolon, a tab or a
 * line break, which separate cells for some of them. The patterns start with the sign, because a cell may have a
 * million tabs, and looking back is worth it only from a sign.
 */
const begin = '(?:^|[;\\t\\r\\n])\\s*';
const signs = "[=+\\-@'＝＋－＠]";
const risky = new RegExp(`(?=${signs})(?<=${begin})`, 'g');
const guarded = new RegExp(`'(?=${signs})(?<=${begin}')`, 'g');

const writeCell = (value: string): string => {
  const text = value.replaceAll(risky, "'");
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
};

/** The intended text of a cell. Other programs guard any text at its beginning. */
export const readCell = (cell: string): string =>
  cell.replace(/^'(?![=+\-@'＝＋－＠])/, '').replaceAll(guarded, '');

export const writeRecord = (cells: readonly string[]): string => `${cells.map(writeCell).join(',')}\r\n`;
