import { dayMs, hourMs } from '../base/durations.ts';
import { type Key, keyIn, sortKeys } from './keys.ts';

/* Keys of what visits leave: visitors and figures. */

/**
 * All visitors of a link have one partition key, so one shard of the stream at a time carries a link's clicks; those of a
 * link that is prepared for fame are spread over groups. The name of their group stands in every stored key: with
 * another one, visitors who are known would count as new.
 */
const onlyGroup = '1';
const groupOf = (visitor: string, groups: number): string =>
  groups === 1 ? onlyGroup : `g${Buffer.from(visitor, 'base64url').readUInt32BE() % groups}`;

const keyOfVisits =
  (kind: 'CLICKS' | 'OPENS') =>
  (project: string, code: string, visitor: string, groups = 1): Key =>
    keyIn('visitor', `${project}#${code}#${groupOf(visitor, groups)}`, `${kind}#${visitor}`);

/** What a visitor, a hash, did with a link whose visitors are in so many groups. */
export const visitorKey = keyOfVisits('CLICKS');
/** Of a link in a visitor's app. */
export const opensKey = keyOfVisits('OPENS');

/**
 * The link that a visitor's item belongs to, and whether its visitors are in groups, so that any shard may carry its clicks;
 * undefined for any other key.
 */
export const linkOfVisitor = (PK: string) => {
  const [kind, project, code, group] = PK.split('#');
  if (kind !== 'VISITOR' || !project || !code || !group) return undefined;
  return { project, code, isGrouped: group !== onlyGroup };
};

/** What the attributes of visits that aren't clicks begin with; the reason follows. */
export const excludedPrefix = 'x#';

/** Visits of a link that aren't clicks: a kind of its own, so that whoever counts them can't write links. */
export const excludedKey = (project: string, code: string): Key =>
  keyIn('excluded', `${project}#${code}`, 'EXCLUDED');

/** Whose figures they are: a link's, or without a code those of a project. */
export interface Owner {
  readonly project: string;
  readonly code?: string | undefined;
}

const idOf = ({ project, code }: Owner) => (code === undefined ? project : `${project}#${code}`);

/**
 * A link's totals, and which of its days have items of their own; of a project only the latter. Totals of a link whose
 * visitors are in groups have further items.
 */
export const figuresKey = (owner: Owner, item?: number): Key => {
  const SK = sortKeys.totals + (item === undefined ? '' : `#${item}`);
  return keyIn(owner.code === undefined ? 'series' : 'link', idOf(owner), SK);
};

/** The second is of clicks of a project's day by link. */
const dayStarts = { day: 'D#', dayByLink: 'L#' };

export type DayUnit = keyof typeof dayStarts;

/** The figures of a link, or of a project, on a day in UTC; days count from the epoch. */
export const dayKey = (unit: DayUnit, owner: Owner, day: number): Key =>
  keyIn('series', idOf(owner), dayStarts[unit] + new Date(day * dayMs).toISOString().slice(0, 10));

/**
 * An hour in UTC; hours count from the epoch. It has several items, which together are its figures: each shard of the
 * stream adds to one of them. Without a number, what the keys of all of them begin with.
 */
export const hourKey = (owner: Owner, hour: number, item?: number): Key => {
  const start = new Date(hour * hourMs).toISOString().slice(0, 13);
  return keyIn('series', idOf(owner), `H#${start}${item === undefined ? '' : `#${item}`}`);
};
