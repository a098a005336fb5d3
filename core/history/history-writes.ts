import { isDeepStrictEqual } from 'node:util';
import { writeDigits } from '../analytics/positions.ts';
import { dayMs, epochSeconds } from '../base/durations.ts';
import { shortHash } from '../events/event.ts';
import type { ChangedLink } from '../events/link-change.ts';
import type { Link } from '../links/link.ts';
import { type OwnContent, ownContent } from '../links/own-content.ts';
import { ownFieldNames } from '../links/own-fields.ts';
import { historyKey } from '../table/history-keys.ts';
import { type LinkId, tableSchema } from '../table/keys.ts';
import { itemsFrom } from '../table/ranges.ts';
import type { Items } from '../table/table.ts';

/** A stored change. Each has the whole link before it, so that entries don't depend on each other. */
export interface StoredEntry {
  readonly type: 'updated' | 'expired' | 'blocked' | 'unblocked';
  readonly by?: string | undefined;
  readonly before: OwnContent & Pick<Link, 'status'>;
  /** The fields that an update changed. */
  readonly changed?: readonly (keyof StoredEntry['before'])[] | undefined;
  /** The reason of a block, for operators. */
  readonly reason?: string | undefined;
}

const compared = [...ownFieldNames, 'payload', 'status'] as const;

export const historyIdPrefix = 'his_';

/** An entry's id. Ids sort by time. */
export const entryId = (at: number, ...of: readonly string[]): string =>
  historyIdPrefix + writeDigits(at, 8) + shortHash(...of);

/** The entry of a change. Undefined if it changed nothing that owners see, or if the entry derives from the link itself. */
const entryOf = ({ type, link, before, by }: ChangedLink): StoredEntry | undefined => {
  if (!before || type === 'link.deleted') return undefined;
  const own = { ...ownContent(before), status: before.status };
  if (type === 'link.expired') return { type: 'expired', before: own };
  const kept = { by: by ?? undefined, before: own };
  const [isBlocked, wasBlocked] = [link, before].map(({ blockedAt }) => blockedAt !== undefined);
  if (isBlocked && !wasBlocked) return { type: 'blocked', ...kept, reason: link.blockedReason };
  if (wasBlocked && !isBlocked) return { type: 'unblocked', ...kept };
  const changed = compared.filter((field) => !isDeepStrictEqual(before[field], link[field]));
  return changed.length > 0 ? { type: 'updated', ...kept, changed } : undefined;
};

/** Writes of histories, for the reader of the table's stream. */
export const historyWrites = (table: Pick<Items, 'put' | 'query' | 'delete'>) => ({
  /** Stores the link before a change for so many days. A repeated call changes nothing. */
  async add(change: ChangedLink, days: number): Promise<void> {
    const entry = days > 0 && entryOf(change);
    if (!entry) return;
    const ttl = epochSeconds(change.takenIn + days * dayMs);
    const key = historyKey(change.link, entryId(change.at, ...change.of));
    await table.put({ Item: { ...key, ...entry, [tableSchema.ttl]: ttl } });
  },

  /** Deletes the history of a link that was deleted with its project. */
  async forget(link: LinkId): Promise<void> {
    // In steps: a history can be larger than the function's memory, and each step stays done if the function times out.
    for (;;) {
      const items = await table.query({ ...itemsFrom(historyKey(link, historyIdPrefix)), Limit: 100 });
      if (items.length === 0) return;
      await Promise.all(items.map(({ SK }) => table.delete({ Key: historyKey(link, String(SK)) })));
    }
  },
});
