import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { DynamoDBClient, type DynamoDBClientConfig, paginateScan } from '@aws-sdk/client-dynamodb';
import { isCopied } from '../../core/table/copied-kinds.ts';
import type { Key } from '../../core/table/keys.ts';
import type { Item, Table } from '../../core/table/table.ts';
import { OperatorError } from '../base/operator-error.ts';

/** A table whose copied items are compared. */
interface ComparedTable {
  readonly name: string;
  readonly access: DynamoDBClientConfig;
  readonly table: Pick<Table, 'batchGet'>;
}

interface Tables {
  readonly home: ComparedTable;
  readonly copy: ComparedTable;
}

export interface Syncing extends Tables {
  /** Makes the copier copy these keys: of two copies of a key, the later one reads the item later. */
  readonly copyKeys: (keys: readonly Key[]) => Promise<unknown>;
  readonly progress: (line: string) => void;
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** Numbers of items that the copy lacked or had in another state, and that only the copy had. */
export interface Synced {
  readonly copied: number;
  readonly removed: number;
}

/** Comparisons without any progress after which the copier counts as stopped; there is one a second. */
const patience = 300;
/** Keys that are compared at once. */
const atOnce = 1000;

/**
 * Makes the copy equal to the first region's table. All corrections take the copier's way, so that changes that it copies
 * meanwhile are never overwritten by older states. Resolves once the copy is equal; can be repeated at any time.
 */
export const syncCopy = async (syncing: Syncing): Promise<Synced> => {
  const { home, copy, copyKeys, progress, pause = delay } = syncing;
  const counts = { copied: 0, removed: 0 };
  let open: Key[] = [];
  let read = 0;
  for (const [from, kind] of [
    [home, 'copied'],
    [copy, 'removed'],
  ] as const)
    for await (const keys of copiedKeysOf(from)) {
      const found = (await differences(syncing, keys)).filter((one) => one.kind === kind);
      await copyKeys(found.map(({ key }) => key));
      counts[kind] += found.length;
      open.push(...found.map(({ key }) => key));
      read += keys.length;
      progress(`${read.toLocaleString('en')} items compared, ${open.length.toLocaleString('en')} differ`);
    }
  for (let left = patience; ; left -= 1) {
    const still: Key[] = [];
    for (let index = 0; index < open.length; index += atOnce)
      still.push(...(await differences(syncing, open.slice(index, index + atOnce))).map(({ key }) => key));
    if (still.length === 0) return counts;
    if (still.length < open.length) left = patience;
    if (left === 0)
      throw new OperatorError(
        `The copy still differs in ${still.length.toLocaleString('en')} items: the copier has stopped, or is busy. Repeat the command later (docs/standby.md)`,
      );
    open = still;
    progress(`${open.length.toLocaleString('en')} items are still to be copied`);
    await pause(1000);
  }
};

interface Difference {
  readonly key: Key;
  /** What makes the copy equal. */
  readonly kind: keyof Synced;
}

/** Keys among these whose items differ now. */
const differences = async ({ home, copy }: Tables, keys: readonly Key[]): Promise<Difference[]> => {
  const [there, here] = await Promise.all([byKey(copy, keys), byKey(home, keys)]);
  return keys.flatMap((key) => {
    const wanted = here.get(nameOf(key));
    if (isDeepStrictEqual(wanted, there.get(nameOf(key)))) return [];
    return [{ key, kind: wanted ? ('copied' as const) : ('removed' as const) }];
  });
};

const byKey = async ({ table }: ComparedTable, keys: readonly Key[]): Promise<Map<string, Item>> => {
  // Every item of a table has a key.
  const items = (await table.batchGet(keys)) as (Item & Key)[];
  return new Map(items.map((item) => [nameOf(item), item]));
};

const nameOf = ({ PK, SK }: Key): string => JSON.stringify([PK, SK]);

/** The keys of a table's copied items, by page. */
async function* copiedKeysOf({ name: TableName, access }: ComparedTable): AsyncGenerator<Key[]> {
  const client = new DynamoDBClient(access);
  try {
    const input = { TableName, ConsistentRead: true, ProjectionExpression: 'PK, SK' };
    for await (const { Items = [] } of paginateScan({ client }, input))
      yield Items.map(({ PK, SK }) => ({ PK: PK?.S ?? '', SK: SK?.S ?? '' })).filter(isCopied);
  } finally {
    client.destroy();
  }
}
