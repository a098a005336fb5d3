import { homeKey, type Key } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { updateOf } from '../table/update.ts';
import type { Home } from './home.ts';

/** The first region's table, as the copier reads it. */
export const copiesStore = (table: Pick<Table, 'get' | 'update'>) => ({
  /** An item as it is now. */
  item: (key: Key): Promise<Item | undefined> => table.get(key),

  /** Writes an item that is copied like any change, to measure how long that takes. */
  async beat(now: number): Promise<void> {
    await table.update(updateOf(homeKey, { set: { beatAt: now } }));
  },
});

type Copies = Pick<ReturnType<typeof copiesStore>, 'item'>;

/**
 * Makes the item of a key in the second region what it is in the first one now, so that it doesn't matter how often and
 * in which order changes arrive. Calls for one key must not overlap.
 */
export const itemCopier = (
  copies: Copies,
  copy: Pick<Table, 'delete' | 'put' | 'update'>,
  home: Pick<Home, 'clickQueueUrl' | 'secretArn'>,
) => {
  const copyBeat = async (beat: Item): Promise<void> => {
    const copiedAt = Number(beat.beatAt);
    const set = { ...home, copiedAt, delay: Math.max(0, Date.now() - copiedAt) };
    // An operator's `stopped` stays.
    await copy.update(updateOf(homeKey, { set }));
  };
  return async (key: Key): Promise<void> => {
    const item = await copies.item(key);
    if (key.PK !== homeKey.PK) return item ? copy.put({ Item: item }) : copy.delete({ Key: key });
    if (item) await copyBeat(item);
  };
};
