import { randomUUID } from 'node:crypto';
import { epochSeconds } from '../base/durations.ts';
import { limits } from '../base/limits.ts';
import { failure } from '../base/messages.ts';
import { callItemKey, callRecordKey, tableSchema } from '../table/keys.ts';
import { itemsFrom } from '../table/ranges.ts';
import { type Item, type Part, type Table, wrote } from '../table/table.ts';
import { conditionOf, putNew } from '../table/update.ts';
import { type IdempotentCall, idempotentCallId } from './idempotent-call.ts';

/** Values of a created thing that its request lacks: enough to rebuild the response. */
export type Made = Readonly<Record<string, string>>;

/** The record of a call. */
export interface CallRecord {
  /** The call's result; empty for a bulk call. */
  readonly made: Made;
  /** Separates a bulk call from later ones with the same key, after this record has expired. */
  readonly run: string;
  /** Expiry in epoch seconds. */
  readonly until: number;
}

const keyOf = (call: IdempotentCall) => callRecordKey(call.project, idempotentCallId(call));

/**
 * The write of a call's record, if there is none or it has expired. TTL may delete items days late, so reads and
 * conditions check the expiry as well.
 */
const recordOf = (call: IdempotentCall, now: Date, fields: Partial<Pick<CallRecord, 'made' | 'run'>>) => ({
  Item: {
    ...keyOf(call),
    ...fields,
    bodyHash: call.bodyHash,
    [tableSchema.ttl]: Math.ceil(now.getTime() / 1000) + limits.rememberedSeconds,
  } as Item,
  ...conditionOf('attribute_not_exists(PK) OR #ttl <= :now', { now: epochSeconds(now.getTime()) }),
});

/** The place where a creation's result is recorded, so that a repeated call returns it; bulk calls have one for each position. */
export type ResultRecord =
  | { readonly call: IdempotentCall; readonly now: Date }
  | { readonly call: IdempotentCall; readonly callRecord: CallRecord; readonly position: number };

/**
 * The write that records a result, as part of the transaction that creates it; none without an Idempotency-Key. Its
 * condition fails if another call has recorded a result.
 */
export const recordedParts = (record: ResultRecord | undefined, made: Made): Part[] => {
  if (!record) return [];
  if ('now' in record) return [{ Put: recordOf(record.call, record.now, { made }) }];
  const { call, position } = record;
  const { run, until } = record.callRecord;
  const key = callItemKey(call.project, idempotentCallId(call), { run, position });
  return [putNew(key, { position, made, [tableSchema.ttl]: until })];
};

const memoryOf = ({ made, run, [tableSchema.ttl]: until }: Item): CallRecord => ({
  made: (made ?? {}) as Made,
  run: String(run ?? ''),
  until: Number(until),
});

export const idempotencyStore = (table: Table) => ({
  /** The record of a call of the last day, if there is one. Throws IDEMPOTENCY_KEY_REUSED if its body was different. */
  async find(call: IdempotentCall, now: Date): Promise<CallRecord | undefined> {
    const item = await table.get(keyOf(call));
    if (!item || Number(item[tableSchema.ttl]) <= now.getTime() / 1000) return undefined;
    if (item.bodyHash !== call.bodyHash) throw failure('keyReused');
    return memoryOf(item);
  },

  /** Records a bulk call. Undefined if another call with this key was first. */
  async begin(call: IdempotentCall, now: Date): Promise<CallRecord | undefined> {
    const record = recordOf(call, now, { run: randomUUID() });
    const isFirst = await wrote(table.put(record), (found) => found?.run === record.Item.run);
    return isFirst ? memoryOf(record.Item) : undefined;
  },

  /** A bulk call's results so far, by position. */
  async items(call: IdempotentCall, { run }: CallRecord): Promise<Map<number, Made>> {
    const items = await table.query(itemsFrom(callItemKey(call.project, idempotentCallId(call), { run })));
    return new Map(items.map(({ position, made }) => [Number(position), made as Made]));
  },
});
