import { shownAddress } from '../../core/base/shown-text.ts';
import { inColumns } from '../base/columns.ts';

/** The narrowest terminal for tables, in columns. */
const tableColumns = 80;

/**
 * A result as text: one record as a line per field, several as a table. A narrow terminal would wrap the table, so there
 * each record has its lines.
 */
export const readable = (result: object, columns = Number.POSITIVE_INFINITY): string => {
  if (!Array.isArray(result)) return inColumns(fieldsOf(result).map(([name, value]) => [name, cell(value)]));
  if (result.length === 0) return '(none)';
  const names = [...new Set(result.flatMap((record: object) => fieldsOf(record).map(([name]) => name)))];
  const rows = result.map((record: Record<string, unknown>) => names.map((name) => cell(record[name])));
  const table = inColumns([names, ...rows]);
  if (columns >= tableColumns || table.split('\n').every(({ length }) => length <= columns)) return table;
  return rows.map((row) => inColumns(row.map((text, at) => [names[at] ?? '', text]))).join('\n\n');
};

/** The fields that JSON also has. */
const fieldsOf = (record: object): [string, unknown][] =>
  Object.entries(record).filter(([, value]) => value !== undefined);

const cell = (value: unknown): string => {
  if (value === undefined || value === null) return '';
  // Sentences, such as warnings, have their own full stop.
  if (Array.isArray(value)) return value.map(cell).join(', ').replaceAll('., ', '. ');
  if (typeof value !== 'object') return shownAddress(String(value));
  return Object.entries(value)
    .map(([name, part]) => `${name} ${typeof part === 'object' ? `(${cell(part)})` : cell(part)}`)
    .join(', ');
};
