import type { Key } from './keys.ts';
import { ConditionFailed, type Item, type Updates } from './table.ts';
import { type ItemUpdate, updateOf } from './update.ts';

/** What a store keeps in an item, without its keys. */
export const contentOf = <Content>({ PK, SK, LPK, LSK, ...content }: Item) => content as unknown as Content;

/** Makes an update. Resolves to the item as it is then; undefined if its condition is not met. */
export const updated = async (table: Updates, key: Key, change: ItemUpdate): Promise<Item | undefined> => {
  try {
    return await table.update({ ...updateOf(key, change), ReturnValues: 'ALL_NEW' });
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
};
