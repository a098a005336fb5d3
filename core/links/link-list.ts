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
 * A project's list of links has segments of about a thousand, each with its own count. Counts add up to the total, and
 * a far page is found by skipping whole segments instead of reading every link before it.
 */

/** The average number of links in a segment: each creation starts a new one with this probability. */
const segmentSize = 1000;
/** The time from a segment's announcement to its start, by which every creation knows of it. */
const noticeMs = 5000;
/** Counters of a segment; several, so that concurrent creations rarely conflict. */
export const segmentCounters = 4;

export type ListPlace = Pick<Link, 'project' | 'code' | 'segment' | 'createdAt'>;

/** A position in a list: segment, creation time and code, as in sort keys. */
export type ListPosition = string;

export const positionIn = ({ SK }: Item): ListPosition => String(SK).slice(sortKeys.place.length);
export const codeAt = (position: ListPosition): string => position.split('#')[2] ?? '';

/** The segment of a new link. A request from before the current segment began belongs to the previous one. */
export const segmentAt = (project: StoredProject, createdAt: string): string => {
  const { segment, nextSegment, formerSegment = segment } = project;
  if (nextSegment !== undefined && createdAt >= nextSegment) return nextSegment;
  return createdAt >= segment ? segment : formerSegment;
};

/**
 * The segment of an imported link, which keeps the list in order of creation: the one of its creation time, or if it is
 * older than the project, that of its month.
 */
export const segmentOfPast = (
  project: StoredProject,
  segments: readonly string[],
  createdAt: string,
): string => {
  const known = [project.createdAt, ...segments].filter((segment) => segment <= createdAt);
  return known.sort().at(-1) ?? `${createdAt.slice(0, 7)}-01T00:00:00.000Z`;
};

/** The segments of a project's list, newest first. */
export const segmentsOf = async (table: Table, project: string): Promise<string[]> =>
  (await segmentCounts(table, project)).map(({ segment }) => segment);

/** Writes that add a link to its project's list. */
export const enlist = (link: ListPlace): PartOrChoice[] => [listPart(link), () => recount(link, 1)];

/** The write of a link's place in the list, without its count, which several links can share. */
export const listPart = (link: ListPlace): Part => ({ Put: { Item: placeOf(link) } });

export const placeOf = ({ project, segment, createdAt, code }: ListPlace) =>
  listedLinkKey(project, segment, createdAt, code);
export const listPositionOf = (link: ListPlace): ListPosition => positionIn({ ...placeOf(link) });

/** A random counter, drawn anew for each attempt, because a busy one may stay busy. */
const anyCounter = () => Math.floor(Math.random() * segmentCounters);

/** A write that changes a segment's count. Parallel writers each use their own counter. */
export const recount = (
  { project, segment }: Pick<ListPlace, 'project' | 'segment'>,
  change: number,
  counter = anyCounter(),
): Part => ({
  Update: updateOf(segmentKey(project, segment, counter), { add: { n: change } }),
});

/**
 * Occasionally announces the next segment; call it after each creation. The segment must start after its announcement:
 * otherwise it would miss links whose requests don't know it.
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
    // Fails if another call has announced a segment meanwhile.
    when: `#segment = :seen AND ${nextSegment ? '#nextSegment = :segment' : 'attribute_not_exists(#nextSegment)'}`,
    values: { seen: segment },
  });
  // A failure doesn't matter: the link is stored, and a later creation announces the segment.
  await table.update(announcement).catch(() => undefined);
};

/** The codes of a page of a project's list, newest first, with the total number of links. Pages count from 1. */
export const pageOfCodes = async (table: Table, project: string, page: number, pageSize: number) => {
  const skipped = (page - 1) * pageSize;
  // The first pages, which are requested most, are read in parallel to the counts. Skipping links within a segment
  // costs no more than finding a far page.
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

export const countLinks = async (table: Table, project: string): Promise<number> =>
  totalOf(await segmentCounts(table, project));

type SegmentCounts = Awaited<ReturnType<typeof segmentCounts>>;

const totalOf = (segments: SegmentCounts) => segments.reduce((sum, { links }) => sum + links, 0);

/** Segments with their counts, newest first. */
const segmentCounts = async (table: Table, project: string) => {
  const items = await table.query(itemsFrom(segmentCountersOf(project)));
  const counts = Map.groupBy(items, ({ SK: key }) => String(key).split('#')[1] ?? '');
  return [...counts].map(([segment, parts]) => ({ segment, links: sumOf(parts) })).reverse();
};

/** A sum of counters, at least 0: reads aren't atomic, so of a concurrent creation and deletion only the latter may show. */
const sumOf = (parts: readonly Item[]) => {
  const sum = parts.reduce((before, { n }) => before + Number(n), 0);
  return Math.max(0, sum);
};

/** The segment that contains the link at this offset, with the number of its links to skip. */
const startOf = (segments: SegmentCounts, skipped: number): { segment: string; skip: number } => {
  let skip = skipped;
  for (const { segment, links } of segments) {
    if (skip < links) return { segment, skip };
    skip -= links;
  }
  throw new Error('There are fewer links than were counted');
};

/** Codes from a segment's end, newest first; `~` is above all segments. */
const codesFrom = async (table: Table, project: string, segment: string, limit: number) => {
  const list = linkListOf(project);
  // `$` follows `#`, which ends a segment; segments are times.
  const places = itemsBetween(list, `${list.SK}${segment}$`);
  const items = await table.query({ ...places, ScanIndexForward: false, Limit: limit });
  return items.slice(0, limit).map((item) => codeAt(positionIn(item)));
};
