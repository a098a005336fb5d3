import { dayMs, hourMs } from '../base/durations.ts';
import { type Key, keyIn, sortKeys } from './keys.ts';

/* Keys of visitors and analytics. */

/**
 * All visitors of a link share one partition key, so one shard of the stream carries the link's clicks. A link prepared
 * for many clicks spreads its visitors over groups. The group's name is part of stored keys: if it changed, known
 * visitors would count as new.
 */
const onlyGroup = '1';
const groupOf = (visitor: string, groups: number): string =>
  groups === 1 ? onlyGroup : `g${Buffer.from(visitor, 'base64url').readUInt32BE() % groups}`;

const keyOfVisits =
  (kind: 'CLICKS' | 'OPENS') =>
  (project: string, code: string, visitor: string, groups = 1): Key =>
    keyIn('visitor', `${project}#${code}#${groupOf(visitor, groups)}`, `${kind}#${visitor}`);

/** A visitor's clicks on a link. `visitor` is a hash; `groups` is the number of the link's groups. */
export const visitorKey = keyOfVisits('CLICKS');
/** A visitor's opens of a link in an app. */
export const opensKey = keyOfVisits('OPENS');

/**
 * The link of a visitor's item, and whether its visitors are in groups, so that any shard may carry its clicks.
 * Undefined for other keys.
 */
export const linkOfVisitor = (PK: string) => {
  const [kind, project, code, group] = PK.split('#');
  if (kind !== 'VISITOR' || !project || !code || !group) return undefined;
  return { project, code, isGrouped: group !== onlyGroup };
};

/** Prefix of the attributes that count excluded visits; the reason follows. */
export const excludedPrefix = 'x#';

/** A link's excluded visits. They have their own kind, so that the function that counts them can't write links. */
export const excludedKey = (project: string, code: string): Key =>
  keyIn('excluded', `${project}#${code}`, 'EXCLUDED');

/** The owner of analytics: a link, or without a code a project. */
export interface Owner {
  readonly project: string;
  readonly code?: string | undefined;
}

const idOf = ({ project, code }: Owner) => (code === undefined ? project : `${project}#${code}`);

/**
 * A link's totals, and which of its days have items; for a project only the latter. A link with groups of visitors has
 * numbered items for further totals.
 */
export const analyticsKey = (owner: Owner, item?: number): Key => {
  const SK = sortKeys.totals + (item === undefined ? '' : `#${item}`);
  return keyIn(owner.code === undefined ? 'series' : 'link', idOf(owner), SK);
};

/** `dayByLink` has a project's clicks of a day by link. */
const dayStarts = { day: 'D#', dayByLink: 'L#' };

export type DayUnit = keyof typeof dayStarts;

/** The analytics of a link, or of a project, on a day in UTC; days count from the epoch. */
export const dayKey = (unit: DayUnit, owner: Owner, day: number): Key =>
  keyIn('series', idOf(owner), dayStarts[unit] + new Date(day * dayMs).toISOString().slice(0, 10));

/**
 * An hour in UTC, counted from the epoch. Its analytics are spread over several items, because each shard of the stream
 * adds to its own. Without an item's number, the prefix of all their keys.
 */
export const hourKey = (owner: Owner, hour: number, item?: number): Key => {
  const start = new Date(hour * hourMs).toISOString().slice(0, 13);
  return keyIn('series', idOf(owner), `H#${start}${item === undefined ? '' : `#${item}`}`);
};
