import { hash } from 'node:crypto';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isRecord } from '../../base/json-values.ts';
import { Capacity, indexUnits, readUnits, writeUnits } from './capacity.ts';
import type { Commits } from './commits.ts';
import { type Expressions, expressionsOf } from './expressions/expressions.ts';
import { partsOf } from './expressions/projection.ts';
import { type Input, mustDiffer, object } from './reads.ts';
import { invalid, Rejected } from './rejected.ts';
import {
  type Column,
  givenKey,
  indexColumns,
  keyOf,
  type Row,
  rowKey,
  type Table,
  type Tables,
} from './tables.ts';
import { isSameItem, type Item, itemBytes, keptItem, mostItemBytes } from './values.ts';

type Kind = 'Put' | 'Update' | 'Delete' | 'ConditionCheck';

/** A write of which all is valid that can be said without its item. */
interface Write {
  readonly kind: Kind;
  readonly input: Input;
  readonly table: Table;
  /** What the item has for certain: all of it, or its key. */
  readonly given: Item;
  readonly key: readonly [Column, Column];
  readonly expressions: Expressions;
}

/** What becomes of an item. */
interface Outcome {
  readonly write: Write;
  /** JSON. */
  readonly before: string | undefined;
  readonly bytesBefore: number;
  readonly after: Item | undefined;
  readonly bytes: number;
}

interface Transaction {
  readonly content: string;
  readonly time: number;
}

/** DynamoDB forgets a token after ten minutes. */
const rememberedMs = 10 * 60 * 1000;
const mostTransactionBytes = 4 * 1024 * 1024;

/** Makes writes of items and their stream records. Answers are in JSON. */
export class Writes {
  readonly #tables: Tables;
  readonly #commits: Commits;
  readonly #record: StatementSync;
  readonly #transactions = new Map<unknown, Transaction>();

