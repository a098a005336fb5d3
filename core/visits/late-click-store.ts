import { epochSeconds } from '../base/durations.ts';
import { limits } from '../base/limits.ts';
import { type LinkId, linkKey, tableSchema } from '../table/keys.ts';
import type { Item, ReadsAndUpdates } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import { updateOf } from '../table/update.ts';
import { late, none, remembered, type VisitorWrite } from './click-store.ts';

/** A click or an open that the table did not take at its time. */
export interface LateWrite {
  readonly write: VisitorWrite;
  /** Whether the table has certainly refused the first write; otherwise it was never answered, and may have been made. */
  readonly isSure: boolean;
}

/**
 * So many late clicks of one visitor may come between two deliveries of the same one. A visitor is everybody behind a mobile
 * carrier's address with the same browser; most have few, whose ids fit into the item's first write unit.
 */
const mostLate = 500;

/** Requests take this long to reach the table at most, in seconds. */
const slowestSeconds = 60;

/** Counts clicks that waited in a queue, which delivers them hours later, in no order, and now and then more than once. */
export const lateClickStore = (table: ReadsAndUpdates) => ({
  /** Whether a link is still there, deleted or not; it goes only with its project. */
  hasLink: async ({ project, code }: LinkId): Promise<boolean> =>
    (await table.get(linkKey(project, code))) !== undefined,

  /**
   * Counts a click or an open at its own time, once. Resolves to `known` if it was counted before, and to `uncertain` if it can't
   * be told from one that was, and so isn't counted. Throws when it may not have succeeded; repeating it is harmless.
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
  String(item?.[late.attribute] ?? '').match(new RegExp(`.{${late.idLength}}`, 'g')) ?? [];

const isCounted = ({ id }: VisitorWrite, item: Item | undefined): boolean =>
  remembered.some((name) => item?.[name] === id) || lateIds(item).includes(id.slice(0, late.idLength));

/** When the last visit of an item was that came at its time, in epoch seconds: a late one is written over it, and so notes it. */
const newestOf = ({ seen, newest }: { readonly seen?: number; readonly newest?: number } = {}): number =>
  newest ?? seen ?? 0;

/**
 * Whether the first write, if it was made, may have been pushed out of the item's memory by later ones, or deleted with the
 * item.
 */
const mayBeForgotten = ({ visit, ttl }: VisitorWrite, item: Item | undefined, now: Date): boolean => {
  if (item === undefined) return ttl * 1000 <= now.getTime();
  const isFull = ![undefined, none].includes(item[remembered.at(-1) ?? ''] as string | undefined);
  return isFull && newestOf(item.visit as Item) >= visit.seen - slowestSeconds;
};

/** The item must not be deleted while the queue may deliver the same message again. */
const keptUntil = (ttl: number, now: Date): number =>
  Math.max(ttl, epochSeconds(now.getTime()) + (limits.clickQueueDays + 1) * 86_400);

/**
 * On the condition that the item is as it was read: every click changes its numbers. What says for how long the visitor is
 * known never goes back.
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
      [late.attribute]: [...lateIds(item), id.slice(0, late.idLength)].slice(-mostLate).join(''),
      [tableSchema.ttl]: Math.max(keptUntil(ttl, now), Number(item?.[tableSchema.ttl] ?? 0)),
    },
    when: known === undefined ? `attribute_not_exists(#${counter})` : `#${counter} = :known`,
    values: { known },
  });
};
