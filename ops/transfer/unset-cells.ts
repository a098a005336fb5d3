import { trimmed } from './trimmed.ts';

const words = new Set([
  ...['null', String.raw`\n`, '(null)', '<null>', 'nil', '<nil>', 'none', 'nan', '<na>', 'undefined'],
  ...['n/a', '#n/a'],
]);

/** Matches dashes, an unset date of MySQL, and PHP's form of it. */
const unset = /^(?:[-\u2012-\u2015\u2212]+|(?:0000-00-00|-0001-11-30)\b.*)$/;

/** Whether a cell is empty, or holds a word that databases and programs write for nothing. */
export const isUnset = (cell: string): boolean => {
  const text = trimmed(cell).toLowerCase();
  return text === '' || words.has(text) || unset.test(text);
};

/** Whether a cell means no. */
export const isNo = (cell: string): boolean => isUnset(cell) || /^(?:false|no|0)$/i.test(trimmed(cell));

const month = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*';
const dated = [
  String.raw`(?<iso>\d{4})-\d\d-\d\d`,
  String.raw`\d\d?[./-]\d\d?[./-](?<numbers>\d{4})\b`,
  String.raw`(?:[a-z]{3,9},? )?(?:${month} \d\d?|\d\d?[ -]${month}),?[ -](?<names>\d{4})\b`,
];
const date = new RegExp(`^(?:${dated.join('|')})`, 'i');

/** The earliest credible year. Programs write earlier ones for unknown times, such as 1 (Go, .NET), 1900 and 1970. */
export const earliestYear = 2000;

/** Whether a cell of times means none: also zero, a negative number, pandas' `NaT`, and each date before 2000. */
export const isNoTime = (cell: string): boolean => {
  const text = trimmed(cell);
  if (isNo(text) || /^(?:-\d+|-?0+(?:\.0+)?|nat)$/i.test(text)) return true;
  const { iso, numbers, names } = date.exec(text)?.groups ?? {};
  const year = iso ?? numbers ?? names;
  return year !== undefined && Number(year) < earliestYear;
};