  constructor(tables: Tables, commits: Commits, database: DatabaseSync) {
    this.#tables = tables;
    this.#commits = commits;
    this.#record = database.prepare(
      `INSERT INTO changes (table_name, event, keys, new_image, old_image, second, identity)
       VALUES (?, ?, ?, ?, ?, ?, NULL)`,
    );
  }

  single(kind: Kind, input: Input): string {
    mustReturn(kind, input);
    const write = this.#read(kind, input);
    const outcome = outcomeOf(write);
    this.#make([outcome]);
    const capacity = new Capacity(input);
    addCapacity(capacity, outcome);
    return object(returned(outcome), capacity.text(false));
  }

  batch(input: Input): string {
    const requests = isRecord(input.RequestItems) ? Object.entries(input.RequestItems) : [];
    if (requests.length === 0)
      throw invalid('The batch write request list for a table cannot be null or empty');
    const writes = requests.flatMap(([TableName, list]) =>
      (Array.isArray(list) ? list : []).map((request) => this.#read(...ofBatch(TableName, request))),
    );
    mustDiffer(writes.map(nameOf), 'Provided list of item keys contains duplicates');
    const capacity = new Capacity(input);
    const outcomes = writes.map(outcomeOf);
    this.#make(outcomes);
    for (const outcome of outcomes) addCapacity(capacity, outcome);
    return object(',"UnprocessedItems":{}', capacity.text(true));
  }

  /** A token means that a transaction is made once. */
  transact(input: Input): string {
    const parts = Array.isArray(input.TransactItems) ? input.TransactItems : [];
    if (parts.length === 0)
      throw invalid(
        "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: Member must have length greater than or equal to 1",
      );
    const { ClientRequestToken: token } = input;
    if (token !== undefined && (typeof token !== 'string' || token === '' || token.length > 36))
      throw invalid('ClientRequestToken must have a length of 1 to 36');
    const writes = parts.map((part) => this.#read(...ofTransaction(part)));
    mustDiffer(writes.map(nameOf), 'Transaction request cannot include multiple operations on one item');
    const content = token === undefined ? '' : hash('sha256', JSON.stringify(input.TransactItems));
    const before = token === undefined ? undefined : this.#transactions.get(token);
    const isKnown = before !== undefined && before.time > Date.now() - rememberedMs;
    if (isKnown && before.content !== content)
      throw new Rejected(
        'IdempotentParameterMismatchException',
        'The request uses the same client token as a previous, but non-identical request. Do not reuse a client token with different requests, unless the requests are identical',
      );
    const outcomes = isKnown ? [] : all(writes);
    if (outcomes.reduce((sum, { bytes }) => sum + bytes, 0) > mostTransactionBytes)
      throw invalid('Collection of items in a transaction exceeds 4 MB');
    this.#make(outcomes);
    if (token !== undefined && !isKnown) this.#remember(token, content);
    const capacity = new Capacity(input);
    for (const outcome of outcomes) addCapacity(capacity, outcome, 2);
    // A repeated one is read again.
    if (isKnown)
      for (const { table, key } of writes) capacity.add(table, 2 * readUnits(bytesAt(table, key), true));
    return object(capacity.text(true));
  }

  #remember(token: string, content: string): void {
    const time = Date.now();
    for (const [old, made] of this.#transactions) {
      if (made.time > time - rememberedMs) break;
      this.#transactions.delete(old);
    }
    this.#transactions.delete(token);
    this.#transactions.set(token, { content, time });
  }

  #read(kind: Kind, input: Input): Write {
    const table = this.#tables.of(input.TableName);
    const given = keptItem(kind === 'Put' ? input.Item : input.Key);
    const expressions = expressionsOf(input);
    const key = kind === 'Put' ? rowKey(table, given) : givenKey(table, given);
    if (kind === 'Put') {
      if (itemBytes(given) > mostItemBytes) throw invalid('Item size has exceeded the maximum allowed size');
    }
    const targets = expressions.update?.targets(expressions.given) ?? [];
    const isKey = targets.find(([root]) => table.keys.some(({ name }) => name === root));
    if (isKey)
      throw invalid(
        `One or more parameter values were invalid: Cannot update attribute ${isKey[0]}. This attribute is part of the key`,
      );
    return { kind, input, table, given, key, expressions };
  }

  #make(outcomes: readonly Outcome[]): void {
    const changes = outcomes.filter(isChange);
    if (changes.length === 0) return;
    this.#commits.write((batch) => {
      for (const outcome of changes) {
        const record = this.#write(outcome);
        if (record !== undefined) batch.record ??= record;
        batch.items.add(nameOf(outcome.write));
      }
    });
  }

  /** Returns the number of its stream record. */
  #write({ write: { table, key }, before, after, bytes }: Outcome): bigint | undefined {
    const json = after === undefined ? null : JSON.stringify(after);
    if (after === undefined) table.remove.run(...key);
    else table.put.run(...key, json, bytes, ...indexColumns(table, after));
    if (!table.stream) return undefined;
    const { hasNew, hasOld } = table.stream;
    const event = before === undefined ? 'INSERT' : after === undefined ? 'REMOVE' : 'MODIFY';
    const keys = JSON.stringify(keyOf(table, after ?? JSON.parse(before as string)));
    const images = [hasNew ? json : null, hasOld ? (before ?? null) : null];
    const second = Math.floor(Date.now() / 1000);
    return BigInt(this.#record.run(table.name, event, keys, ...images, second).lastInsertRowid);
  }
}

/** Tells items apart. */
export const itemName = (table: Table, key: readonly Column[]): string =>
  [table.name, ...key.map((part) => (typeof part === 'string' ? part : part?.toString('base64')))].join('\n');

const bytesAt = (table: Table, key: Write['key']): number =>
  (table.find.get(...key) as unknown as Row | undefined)?.bytes ?? 0;

const nameOf = ({ table, key }: Write): string => itemName(table, key);

/** DynamoDB writes nothing, and no record, where nothing changes. */
function isChange({ write, before, after }: Outcome): boolean {
  if (write.kind === 'ConditionCheck' || (before === undefined && after === undefined)) return false;
  return before === undefined || after === undefined || !isSameItem(JSON.parse(before), after);
}

