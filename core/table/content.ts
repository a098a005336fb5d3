import type { Key } from './keys.ts';
import { ConditionFailed, type Item, type Updates } from './table.ts';
import { type ItemUpdate, updateOf } from './update.ts';

/** An item's attributes without its keys. */
export const contentOf = <Content>({ PK, SK, LPK, LSK, ...content }: Item) => content as unknown as Content;

/** Updates an item. Resolves to the new item, or undefined if the condition isn't met. */
export const updated = async (table: Updates, key: Key, change: ItemUpdate): Promise<Item | undefined> => {
  try {
    return await table.update({ ...updateOf(key, change), ReturnValues: 'ALL_NEW' });
  } catch (error) {
    if (error instanceof ConditionFailed) return undefined;
    throw error;
  }
};
