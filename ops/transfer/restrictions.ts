import type { ImportWarning } from './row.ts';
import { timeIn, timeOf } from './times.ts';
import { trimmed } from './trimmed.ts';
import { lettersOf } from './unknown-columns.ts';
import { isNo, isNoTime, isUnset } from './unset-cells.ts';

/** A column's letters. A broken file may have a megabyte as a name; known names are shorter. */
const nameOf = (column: string): string => lettersOf(column.slice(0, 60));

/* Other services' columns that keep a link from leading everybody to its destination, by their names' letters. */

const expiry =
  /^(?:link|meta|url)?(?:expir(?:y|es?|ation|ed(?=.))(?:at|on|in|date|time)*|valid(?:until|to|till)|ends?(?:at|on|date))$/;
const start = /^(?:meta)?(?:valid(?:since|from)|starts?(?:at|on|date|time)|active(?:from|since)|notbefore)$/;
const disabled =
  /^(?:is|has)?(?:expired|(?:banned|disabled|blocked|suspended|deactivated|deleted|trashed)(?:at)?)$/;
const enabled = /^(?:is)?(?:active|enabled)$/;
const password = /passw|^(?:is)?protected$|^pwd$|^secretkey$/;
const visit = '(?:click|visit|hit|scan|view|usage|use)s?';
const limit = new RegExp(`(?:max|limit|expir)[a-z]*?${visit}(?:count|allowed)?$|^${visit}(?:max|limit)s?$`);
const count = new RegExp(`^(?:total)?${visit}(?:count|total)?$|^visitssummarytotal$`);

/** Whether a column has links' expiry. */
export const isExpiry = (name: string): boolean => expiry.test(nameOf(name));

/** Whether a column, or a lost value, limits a link's visits. */
export const isVisitLimit = (name: string): boolean => limit.test(nameOf(name));

export interface Restrictions {
  /** The columns that decide; their values aren't lost. */
  readonly columns: readonly string[];
  /** Why a row can't be imported; undefined if it can. */
  readonly faultOf: (cell: (name: string) => string, now: number) => ImportWarning | undefined;
}

/** A cell's number, with or without commas for thousands. */
const numberIn = (cell: string): number => Number(cell.replaceAll(',', ''));

/** The restrictions of links in a header. `expiries` are the columns that are read as `expiresAt`. */
export const restrictionsIn = (names: readonly string[], expiries: readonly string[]): Restrictions => {
  const like = (pattern: RegExp) => names.filter((name) => pattern.test(nameOf(name)));
  const limits = like(limit);
  const unread = names.filter(
    (name) => (isExpiry(name) || name === 'ttl') && !expiries.includes(name) && !limits.includes(name),
  );
  const [starts, offs, ons, passwords] = [like(start), like(disabled), like(enabled), like(password)];
  const counts = like(count).filter((name) => !limits.includes(name));
  const faultOf: Restrictions['faultOf'] = (cell, now) => {
    const says = (name: string) => !isNo(cell(name));
    const saysWhen = (name: string) => !isNoTime(cell(name));
    if (offs.some(saysWhen) || ons.some((name) => !isUnset(cell(name)) && isNo(cell(name))))
      return { reason: 'the link is disabled at its source' };
    if (passwords.some(says)) return { reason: 'the link has a password, which is not offered here' };
    if (!expiries.some(saysWhen) && unread.some(saysWhen))
      return { reason: "an ignored column sets the link's expiry: rename it to expiresAt" };
    for (const name of starts.filter(saysWhen)) {
      const from = timeOf(timeIn(trimmed(cell(name)), true));
      if (from === undefined) return { reason: 'it is not clear from when on the link is valid' };
      if (Date.parse(from) > now) return { reason: 'the link is not valid yet' };
    }
    const used = Math.max(...counts.map((name) => numberIn(cell(name)) || 0), 0);
    const most = limits.filter(says).map((name) => numberIn(cell(name)));
    return most.some((visits) => used >= visits) ? { reason: 'the link has used up its visits' } : undefined;
  };
  return { columns: [...starts, ...offs, ...ons, ...passwords], faultOf };
};
