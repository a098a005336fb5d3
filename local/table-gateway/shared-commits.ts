import type { TableResource } from '../assembly/assembly.ts';
import type { ServiceAnswer } from '../base/json-service.ts';
import type { EngineClient } from '../engine/engine-client.ts';
import type { EngineFile } from '../engine/engine-file.ts';
import type { EngineWrites } from '../engine/writes/engine-writes.ts';
import type { ItemWrite } from '../engine/writes/item-write.ts';
import { directly } from './direct-writes.ts';
import { groupCalls } from './grouped-calls.ts';
import { accepted, type Items, itemReads, type ReadItems } from './item-reads.ts';
import {
  type Input,
  type ItemAddress,
  isPlainRead,
  isWrite,
  itemAddresses,
  returnsOld,
  writesOf,
  writesOfTransaction,
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
  readonly writes: readonly ItemWrite[];
  readonly settle: (answer: ServiceAnswer | Promise<ServiceAnswer>) => void;
}

interface SharedCommits {
  readonly client: EngineClient;
  /** The engine's, if it can be read beside it. */
  readonly file: EngineFile | undefined;
  /** Makes writes beside the engine. */
  readonly beside: EngineWrites | undefined;
  readonly tables: readonly TableResource[];
}

/** Resolves to the responses in the order of the calls; undefined if each goes on alone. */
type Together = (group: readonly Waiting[]) => Promise<ServiceAnswer[] | undefined>;

/**
 * Batches calls for an engine that syncs the disk for every write and takes one at a time. Writes that arrive
 * meanwhile continue together as one transaction, and so do reads, and the writes of a batch. Each call gets the
 * response that it would have got alone, and then its write is on disk. A transaction that the engine refuses
 * changed nothing: its calls continue one by one. All writes of the table must come this way, because old images
 * are read before the transaction that replaces them.
 */
export function shareCommits({
  client,
  file,
  beside,
  tables,
}: SharedCommits): (call: TableCall) => Promise<ServiceAnswer> {
  const readItems = itemReads(client, file);
  const itemOf = itemAddresses(tables);
  const subjectsOf = ({ items }: Waiting) => items.map(({ name }) => name);
  const writeByEngine = runner(writeAll(client, readItems));
  const write = groupCalls<Waiting>({
    subjectsOf,
    mayRepeat: beside !== undefined,
    takesTurns: beside !== undefined,
    run: beside ? directly(beside, writeByEngine) : writeByEngine,
  });
  const read = groupCalls<Waiting>({
    subjectsOf,
    mayRepeat: true,
    takesTurns: false,
    run: runner(readAll(readItems)),
  });
  /** All different and all known, or none. */
  const itemsOf = (inputs: readonly Input[]): readonly ItemAddress[] => {
    const items = inputs.map(itemOf);
    const known = items.filter((item) => item !== undefined);
    return new Set(known.map(({ name }) => name)).size === items.length ? known : [];
  };
  const send = (group: (call: Waiting) => void, call: Omit<Waiting, 'settle'>) => {
    const { promise, resolve } = Promise.withResolvers<ServiceAnswer>();
    group({ ...call, settle: resolve });
    return promise;
  };
  return (call) => {
    const { operation, input } = call;
    if (isWrite(operation)) {
      const isTransaction = operation === 'TransactWriteItems';
      const writes =
        (isTransaction ? beside && writesOfTransaction(input) : writesOf(operation, input)) ?? [];
      const items = itemsOf(writes.map((one) => one.input));
      // The engine refuses a transaction that writes an item twice.
      return send(write, { ...call, items, writes: isTransaction && items.length === 0 ? [] : writes });
    }
    const items = isPlainRead(operation, input) ? itemsOf([input]) : [];
    const [item] = items;
    const text = item && file?.itemOf(item.tableName, item.key);
    if (text !== undefined) return onDisk(answerWith('Item', text), beside, item);
    return onDisk(item ? send(read, { ...call, writes: [], items }) : call.alone(), beside);
  };
}

/** Resolves to an answer once what it tells is on disk. */
async function onDisk(
  answer: ServiceAnswer | Promise<ServiceAnswer>,
  beside: EngineWrites | undefined,
  item?: ItemAddress,
): Promise<ServiceAnswer> {
  const given = await answer;
  const isSynced = item && beside?.isOnDisk(item.tableName, item.key);
  if (!isSynced) await beside?.synced();
  return given;
}

const runner = (together: Together) => async (group: readonly [Waiting, ...Waiting[]]) => {
  try {
    const answers = await together(group);
    for (const [index, answer] of (answers ?? []).entries()) group[index]?.settle(answer);
    if (answers) return;
  } catch (error) {
    // The transaction may have been made.
    for (const { settle } of group) settle(Promise.reject(error));
    return;
  }
  for (const { alone, settle } of group) {
    const answer = alone();
    settle(answer);
    await answer.catch(() => undefined);
  }
};

/** A transaction goes on with its token. */
const isOne = ([first, second]: readonly Waiting[]) =>
  !second && ((first?.items.length ?? 0) <= 1 || first?.operation === 'TransactWriteItems');

const writeAll =
  (client: EngineClient, readItems: ReadItems): Together =>
  async (group) => {
    if (isOne(group)) return undefined;
    const replaced = group.filter(({ input }) => returnsOld(input)).flatMap(({ items }) => items);
    const old = replaced.length > 0 ? await readItems(replaced) : new Map();
    const parts = group.flatMap(({ writes }) => writes.map(({ kind, input }) => ({ [kind]: input })));
    if (!old || !(await accepted(client, 'TransactWriteItems', parts))) return undefined;
    return group.map((call) => written(call, old));
  };

function written(call: Waiting, old: Items): ServiceAnswer {
  if (call.operation === 'BatchWriteItem') return answerWith('UnprocessedItems', '{}');
  return answerWith('Attributes', returnsOld(call.input) ? found(old, call) : null);
}

const readAll =
  (readItems: ReadItems): Together =>
  async (group) => {
    // One read by itself gains nothing from a transaction.
    if (isOne(group)) return undefined;
    const items = await readItems(group.flatMap((call) => call.items));
    return items && group.map((call) => answerWith('Item', found(items, call)));
  };

const found = (items: Items, call: Waiting) => items.get(call.items[0]?.name ?? '') ?? null;

const answerWith = (name: string, text: string | null): ServiceAnswer => ({
  status: 200,
  text: text === null ? '{}' : `{"${name}":${text}}`,
});
