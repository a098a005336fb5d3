import { type EngineClient, EngineError } from '../engine/engine-client.ts';
import type { EngineFile } from '../engine/engine-file.ts';
import type { ItemAddress } from './transaction-parts.ts';

/** JSON of items by their names; null for an item that doesn't exist. */
export type Items = ReadonlyMap<string, string | null>;

/** Reads what is committed. Resolves to undefined if the engine refuses to. Throws if it doesn't respond. */
export type ReadItems = (addresses: readonly ItemAddress[]) => Promise<Items | undefined>;

/** All at once: from the engine's file, or where only the engine knows, in one call. */
export const itemReads =
  (client: EngineClient, file: EngineFile | undefined): ReadItems =>
  async (addresses) => {
    const items = new Map<string, string | null>();
    for (const { name, tableName, key } of addresses) {
      const item = file?.itemOf(tableName, key);
      if (item === undefined) return transaction(client, addresses);
      items.set(name, item);
    }
    return items;
  };

async function transaction(
  client: EngineClient,
  addresses: readonly ItemAddress[],
): Promise<Items | undefined> {
  const gets = new Map(addresses.map(({ name, get }) => [name, get]));
  const read = await accepted<{ readonly Responses?: readonly { readonly Item?: object }[] }>(
    client,
    'TransactGetItems',
    [...gets.values()],
  );
  const itemAt = (index: number) => read?.Responses?.[index]?.Item;
  const textAt = (index: number) => (itemAt(index) ? JSON.stringify(itemAt(index)) : null);
  return read && new Map([...gets.keys()].map((name, index) => [name, textAt(index)]));
}

/** Undefined if the engine refused it. Throws if the outcome is unknown. */
export async function accepted<Answer = object>(
  client: EngineClient,
  operation: 'TransactWriteItems' | 'TransactGetItems',
  TransactItems: readonly unknown[],
): Promise<Answer | undefined> {
  try {
    return await client.call<Answer>(operation, { TransactItems });
  } catch (error) {
    if (error instanceof EngineError && error.status < 500) return undefined;
    throw error;
  }
}
