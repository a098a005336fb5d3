import { AwsError } from '../../core/table/errors.ts';
import type { TableAction, Transport } from '../../core/table/port.ts';
import type { WireItem } from '../../core/table/wire-values.ts';
import { expressionsOf } from '../../local/testing.ts';
import { keyHash, Partitions, type PartitionsProps, type TablePartition } from './partitions.ts';
import type { VirtualClock } from './virtual-clock.ts';

/*
 * The model supports only calls that the service makes; test/bench/table-model.engine.test.ts compares it with the
 * engine. Tests of the service use the engine. docs/famous-links.md states the model's assumptions about AWS.
 */

export interface ItemChange {
  readonly shard: string;
  readonly keys: WireItem;
  readonly before: WireItem | undefined;
  readonly after: WireItem;
}

/** How the table fails: each call returns a service error at once, or never returns. */
export type TableFault = 'errors' | 'silent';

interface Input {
  readonly Key?: WireItem;
  readonly Item?: WireItem;
  readonly ConsistentRead?: boolean;
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly KeyConditionExpression?: string;
  readonly ReturnValues?: string;
}

interface Client {
  /** Multiplies a call's capacity units; below 1 for calls that aren't scaled down. */
  readonly weight: number;
}

/** Minimum and mean in milliseconds. */
const latencies = { read: [2, 4], write: [4, 7], refusal: [2, 3], fault: [5, 15] } as const;

/** A table with throughput per partition, on a virtual clock, for the redirect, the consumer and the aggregator. */
export class TableModel {
  readonly partitions: Partitions;
  readonly units = { reads: 0, writes: 0 };
  fault: TableFault | undefined;
  onChange: (change: ItemChange) => void = () => undefined;
  readonly #clock: VirtualClock;
  /** By partition key, then by sort key. */
  readonly #items = new Map<string, Map<string, WireItem>>();

  constructor(props: PartitionsProps) {
    this.#clock = props.clock;
    this.partitions = new Partitions(props);
  }

  put(item: WireItem): void {
    this.#partitionOf(item).set(String(item.SK?.S), item);
  }

  get(PK: string, SK: string): WireItem | undefined {
    return this.#items.get(PK)?.get(SK);
  }

  /** All items whose partition keys have this prefix. */
  *all(start: string): Generator<WireItem> {
    for (const [PK, items] of this.#items) if (PK.startsWith(start)) yield* items.values();
  }

  transport({ weight }: Client): Transport {
    return async ({ action, input, until, isFresh }) => {
      const clock = this.#clock;
      // A pooled connection gets half of the time.
      const silence = () => clock.after(isFresh ? until - clock.now : (until - clock.now) / 2);
      if (this.fault === undefined) {
        const { refused, answer } = this.#make(action, input as Input, weight);
        const [least, mean] = refused ? latencies.refusal : answer.isWrite ? latencies.write : latencies.read;
        await clock.after(clock.around(least, mean));
        // The write succeeds, but its response never arrives.
        if (this.fault === undefined) {
          if (refused) throw refused;
          return answer.body;
        }
      }
      if (this.fault === 'errors') {
        await clock.after(clock.around(...latencies.fault));
        throw new AwsError({ name: 'InternalServerError', status: 500 });
      }
      await silence();
      throw new AwsError({ name: 'TimeoutError' });
    };
  }

  #make(action: TableAction, input: Input, weight: number): Made {
    switch (action) {
      case 'GetItem':
        return this.#read(input, weight);
      case 'Query':
        return this.#query(input, weight);
      case 'PutItem':
        return this.#write({ ...input, Key: input.Item ?? {} }, input.Item ?? {}, weight);
      case 'UpdateItem':
        return this.#write(input, undefined, weight);
      default:
        throw new Error(`The model of the table knows no ${action}`);
    }
  }

