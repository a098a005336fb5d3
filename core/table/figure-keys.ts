import { dayMs } from '../base/durations.ts';
import { type Key, linkPartition, partitions, sortKeys } from './keys.ts';

/* Keys of what visits leave: visitors and figures. */

/**
 * All visitors of a link have one partition key, so one shard of the stream at a time carries a link's clicks; those of a
 * link that is prepared for fame are spread over groups. The name of their group stands in every stored key: with
 * another one, visitors who are known would count as new.
 */
const onlyGroup = '1';
const groupOf = (visitor: string, groups: number): string =>
  groups === 1 ? onlyGroup : `g${Buffer.from(visitor, 'base64url').readUInt32BE() % groups}`;

const visitorPartition = (project: string, code: string, group: string) =>
  `${partitions.visitor}${project}#${code}#${group}`;

/** What a visitor, a hash, did with a link whose visitors are in so many groups. */
export const visitorKey = (project: string, code: string, visitor: string, groups = 1): Key => ({
  PK: visitorPartition(project, code, groupOf(visitor, groups)),
  SK: `CLICKS#${visitor}`,
});
/** Of a link in a visitor's app. */
export const opensKey = (project: string, code: string, visitor: string, groups = 1): Key => ({
  PK: visitorPartition(project, code, groupOf(visitor, groups)),
  SK: `OPENS#${visitor}`,
});

/**
 * The link that a visitor's item belongs to, and whether its visitors are in several groups; undefined for any other
 * key.
 */
export const linkOfVisitor = (
  PK: string,
): { project: string; code: string; isGrouped: boolean } | undefined => {
  const [kind, project, code, group] = PK.split('#');
  if (kind !== 'VISITOR' || !project || !code || !group) return undefined;
  return { project, code, isGrouped: group !== onlyGroup };
};

/** What the attributes of visits that aren't clicks begin with; the reason follows. */
export const excludedPrefix = 'x#';

/** Visits of a link that aren't clicks: a kind of its own, so that whoever counts them can't write links. */
export const excludedKey = (project: string, code: string): Key => ({
  PK: `${partitions.excluded}${project}#${code}`,
  SK: 'EXCLUDED',
});

const seriesPartition = (project: string, code: string | undefined) =>
  partitions.series + (code === undefined ? project : `${project}#${code}`);

interface Owner {
  readonly project: string;
  readonly code?: string | undefined;
}

/**
 * A link's totals, and which of its days have items of their own; of a project only the latter. Totals of a link whose
 * visitors are in groups have further items.
 */
export const figuresKey = ({ project, code }: Owner, item?: number): Key => ({
  PK: code === undefined ? seriesPartition(project, code) : linkPartition(project, code),
  SK: sortKeys.totals + (item === undefined ? '' : `#${item}`),
});

const daySortKeys = {
  day: (start: string) => `D#${start}`,
  /** Clicks of a project's day by link. */
  dayByLink: (start: string) => `L#${start}`,
};

export type DayUnit = keyof typeof daySortKeys;

/** The figures of a link, or of a project, on a day in UTC; days count from the epoch. */
export const dayKey = (unit: DayUnit, { project, code }: Owner, day: number): Key => ({
  PK: seriesPartition(project, code),
  SK: daySortKeys[unit](new Date(day * dayMs).toISOString().slice(0, 10)),
});

/**
 * An hour in UTC; hours count from the epoch. It has several items, which together are its figures: each shard of the
 * stream adds to one of them. Without a number, what the keys of all of them begin with.
 */
export const hourKey = ({ project, code }: Owner, hour: number, item?: number): Key => ({
  PK: seriesPartition(project, code),
  SK: `H#${new Date(hour * 3_600_000).toISOString().slice(0, 13)}${item === undefined ? '' : `#${item}`}`,
});
