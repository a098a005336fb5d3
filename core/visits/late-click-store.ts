import { epochSeconds } from '../base/durations.ts';
import { limits } from '../base/limits.ts';
import { type LinkId, linkKey, tableSchema } from '../table/keys.ts';
import type { Item, ReadsAndUpdates } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import { updateOf } from '../table/update.ts';
import {
  noClickId,
  queuedClickIds,
  recentClickIds,
  recentClickTimes,
  type VisitorWrite,
} from './click-store.ts';

const { attribute, idLength } = queuedClickIds;

/** A click or an open that the table didn't take at first. */
export interface LateWrite {
  readonly write: VisitorWrite;
  /** Whether the first write certainly failed; otherwise it got no response, and may have succeeded. */
  readonly isSure: boolean;
}

/**
 * Late clicks that a visitor's item remembers, to recognize a second delivery. One visitor may be everybody behind a
 * mobile carrier's address with the same browser; most have few, whose ids fit into the item's first write unit.
 */
const mostLate = 500;

/** The most by which clocks of regions may differ, and in which a request reaches the table, in seconds. */
const slowestSeconds = 60;

/** Counts clicks from a queue, which may deliver them hours later, in any order and more than once. */
export const lateClickStore = (table: ReadsAndUpdates) => ({
  /** Whether a link's item exists. Deleted links keep theirs until their project is deleted. */
  hasLink: async ({ project, code }: LinkId): Promise<boolean> =>
    (await table.get(linkKey(project, code))) !== undefined,

  /**
   * Counts a click or an open once, at its own time. Resolves to `known` if it was counted before, and to `uncertain`,
   * without counting it, if it may have been. Throws if it may have failed; a retry counts once.
   */
  async record({ write, isSure }: LateWrite, now: Date) {
    return untilMet(async () => {
      const item = await table.get(write.Key);
      if (isCounted(write, item)) return 'known';
      if (!isSure && mayBeForgotten(write, item, now)) return 'uncertain';
      await table.update(lateUpdate(write, item, now));
      return 'counted';
    });
  },
});

const lateIds = (item: Item | undefined): string[] =>
  String(item?.[attribute] ?? '').match(new RegExp(`.{${idLength}}`, 'g')) ?? [];

const isCounted = ({ id }: VisitorWrite, item: Item | undefined): boolean =>
  recentClickIds.some((name) => item?.[name] === id) || lateIds(item).includes(id.slice(0, idLength));

/** Time of an item's last visit that wasn't late, in epoch seconds. A late one overwrites the visit, so it stores this time. */
const newestOf = ({ seen, newest }: { readonly seen?: number; readonly newest?: number } = {}): number =>
  newest ?? seen ?? 0;

/**
 * Whether the first write, if it succeeded, may no longer be recognizable: four later clicks pushed its id out, or the
 * item expired.
 */
const mayBeForgotten = ({ visit, ttl }: VisitorWrite, item: Item | undefined, now: Date): boolean => {
  if (item === undefined) return ttl * 1000 <= now.getTime();
  const isFull = ![undefined, noClickId].includes(item[recentClickIds.at(-1) ?? ''] as string | undefined);
  // 1.3 stored only the newest click's time.
  const oldest = Number(item[recentClickTimes.at(-1) ?? '']) || newestOf(item.visit as Item);
  return isFull && oldest >= visit.seen - slowestSeconds;
};

/** The item must not be deleted while the queue may deliver the same message again. */
const keptUntil = (ttl: number, now: Date): number =>
  Math.max(ttl, epochSeconds(now.getTime()) + (limits.clickQueueDays + 1) * 86_400);

/**
 * An update that fails if the item has changed since it was read: every click changes its counters. The end of the
 * visitor's window never moves back.
 */
const lateUpdate = ({ Key, adds, id, visit, ttl }: VisitorWrite, item: Item | undefined, now: Date) => {
  const before = item?.visit as VisitorWrite['visit'] | undefined;
  const [counter = ''] = Object.keys(adds);
  const known = item?.[counter];
  return updateOf(Key, {
    add: adds,
    set: {
      visit: {
        ...visit,
        ...(visit.newFrom && { newFrom: Math.max(visit.newFrom, before?.newFrom ?? 0) }),
        newest: newestOf(before),
      },
      [attribute]: [...lateIds(item), id.slice(0, idLength)].slice(-mostLate).join(''),
      [tableSchema.ttl]: Math.max(keptUntil(ttl, now), Number(item?.[tableSchema.ttl] ?? 0)),
    },
    when: known === undefined ? `attribute_not_exists(#${counter})` : `#${counter} = :known`,
    values: { known },
  });
};