  #read({ Key = {}, ConsistentRead = false }: Input, weight: number): Made {
    const item = this.get(String(Key.PK?.S), String(Key.SK?.S));
    const units = readUnits(item ? sizeOf(item) : 0, ConsistentRead);
    if (!this.#place(Key).reads.take(units * weight)) return refusal();
    this.units.reads += units * weight;
    return { answer: { body: item ? { Item: item } : {}, isWrite: false } };
  }

  #query(input: Input, weight: number): Made {
    const { KeyConditionExpression: ConditionExpression, ConsistentRead = false, ...given } = input;
    // A key condition can be evaluated on any item's attributes.
    const { condition, given: named } = expressionsOf({ ...given, ConditionExpression });
    const variable = /PK = (:\w+)/.exec(ConditionExpression ?? '')?.[1] ?? '';
    const PK = String(named.values[variable]?.S);
    const found = [...(this.#items.get(PK)?.values() ?? [])]
      .filter((item) => condition?.(item, named) ?? true)
      .sort((one, other) => (String(one.SK?.S) < String(other.SK?.S) ? -1 : 1));
    const units = readUnits(
      found.reduce((sum, item) => sum + sizeOf(item), 0),
      ConsistentRead,
    );
    if (!this.#place({ PK: { S: PK }, SK: { S: '' } }).reads.take(units * weight)) return refusal();
    this.units.reads += units * weight;
    return { answer: { body: { Items: found }, isWrite: false } };
  }

  #write(input: Input, whole: WireItem | undefined, weight: number): Made {
    const { Key = {} } = input;
    const keys = { PK: Key.PK ?? {}, SK: Key.SK ?? {} };
    const before = this.get(String(keys.PK.S), String(keys.SK.S));
    const { condition, update, given } = expressionsOf({ ...input });
    const isMet = condition?.(before ?? {}, given) ?? true;
    const after = isMet ? (whole ?? update?.changed(before ?? keys, given) ?? keys) : before;
    const units = Math.max(1, Math.ceil(Math.max(sizeOf(before ?? {}), sizeOf(after ?? {})) / 1024));
    const hash = keyHash(String(keys.PK.S), String(keys.SK.S));
    const partition = this.partitions.of(hash);
    const hasRoom = partition.writes.take(units * weight);
    this.partitions.note(partition, hash, !hasRoom);
    if (!hasRoom) return refusal();
    this.units.writes += units * weight;
    if (!isMet || !after) {
      const refused = new AwsError({ name: 'ConditionalCheckFailedException', item: before });
      return { refused, answer: { body: {}, isWrite: true } };
    }
    this.put(after);
    this.onChange({ shard: partition.shard, keys, before, after });
    const body = input.ReturnValues === 'ALL_OLD' && before ? { Attributes: before } : {};
    return { answer: { body, isWrite: true } };
  }

  #partitionOf(item: WireItem): Map<string, WireItem> {
    const PK = String(item.PK?.S);
    const known = this.#items.get(PK) ?? new Map<string, WireItem>();
    this.#items.set(PK, known);
    return known;
  }

  #place({ PK, SK }: WireItem): TablePartition {
    return this.partitions.of(keyHash(String(PK?.S), String(SK?.S)));
  }
}

interface Made {
  readonly refused?: AwsError;
  readonly answer: { readonly body: Record<string, unknown>; readonly isWrite: boolean };
}

const refusal = (): Made => ({
  refused: new AwsError({ name: 'ThrottlingException' }),
  answer: { body: {}, isWrite: false },
});

const readUnits = (bytes: number, isConsistent: boolean): number =>
  Math.max(1, Math.ceil(bytes / 4096)) * (isConsistent ? 1 : 0.5);

/** Approximate size in bytes, as DynamoDB counts it. */
const sizeOf = (item: WireItem): number => {
  let bytes = 0;
  for (const name in item) {
    const { S, N, M } = item[name] ?? {};
    const size = typeof S === 'string' ? S.length : N !== undefined ? 1 + String(N).length / 2 : 1;
    bytes += name.length + (M ? 3 + sizeOf(M as WireItem) : size);
  }
  return bytes;
};
