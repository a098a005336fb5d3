import type { StoredProject } from '../projects/project-store.ts';
import {
  linkListOf,
  listedLinkKey,
  projectKey,
  segmentCountersOf,
  segmentKey,
  sortKeys,
} from '../table/keys.ts';
import { itemsBetween, itemsFrom } from '../table/ranges.ts';
import type { Item, Part, PartOrChoice, Table } from '../table/table.ts';
import { updateOf } from '../table/update.ts';
import type { Link } from './link.ts';

/*
 * A project's links are listed in segments of about a thousand, each with its own count. The counts add up to
 * the total, and a far page is found by skipping whole segments instead of reading every link before it.
 */

/** Links in a segment, about: each creation starts a new one with these odds. */
const segmentSize = 1000;
/** A new segment starts this much after its announcement is sent, when every creation has seen it coming. */
const noticeMs = 5000;
/** Counters per segment; several, so that concurrent creations seldom collide. */
export const segmentCounters = 4;

export type ListPlace = Pick<Link, 'project' | 'code' | 'segment' | 'createdAt'>;

/** What orders a list: segment, time of creation and code, as in the sort keys of its places. */
export type ListPosition = string;

export const positionIn = ({ SK }: Item): ListPosition => String(SK).slice(sortKeys.place.length);
export const codeAt = (position: ListPosition): string => position.split('#')[2] ?? '';

/**
 * The segment of a new link. A request from before the current segment began, which read the project late,
 * belongs to the segment before.
 */
export const segmentAt = (project: StoredProject, createdAt: string): string => {
  const { segment, nextSegment, formerSegment = segment } = project;
  if (nextSegment !== undefined && createdAt >= nextSegment) return nextSegment;
  return createdAt >= segment ? segment : formerSegment;
};

/**
 * The segment of a link that was created before it came here, so that the list stays in order of creation: the one of
 * its time, or before the project's first one that of its month.
 */
export const segmentOfPast = (
  project: StoredProject,
  segments: readonly string[],
  createdAt: string,
): string => {
  const known = [project.createdAt, ...segments].filter((segment) => segment <= createdAt);
  return known.sort().at(-1) ?? `${createdAt.slice(0, 7)}-01T00:00:00.000Z`;
};

/** The segments of a project's list. */
export const segmentsOf = async (table: Table, project: string): Promise<string[]> =>
  (await segmentCounts(table, project)).map(({ segment }) => segment);

/** Adds a new link to its project's list. */
export const enlist = (link: ListPlace): PartOrChoice[] => [
  { Put: { Item: placeOf(link) } },
  () => recount(link, 1),
];

export const placeOf = ({ project, segment, createdAt, code }: ListPlace) =>
  listedLinkKey(project, segment, createdAt, code);
export const listPositionOf = (link: ListPlace): ListPosition => positionIn({ ...placeOf(link) });

/** Drawn again at each attempt: a busy counter may stay busy. */
const anyCounter = () => Math.floor(Math.random() * segmentCounters);

/** Changes the count of a segment. A caller with many writers gives each of them a counter. */
export const recount = (
  { project, segment }: Pick<ListPlace, 'project' | 'segment'>,
  change: number,
  counter = anyCounter(),
): Part => ({
  Update: updateOf(segmentKey(project, segment, counter), { add: { n: change } }),
});

/**
 * Occasionally announces the next segment; call it after each creation. The time starts at the announcement,
 * not at the creation: a segment that began before its announcement would miss links whose requests don't
 * know it.
 */
export const extendList = async (table: Table, project: StoredProject, now: Date): Promise<void> => {
  const { segment, nextSegment } = project;
  const isAnnounced = nextSegment !== undefined && nextSegment > now.toISOString();
  if (isAnnounced || Math.random() * segmentSize >= 1) return;
  const announcement = updateOf(projectKey(project.id), {
    set: {
      segment: nextSegment ?? segment,
      nextSegment: new Date(now.getTime() + noticeMs).toISOString(),
      formerSegment: nextSegment && segment,
    },
    // Conditional on what was read: another call may have announced a segment in between.
    when: `#segment = :seen AND ${nextSegment ? '#nextSegment = :segment' : 'attribute_not_exists(#nextSegment)'}`,
    values: { seen: segment },
  });
  // Whatever fails, the link is stored, and a later creation announces the segment just as well.
  await table.update(announcement).catch(() => undefined);
};

/** The codes of one page of a project's list, newest first, and how many links the whole list has. Pages count from 1. */
export const pageOfCodes = async (table: Table, project: string, page: number, pageSize: number) => {
  const skipped = (page - 1) * pageSize;
  // The first pages, the most requested, don't wait for the counts, which only their total needs. Skipping links within
  // a segment costs no more than finding a far page.
  const [segments, newest] = await Promise.all([
    segmentCounts(table, project),
    skipped < segmentSize ? codesFrom(table, project, '~', skipped + pageSize) : undefined,
  ]);
  const total = totalOf(segments);
  if (newest) return { codes: newest.slice(skipped), total };
  if (skipped >= total) return { codes: [], total };
  const start = startOf(segments, skipped);
  const codes = await codesFrom(table, project, start.segment, start.skip + pageSize);
  return { codes: codes.slice(start.skip), total };
};

/** Links on the whole list. */
export const countLinks = async (table: Table, project: string): Promise<number> =>
  totalOf(await segmentCounts(table, project));

type SegmentCounts = Awaited<ReturnType<typeof segmentCounts>>;

const totalOf = (segments: SegmentCounts) => segments.reduce((sum, { links }) => sum + links, 0);

/** Newest first. */
const segmentCounts = async (table: Table, project: string) => {
  const items = await table.query(itemsFrom(segmentCountersOf(project)));
  const counts = Map.groupBy(items, ({ SK: key }) => String(key).split('#')[1] ?? '');
  return [...counts].map(([segment, parts]) => ({ segment, links: sumOf(parts) })).reverse();
};

/** Counters are read one after the other: if a link is created and deleted meanwhile, only the deletion may show. */
const sumOf = (parts: readonly Item[]) => {
  const sum = parts.reduce((before, { n }) => before + Number(n), 0);
  return Math.max(0, sum);
};

/** The segment that contains the link at this offset, and how many of its links to skip. */
const startOf = (segments: SegmentCounts, skipped: number): { segment: string; skip: number } => {
  let skip = skipped;
  for (const { segment, links } of segments) {
    if (skip < links) return { segment, skip };
    skip -= links;
  }
  throw new Error('There are fewer links than were counted');
};

/** Codes from the end of a segment on, newest first; `~` is above all segments. */
const codesFrom = async (
  table: Table,
  project: string,
  segment: string,
  limit: number,
): Promise<string[]> => {
  const list = linkListOf(project);
  // `$` follows `#`, which ends a segment; segments are times.
  const places = itemsBetween(list, `${list.SK}${segment}$`);
  const items = await table.query({ ...places, ScanIndexForward: false, Limit: limit });
  return items.slice(0, limit).map((item) => codeAt(positionIn(item)));
};