/** Throws if the condition isn't met, or the update doesn't fit the item. */
function outcomeOf(write: Write): Outcome {
  const { kind, input, table, given, key, expressions } = write;
  const row = table.find.get(...key) as unknown as Row | undefined;
  const item: Item | undefined = row && JSON.parse(row.item);
  const base = { write, before: row?.item, bytesBefore: row?.bytes ?? 0 };
  if (kind === 'Put') indexColumns(table, given);
  if (expressions.condition && !expressions.condition(item ?? {}, expressions.given))
    throw new Rejected(
      'ConditionalCheckFailedException',
      'The conditional request failed',
      row && input.ReturnValuesOnConditionCheckFailure === 'ALL_OLD' ? { Item: item } : {},
    );
  if (kind === 'Delete') return { ...base, after: undefined, bytes: 0 };
  if (kind === 'ConditionCheck') return { ...base, after: item, bytes: row?.bytes ?? 0 };
  if (kind === 'Put') return { ...base, after: given, bytes: itemBytes(given) };
  const after = expressions.update?.changed(item ?? given, expressions.given) ?? item ?? given;
  const bytes = itemBytes(after);
  if (bytes > mostItemBytes) throw invalid('Item size to update has exceeded the maximum allowed size');
  indexColumns(table, after);
  return { ...base, after, bytes };
}

/** Of all writes of a transaction, or none. */
function all(writes: readonly Write[]): Outcome[] {
  const reasons: object[] = [];
  const outcomes = writes.flatMap((write) => {
    try {
      const outcome = outcomeOf(write);
      reasons.push({ Code: 'None' });
      return outcome;
    } catch (error) {
      if (!(error instanceof Rejected)) throw error;
      const Code =
        error.type === 'ConditionalCheckFailedException' ? 'ConditionalCheckFailed' : 'ValidationError';
      reasons.push({ ...error.more, Code, Message: error.message });
      return [];
    }
  });
  if (outcomes.length === writes.length) return outcomes;
  const codes = reasons.map((reason) => (reason as { Code: string }).Code).join(', ');
  throw new Rejected(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  );
}

function addCapacity(
  capacity: Capacity,
  { write, before, bytesBefore, after, bytes }: Outcome,
  times = 1,
): void {
  if (!capacity.isAsked) return;
  const { table } = write;
  capacity.add(table, times * writeUnits(Math.max(bytesBefore, bytes)));
  const old = before === undefined ? undefined : JSON.parse(before);
  for (const index of table.indexes) {
    const units = indexUnits(index, old, after);
    if (units > 0) capacity.add(table, times * units, index);
  }
}

const allReturns = ['NONE', 'ALL_OLD', 'ALL_NEW', 'UPDATED_OLD', 'UPDATED_NEW'];

function mustReturn(kind: Kind, { ReturnValues = 'NONE', Expected, AttributeUpdates }: Input): void {
  if (Expected !== undefined || AttributeUpdates !== undefined)
    throw invalid(
      'The parameters of 2012, Expected and AttributeUpdates, are not known here: use expressions',
    );
  if (!allReturns.includes(String(ReturnValues)))
    throw invalid(
      `1 validation error detected: Value '${ReturnValues}' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]`,
    );
  if (kind !== 'Update' && !['NONE', 'ALL_OLD'].includes(String(ReturnValues)))
    throw invalid('ReturnValues can only be ALL_OLD or NONE');
}

function returned({ write, before, after }: Outcome): string {
  const { ReturnValues = 'NONE' } = write.input;
  const { update, given } = write.expressions;
  const member = (json: string | undefined) => (json === undefined ? '' : `,"Attributes":${json}`);
  if (ReturnValues === 'ALL_OLD') return member(before);
  if (ReturnValues === 'ALL_NEW') return member(JSON.stringify(after));
  if (ReturnValues === 'NONE') return '';
  const item = ReturnValues === 'UPDATED_OLD' ? before && JSON.parse(before) : after;
  const parts = item && update ? partsOf(item, update.targets(given)) : {};
  return Object.keys(parts).length > 0 ? member(JSON.stringify(parts)) : '';
}

function ofBatch(TableName: string, request: unknown): [Kind, Input] {
  const { PutRequest, DeleteRequest } = isRecord(request) ? request : {};
  if (isRecord(PutRequest)) return ['Put', { TableName, ...PutRequest }];
  if (isRecord(DeleteRequest)) return ['Delete', { TableName, ...DeleteRequest }];
  throw invalid('Supplied AttributeValue has no PutRequest or DeleteRequest');
}

function ofTransaction(part: unknown): [Kind, Input] {
  const [[kind, input] = ['', {}], second] = isRecord(part) ? Object.entries(part) : [];
  if (second || !/^(?:Put|Update|Delete|ConditionCheck)$/.test(kind) || !isRecord(input))
    throw invalid('TransactItems can only contain one of Check, Put, Update or Delete');
  return [kind as Kind, input];
}
