const words = new Set(['null', String.raw`\n`, '(null)', 'none', 'nan', 'undefined', 'n/a', '-']);

/** Matches an unset date of MySQL, and PHP's form of it. */
const zeroDate = /^(?:0000-00-00|-0001-11-30)\b/;

/** Whether a cell is empty, or holds a word that databases and programs write for nothing. */
export const isUnset = (cell: string): boolean => {
  const text = cell.trim().toLowerCase();
  return text === '' || words.has(text) || zeroDate.test(text);
};

/** Whether a cell means no. */
export const isNo = (cell: string): boolean => isUnset(cell) || /^(?:false|no|0)$/i.test(cell.trim());
