import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isRecord } from '../../base/json-values.ts';
import { Capacity } from './capacity.ts';
import type { Commits } from './commits.ts';
import type { Input } from './input.ts';
import { type Column, keyOf } from './keys.ts';
import {
  addCapacity,
  type Kind,
  mustReturn,
  nameOf,
  type Outcome,
  ofBatch,
  outcomeOf,
  readWrite,
  returned,
} from './outcomes.ts';
import { mustDiffer, object, tooMany } from './reads.ts';
import { invalid } from './rejected.ts';
import type { ExpiredRow, RowKey, Table, Tables } from './tables.ts';
import { type Item, itemBytes } from './values.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchWriteItem.html */
const mostBatchItems = 25;

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/time-to-live-ttl-streams.html */
const service = JSON.stringify({ type: 'Service', principalId: 'dynamodb.amazonaws.com' });

/** Makes writes of items and their stream records. Responses are JSON. */
export class Writes {
  readonly #tables: Tables;
  readonly #commits: Commits;
  readonly #record: StatementSync;

  constructor(tables: Tables, commits: Commits, database: DatabaseSync) {
    this.#tables = tables;
    this.#commits = commits;
    this.#record = database.prepare(
      `INSERT INTO changes (table_name, event, keys, new_image, old_image, second, identity, bytes)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    );
  }

  single(kind: Kind, input: Input): string {
    mustReturn(kind, input);
    const write = readWrite(this.#tables, kind, input);
    const outcome = outcomeOf(write);
    this.make([outcome]);
    const capacity = new Capacity(input);
    addCapacity(capacity, outcome);
    return object(returned(write, outcome), capacity.text(false));
  }

  batch(input: Input): string {
    const requests = isRecord(input.RequestItems) ? Object.entries(input.RequestItems) : [];
    const lists = requests.map(([TableName, list]) =>
      (Array.isArray(list) ? list : []).map((request) => ofBatch(TableName, request)),
    );
    if (lists.length === 0 || lists.some(({ length }) => length === 0))
      throw invalid('The batch write request list for a table cannot be null or empty');
    const parts = lists.flat();
    if (parts.length > mostBatchItems) throw tooMany('BatchWriteItem');
    const writes = parts.map(([kind, part]) => readWrite(this.#tables, kind, part));
    mustDiffer(writes.map(nameOf), 'Provided list of item keys contains duplicates');
    const outcomes = writes.map(outcomeOf);
    this.make(outcomes);
    const capacity = new Capacity(input);
    for (const outcome of outcomes) addCapacity(capacity, outcome);
    return object(',"UnprocessedItems":{}', capacity.text(true));
  }

  /** Removes items as the service. */
  expire(table: Table, rows: readonly ExpiredRow[]): void {
    const outcomes = rows.map(({ pk, sk }): Outcome => {
      const key: RowKey = [columnIn(pk), columnIn(sk)];
      const { item: before, bytes: bytesBefore } = table.find(key) ?? { item: '{}', bytes: 0 };
      const itemBefore: Item = JSON.parse(before);
      return { table, key, before, itemBefore, bytesBefore, after: undefined, bytes: 0, isChange: true };
    });
    this.make(outcomes, service);
  }

  /** Makes the writes. `identity` is the service that makes them, if no caller does. */
  make(outcomes: readonly Outcome[], identity: string | null = null): void {
    if (!outcomes.some(({ isChange }) => isChange)) return;
    this.#commits.write((batch) => {
      for (const outcome of outcomes) {
        if (!outcome.isChange) continue;
        const record = this.#write(outcome, identity);
        if (record !== undefined) batch.record ??= record;
        batch.items.add(nameOf(outcome));
      }
    });
  }

  /** Makes a write and returns the number of its stream record. */
  #write(outcome: Outcome, identity: string | null): bigint | undefined {
    const { table, key, before, itemBefore, bytesBefore, after, bytes } = outcome;
    const json = after === undefined ? null : JSON.stringify(after);
    if (after === undefined || json === null) table.remove(key);
    else table.put(key, { item: after, json, bytes }, itemBefore);
    if (!table.stream) return undefined;
    const { hasNew, hasOld } = table.stream;
    const event = before === undefined ? 'INSERT' : after === undefined ? 'REMOVE' : 'MODIFY';
    // A change has an item before or after it.
    const keys = keyOf(table, (after ?? itemBefore) as Item);
    const images = [hasNew ? json : null, hasOld ? (before ?? null) : null];
    const second = Math.floor(Date.now() / 1000);
    const size = itemBytes(keys) + (hasNew ? bytes : 0) + (hasOld ? bytesBefore : 0);
    const written = [table.name, event, JSON.stringify(keys), ...images, second, identity, size];
    return BigInt(this.#record.run(...written).lastInsertRowid);
  }
}

const columnIn = (value: string | Uint8Array): Column =>
  typeof value === 'string' ? value : Buffer.from(value);
