import type { TableResource } from '../assembly.ts';
import { type EngineClient, EngineError, engineClient } from './engine-client.ts';
import { type EngineAnswer, jsonAnswer } from './engine-proxy.ts';
import { groupCalls } from './grouped-calls.ts';
import {
  type Input,
  type ItemAddress,
  isPlainRead,
  isWrite,
  itemAddresses,
  returnsOld,
  writeOf,
} from './transaction-parts.ts';

/** A call of the DynamoDB API on its way to the engine. */
interface TableCall {
  readonly operation: string;
  readonly input: Input;
  /** Sends it as it came. */
  readonly alone: () => Promise<EngineAnswer>;
}

interface SharedCommits {
  send(call: TableCall): Promise<EngineAnswer>;
  close(): void;
}

interface Waiting extends TableCall {
  /** Of a call that may share a group. */
  readonly item: ItemAddress | undefined;
  readonly settle: (answer: EngineAnswer | Promise<EngineAnswer>) => void;
}

/** Resolves to the answers in the order of the calls; undefined if the engine refused them together. */
type Together = (group: readonly Waiting[]) => Promise<EngineAnswer[] | undefined>;

/**
 * Batches calls for an engine that syncs the disk for every write and takes one at a time. Writes that arrive
 * meanwhile continue together as one transaction, and so do reads. Each call gets the answer that it would
 * have got alone, and an answered write is on disk. A transaction that the engine refuses changed nothing:
 * its calls continue one by one. All writes of the table must come this way, because old images are read
 * before the transaction that replaces them.
 */
export function shareCommits(endpoint: string, tables: readonly TableResource[]): SharedCommits {
  const client = engineClient(endpoint);
  const itemOf = itemAddresses(tables);
  const subjectOf = ({ item }: Waiting) => item?.name;
  const write = groupCalls<Waiting>({ subjectOf, mayRepeat: false, run: runner(writeAll(client)) });
  const read = groupCalls<Waiting>({ subjectOf, mayRepeat: true, run: runner(readAll(client)) });
  return {
    send: (call) => {
      const { operation, input } = call;
      const writes = isWrite(operation);
      const mayShare = writes ? writeOf(operation, input) !== undefined : isPlainRead(operation, input);
      const item = mayShare ? itemOf(input) : undefined;
      if (!writes && !item) return call.alone();
      const { promise, resolve } = Promise.withResolvers<EngineAnswer>();
      (writes ? write : read)({ ...call, item, settle: resolve });
      return promise;
    },
    close: () => client.close(),
  };
}

const runner = (together: Together) => async (group: readonly [Waiting, ...Waiting[]]) => {
  try {
    const answers = group.length > 1 ? await together(group) : undefined;
    for (const [index, answer] of (answers ?? []).entries()) group[index]?.settle(answer);
    if (answers) return;
  } catch (error) {
    // It may have been made.
    for (const { settle } of group) settle(Promise.reject(error));
    return;
  }
  for (const { alone, settle } of group) {
    const answer = alone();
    settle(answer);
    await answer.catch(() => undefined);
  }
};

const writeAll =
  (client: EngineClient): Together =>
  async (group) => {
    const replaced = group.filter(({ input }) => returnsOld(input));
    const old = await readItems(client, replaced);
    const parts = group.map(({ operation, input }) => writeOf(operation, input));
    if (!old || !(await accepted(client, 'TransactWriteItems', parts))) return undefined;
    return group.map(({ item, input }) =>
      jsonAnswer({ Attributes: returnsOld(input) ? found(old, item) : undefined }),
    );
  };

const readAll =
  (client: EngineClient): Together =>
  async (group) => {
    const items = await readItems(client, group);
    return items && group.map(({ item }) => jsonAnswer({ Item: found(items, item) }));
  };

/** By name; undefined for an item that doesn't exist. */
type Items = ReadonlyMap<string, object | undefined>;

const found = (items: Items, item: ItemAddress | undefined) => items.get(item?.name ?? '');

async function readItems(client: EngineClient, calls: readonly Waiting[]): Promise<Items | undefined> {
  const addresses = new Map(calls.flatMap(({ item }) => (item ? [[item.name, item.get] as const] : [])));
  if (addresses.size === 0) return new Map();
  const read = await accepted(client, 'TransactGetItems', [...addresses.values()]);
  return read && new Map([...addresses.keys()].map((name, index) => [name, read.Responses?.[index]?.Item]));
}

interface Transacted {
  readonly Responses?: readonly { readonly Item?: object }[];
}

/** Undefined if the engine refused it. Throws if the outcome is unknown. */
async function accepted(
  client: EngineClient,
  operation: 'TransactWriteItems' | 'TransactGetItems',
  TransactItems: readonly unknown[],
): Promise<Transacted | undefined> {
  try {
    return await client.call<Transacted>(operation, { TransactItems });
  } catch (error) {
    if (error instanceof EngineError && error.status < 500) return undefined;
    throw error;
  }
}
