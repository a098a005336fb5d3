import { columns, moreColumns } from '../../core/links/link-columns.ts';
import type { DeviceDifference } from './device-destinations.ts';
import { isVisitLimit } from './restrictions.ts';
import type { ImportWarning, Lost, Source, SourceRow } from './row.ts';

export interface RowOutcome {
  readonly line: number;
  readonly code: string;
  readonly result: 'created' | 'unchanged' | 'conflict' | 'refused';
  /**
   * The most important remark: the reason, a different destination, or a lost field. It contains no values of the row;
   * empty if there is none.
   */
  readonly reason: string;
  /** All remarks on the row, with its values. */
  readonly details: readonly string[];
  readonly lost: readonly Lost[];
  /** Empty unless an import verifies. */
  readonly differences: readonly DeviceDifference[];
}

interface Findings {
  readonly remarks?: readonly ImportWarning[];
  readonly notes?: readonly string[] | undefined;
  readonly lost?: readonly Lost[] | undefined;
  readonly differences?: readonly DeviceDifference[];
}

export const outcome = (
  { line, code }: SourceRow,
  result: RowOutcome['result'],
  { remarks = [], notes = [], lost: given = [], differences = [] }: Findings = {},
): RowOutcome => {
  // The gravest first: a lost limit, which would have ended the link.
  const lost = given.toSorted((a, b) => Number(isVisitLimit(b.field)) - Number(isVisitLimit(a.field)));
  const losses = lost.map(({ field, value }) => `${field}=${value}`).join(', ');
  const details = [
    ...remarks.map(({ reason, detail = reason }) => detail),
    ...notes,
    ...(losses === '' ? [] : [`left out ${losses}`]),
    ...differences.map(
      ({ device, here, there }) => `on ${device} it leads to ${here}, at its source to ${there}`,
    ),
  ];
  const reason = remarks[0]?.reason ?? elsewhere(differences) ?? leftOut(lost) ?? notes[0] ?? '';
  return { line, code, result, reason, details, lost, differences };
};

const elsewhere = (differences: readonly DeviceDifference[]): string | undefined =>
  differences.length === 0
    ? undefined
    : `leads elsewhere on ${differences.map(({ device }) => device).join(', ')}`;

/** A reason with one field, because combinations of fields would make too many reasons. */
const leftOut = (lost: readonly Lost[]): string | undefined => {
  const [first, ...others] = new Set(lost.map(({ field }) => anyPlace(field.replace(/\.\d+$/, ''))));
  if (first === undefined) return undefined;
  return `left out ${first}${others.length > 0 ? ' and more' : ''}`;
};

/** The path of a field without indexes: `payload.rules.3.link` becomes `payload.rules.N.link`. */
export const anyPlace = (field: string): string => field.replaceAll(/\.\d+(?=\.|$)/g, '.N');

const columnNames = new Map([...columns, ...moreColumns].map(({ field, name }) => [field, name]));

/** A text about fields; for a file with columns, by their names: `payload.link` becomes `link`. */
export const inColumnNames = (text: string, { isFlat }: Pick<Source, 'isFlat'>): string =>
  isFlat ? text.replaceAll(/payload(?:\.\w+)+/g, (field) => columnNames.get(field) ?? field) : text;

export interface ImportTotals extends Record<RowOutcome['result'], number> {
  /** Created or unchanged rows that lost a value; set only by a verifying import, like the next one. */
  lost?: number;
  /** Created or unchanged rows that lost their limit of visits. */
  limits?: number;
  /** Created or unchanged rows that lead elsewhere than at their source. */
  elsewhere?: number;
}

export const noRows = (verify = false): ImportTotals => ({
  ...{ created: 0, unchanged: 0, conflict: 0, refused: 0 },
  ...(verify && { lost: 0, limits: 0, elsewhere: 0 }),
});

export const countRow = (totals: ImportTotals, { result, lost, differences }: RowOutcome): void => {
  totals[result] += 1;
  if (result === 'conflict' || result === 'refused') return;
  if (totals.lost !== undefined && lost.length > 0) totals.lost += 1;
  if (totals.limits !== undefined && lost.some(({ field }) => isVisitLimit(field))) totals.limits += 1;
  if (totals.elsewhere !== undefined && differences.length > 0) totals.elsewhere += 1;
};

/** Whether every link of the file exists, with its destination and its end unchanged. */
export const isClean = ({ conflict, refused, limits = 0, elsewhere = 0 }: ImportTotals): boolean =>
  conflict + refused + limits + elsewhere === 0;
