import { isRecord } from '../../base/json-values.ts';
import { Capacity, readUnits } from './capacity.ts';
import { type Expressions, projectionOf } from './expressions/expressions.ts';
import type { Input } from './input.ts';
import { givenKey } from './keys.ts';
import { invalid } from './rejected.ts';
import { itemName, type Row, type RowKey, type Table, type Tables } from './tables.ts';
import { type Item, keptItem } from './values.ts';

/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_BatchGetItem.html */
const batchBytes = 16 * 1024 * 1024;
const mostBatchKeys = 100;
/** https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactGetItems.html */
const mostTransactionItems = 100;

interface Found {
  readonly table: Table;
  readonly key: RowKey;
  readonly text: string;
}

/** Makes the JSON responses of calls that read items by their keys. */
export class Reads {
  readonly #tables: Tables;

  constructor(tables: Tables) {
    this.#tables = tables;
  }

  get(input: Input): Found {
    const table = this.#tables.of(input.TableName);
    const key = givenKey(table, keptItem(input.Key));
    const expressions = projectionOf(input);
    const row = table.find(key);
    const item = row && shown(row, expressions);
    const capacity = new Capacity(input);
    capacity.add(table, readUnits(row?.bytes ?? 0, input.ConsistentRead === true));
    return { table, key, text: object(item === undefined ? '' : `,"Item":${item}`, capacity.text(false)) };
  }

  batch(input: Input): string {
    const capacity = new Capacity(input);
    const requests = this.#batchOf(input);
    let bytes = 0;
    const unprocessed: Record<string, object> = {};
    const responses = requests.map(({ name, request, table, keys }) => {
      const expressions = projectionOf(request);
      const left: Item[] = [];
      const items = keys.flatMap((key) => {
        const row = table.find(givenKey(table, key));
        if (row && bytes + row.bytes > batchBytes) {
          left.push(key);
          return [];
        }
        bytes += row?.bytes ?? 0;
        capacity.add(table, readUnits(row?.bytes ?? 0, request.ConsistentRead === true));
        return row ? shown(row, expressions) : [];
      });
      if (left.length > 0) unprocessed[name] = { ...request, Keys: left };
      return `${JSON.stringify(name)}:[${items.join()}]`;
    });
    return object(
      `,"Responses":{${responses.join()}},"UnprocessedKeys":${JSON.stringify(unprocessed)}`,
      capacity.text(true),
    );
  }

  #batchOf({ RequestItems }: Input) {
    const requests = isRecord(RequestItems) ? Object.entries(RequestItems) : [];
    if (requests.length === 0) throw invalid('The requestItems parameter is required');
    const all = requests.map(([name, request]) => {
      if (!isRecord(request) || !Array.isArray(request.Keys) || request.Keys.length === 0)
        throw invalid('The list of keys in RequestItems for BatchGetItem is required');
      return { name, request, table: this.#tables.of(name), keys: request.Keys.map((key) => keptItem(key)) };
    });
    if (all.reduce((sum, { keys }) => sum + keys.length, 0) > mostBatchKeys) throw tooMany('BatchGetItem');
    for (const { table, keys } of all)
      mustDiffer(
        keys.map((key) => itemName(table, givenKey(table, key))),
        'Provided list of item keys contains duplicates',
      );
    return all;
  }

  transact(input: Input): string {
    const capacity = new Capacity(input);
    const parts = transactionParts(input, mostTransactionItems);
    const gets = parts.map((part) => {
      const get = isRecord(part) && isRecord(part.Get) ? part.Get : undefined;
      if (!get) throw invalid('TransactItems can only contain Get');
      const table = this.#tables.of(get.TableName);
      return { table, key: givenKey(table, keptItem(get.Key)), expressions: projectionOf(get) };
    });
    mustDiffer(
      gets.map(({ table, key }) => itemName(table, key)),
      'Transaction request cannot include multiple operations on one item',
    );
    const items = gets.map(({ table, key, expressions }) => {
      const row = table.find(key);
      // https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-capacity-handling
      capacity.add(table, 2 * readUnits(row?.bytes ?? 0, true));
      return row ? `{"Item":${shown(row, expressions)}}` : '{}';
    });
    return object(`,"Responses":[${items.join()}]`, capacity.text(true));
  }
}

const shown = ({ item }: Row, { projection, given }: Expressions): string =>
  projection ? JSON.stringify(projection(JSON.parse(item), given)) : item;

/** An object of members that each begin with a comma. */
export const object = (...members: string[]): string => `{${members.join('').slice(1)}}`;

export function mustDiffer(all: readonly string[], message: string): void {
  if (all.length > 1 && new Set(all).size < all.length) throw invalid(message);
}

export const tooMany = (operation: string) => invalid(`Too many items requested for the ${operation} call`);

export function transactionParts({ TransactItems }: Input, most: number): readonly unknown[] {
  const parts = Array.isArray(TransactItems) ? TransactItems : [];
  if (parts.length > 0 && parts.length <= most) return parts;
  const bound = parts.length === 0 ? 'greater than or equal to 1' : `less than or equal to ${most}`;
  throw invalid(
    `1 validation error detected: Value '[${parts.length === 0 ? '' : '…'}]' at 'transactItems' failed to satisfy constraint: Member must have length ${bound}`,
  );
}
