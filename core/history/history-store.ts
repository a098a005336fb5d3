import { readDigits } from '../analytics/positions.ts';
import { linkNotFound } from '../base/failure.ts';
import { failure } from '../base/messages.ts';
import { fromItem, type Link } from '../links/link.ts';
import type { changeNote } from '../links/link-writes.ts';
import { type OwnContent, ownContent } from '../links/own-content.ts';
import type { OwnChange } from '../links/own-fields.ts';
import { historyKey } from '../table/history-keys.ts';
import { type LinkId, linkKey } from '../table/keys.ts';
import type { Item, Items } from '../table/table.ts';
import { entryId, historyIdPrefix, historyWrites, type StoredEntry } from './history-writes.ts';

/** A change of a link as shown. */
export interface HistoryEntry {
  readonly id: string;
  readonly at: string;
  readonly type: StoredEntry['type'] | 'created' | 'deleted';
  readonly by: string | null;
  /** The previous values of updated fields, null if unset. */
  readonly previous?: (OwnChange & Partial<Pick<Link, 'payload' | 'status'>>) | undefined;
  readonly reason?: string | undefined;
  /** The link before the change; null if the change created it. */
  readonly before: OwnContent | null;
}

interface PageRequest {
  /** The id where the previous page ended; undefined for the first page. */
  readonly below?: string | undefined;
  readonly pageSize: number;
  /** Whether to include deleted links, as for operators. */
  readonly withDeleted?: boolean;
}

export const historyStore = (table: Items) => ({
  /** The next entries below an id, newest first, with their end, which is undefined if none is left. Throws LINK_NOT_FOUND. */
  async page(link: LinkId, { below = '~', pageSize, withDeleted }: PageRequest) {
    const { PK, SK } = historyKey(link, below);
    const [item, items] = await Promise.all([
      table.get(linkKey(link.project, link.code)),
      table.query({
        KeyConditionExpression: 'PK = :all AND SK < :below',
        ExpressionAttributeValues: { ':all': PK, ':below': SK },
        ...{ ScanIndexForward: false, ConsistentRead: false, Limit: pageSize + 1 },
      }),
    ]);
    const own = ownEntries(item, withDeleted).filter(({ id }) => id < below);
    const all = [...items.map(shown), ...own];
    const entries = all.sort((one, other) => (one.id < other.id ? 1 : -1)).slice(0, pageSize);
    return { entries, end: all.length > pageSize ? entries.at(-1)?.id : undefined };
  },

  /** An entry by its id. Throws LINK_NOT_FOUND, and NOT_FOUND if there is no such entry. */
  async find(link: LinkId, id: string, withDeleted?: boolean): Promise<HistoryEntry> {
    // An invalid id may be too long for a key.
    const key = historyKey(link, /^[\w-]{1,50}$/.test(id) ? id : historyIdPrefix);
    const [item, entry] = await Promise.all([table.get(linkKey(link.project, link.code)), table.get(key)]);
    const found = ownEntries(item, withDeleted).find((own) => own.id === id) ?? (entry && shown(entry));
    if (!found) throw failure('noEntry');
    return found;
  },

  ...historyWrites(table),
});

/** The entries that derive from the link itself. Throws LINK_NOT_FOUND. */
const ownEntries = (item: Item | undefined, withDeleted = false): HistoryEntry[] => {
  const isDeleted = item?.status === 'DELETED';
  if (!item || (isDeleted && !withDeleted)) throw linkNotFound();
  const link = fromItem(item);
  const { change, deletedAt } = item as {
    readonly change?: ReturnType<typeof changeNote>;
    deletedAt?: string;
  };
  const entry = (type: HistoryEntry['type'], at: string, by: string | null, before: OwnContent | null) => {
    return { id: entryId(Date.parse(at), link.id, type), at, type, by, before };
  };
  // An operator may have unblocked it since the deletion.
  const by = (change?.at === deletedAt && change?.by) || null;
  return [
    ...(isDeleted ? [entry('deleted', link.updatedAt, by, ownContent(link))] : []),
    entry('created', link.createdAt, link.createdBy, null),
  ];
};

const shown = (item: Item): HistoryEntry => {
  // The item as it was written.
  const {
    SK: id,
    type,
    by = null,
    before,
    changed,
    reason,
  } = item as unknown as StoredEntry & { SK: string };
  const at = new Date(Number(readDigits(id.slice(historyIdPrefix.length, -22)))).toISOString();
  const previous = changed && Object.fromEntries(changed.map((name) => [name, before[name] ?? null]));
  return {
    id,
    at,
    type,
    by,
    ...(previous && { previous }),
    ...(reason && { reason }),
    before: ownContent(before),
  };
};
