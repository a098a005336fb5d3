import type { TableResource } from '../assembly.ts';
import { type EngineClient, EngineError } from '../engine/engine-client.ts';
import { jsonAnswer, type ServiceAnswer } from '../json-service.ts';
import { groupCalls } from './grouped-calls.ts';
import {
  type Input,
  type ItemAddress,
  isPlainRead,
  isWrite,
  itemAddresses,
  returnsOld,
  type Write,
  writesOf,
} from './transaction-parts.ts';

/** A call of the DynamoDB API on its way to the engine. */
interface TableCall {
  readonly operation: string;
  readonly input: Input;
  /** Sends it as it came. */
  readonly alone: () => Promise<ServiceAnswer>;
}

interface Waiting extends TableCall {
  /** Of a call that may share a group. */
  readonly items: readonly ItemAddress[];
  readonly writes: readonly Write[];
  readonly settle: (answer: ServiceAnswer | Promise<ServiceAnswer>) => void;
}

/** Resolves to the answers in the order of the calls; undefined if the engine refused them together. */
type Together = (group: readonly Waiting[]) => Promise<ServiceAnswer[] | undefined>;

/**
 * Batches calls for an engine that syncs the disk for every write and takes one at a time. Writes that arrive
 * meanwhile continue together as one transaction, and so do reads, and the writes of a batch. Each call gets the
 * answer that it would have got alone, and an answered write is on disk. A transaction that the engine refuses
 * changed nothing: its calls continue one by one. All writes of the table must come this way, because old images
 * are read before the transaction that replaces them.
 */
export function shareCommits(
  client: EngineClient,
  tables: readonly TableResource[],
): (call: TableCall) => Promise<ServiceAnswer> {
  const itemOf = itemAddresses(tables);
  const subjectsOf = ({ items }: Waiting) => items.map(({ name }) => name);
  const write = groupCalls<Waiting>({ subjectsOf, mayRepeat: false, run: runner(writeAll(client)) });
  const read = groupCalls<Waiting>({ subjectsOf, mayRepeat: true, run: runner(readAll(client)) });
  /** All different and all known, or none. */
  const itemsOf = (inputs: readonly Input[]): readonly ItemAddress[] => {
    const items = inputs.map(itemOf);
    const known = items.filter((item) => item !== undefined);
    return new Set(known.map(({ name }) => name)).size === items.length ? known : [];
  };
  return (call) => {
    const { operation, input } = call;
    const isWriting = isWrite(operation);
    const writes = isWriting ? (writesOf(operation, input) ?? []) : [];
    const inputs = isPlainRead(operation, input) ? [input] : writes.map((one) => one.input);
    const items = itemsOf(inputs);
    if (!isWriting && items.length === 0) return call.alone();
    const { promise, resolve } = Promise.withResolvers<ServiceAnswer>();
    (isWriting ? write : read)({ ...call, items, writes, settle: resolve });
    return promise;
  };
}

const runner = (together: Together) => async (group: readonly [Waiting, ...Waiting[]]) => {
  try {
    const isOne = group.length === 1 && group[0].items.length <= 1;
    const answers = isOne ? undefined : await together(group);
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
    const parts = group.flatMap(({ writes }) => writes.map(({ kind, input }) => ({ [kind]: input })));
    if (!old || !(await accepted(client, 'TransactWriteItems', parts))) return undefined;
    return group.map((call) => jsonAnswer(written(call, old)));
  };

function written(call: Waiting, old: Items): object {
  if (call.operation === 'BatchWriteItem') return { UnprocessedItems: {} };
  return { Attributes: returnsOld(call.input) ? found(old, call) : undefined };
}

const readAll =
  (client: EngineClient): Together =>
  async (group) => {
    const items = await readItems(client, group);
    return items && group.map((call) => jsonAnswer({ Item: found(items, call) }));
  };

/** By name; undefined for an item that doesn't exist. */
type Items = ReadonlyMap<string, object | undefined>;

const found = (items: Items, call: Waiting) => items.get(call.items[0]?.name ?? '');

async function readItems(client: EngineClient, calls: readonly Waiting[]): Promise<Items | undefined> {
  const addresses = new Map(calls.flatMap(({ items }) => items.map(({ name, get }) => [name, get] as const)));
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
