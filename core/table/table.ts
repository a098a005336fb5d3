import type {
  DeleteCommandInput,
  PutCommandInput,
  QueryCommandInput,
  TransactWriteCommandInput,
  UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import type { Key } from './keys.ts';

export type Item = Record<string, unknown>;

type WithoutTable<Input> = Input extends unknown ? Omit<Input, 'TableName'> : never;
type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** One write of a transaction: exactly one of Put, Update, Delete and ConditionCheck. */
export type Part = { [Action in keyof TransactItem]?: WithoutTable<NonNullable<TransactItem[Action]>> };

/** A write, or a function that chooses the write anew for each attempt of its transaction. */
export type PartOrChoice = Part | (() => Part);

type IsOwn = (found: Item | undefined) => boolean;

/** A condition that the stored item didn't meet, with that item, or undefined if there was none. */
export class ConditionFailed extends Error {
  readonly item: Item | undefined;
  /** Position of the write in its transaction; 0 outside of transactions. */
  readonly part: number;
  /** Whether an earlier attempt got no response: the condition may have failed because that one succeeded. */
  readonly isRepeated: boolean;

  constructor(item: Item | undefined, { part = 0, isRepeated = false } = {}) {
    super('The condition of a write failed');
    this.item = item;
    this.part = part;
    this.isRepeated = isRepeated;
  }

  /** Whether it failed because an earlier attempt had succeeded. `isOwn` recognizes the item that the write left. */
  metItself(isOwn: IsOwn): boolean {
    return this.isRepeated && isOwn(this.item);
  }
}

/** The table as the stores see it. Every method throws AwsError when its call can't be carried out. */
export interface Table {
  get(key: Key): Promise<Item | undefined>;
  /**
   * The existing items of these keys, each once, in no order; whole, or only these attributes. An eventually consistent
   * read costs half, and may miss the last second's writes.
   */
  batchGet(
    keys: readonly Key[],
    attributes?: readonly string[],
    options?: { readonly consistent?: boolean },
  ): Promise<Item[]>;
  /** All pages of a query, or those with its first `Limit` items. */
  query(input: WithoutTable<QueryCommandInput>): Promise<Item[]>;
  /** Resolves to the returned attributes. Throws ConditionFailed. */
  update(input: WithoutTable<UpdateCommandInput>): Promise<Item>;
  /** Throws ConditionFailed. */
  put(input: WithoutTable<PutCommandInput>): Promise<void>;
  /** Throws ConditionFailed. */
  delete(input: WithoutTable<DeleteCommandInput>): Promise<void>;
  /** All parts or none. Throws ConditionFailed for the first part whose condition failed. */
  transact(parts: readonly PartOrChoice[]): Promise<void>;
}

/** The table without batches and transactions. */
export type Items = Omit<Table, 'batchGet' | 'transact'>;

export type ReadsAndUpdates = Pick<Table, 'get' | 'query' | 'update'>;

/** The table for stores that only update items. */
export type Updates = Pick<Table, 'update'>;

/** A conditional write's result. Throws `meaning()` if the condition failed. */
export const orThrow = async <Result>(write: Promise<Result>, meaning: () => Error): Promise<Result> => {
  try {
    return await write;
  } catch (error) {
    throw error instanceof ConditionFailed ? meaning() : error;
  }
};

/**
 * Whether a conditional write succeeded. If its response was lost, the retry's condition fails on its own item, which
 * `isOwn` recognizes.
 */
export const wrote = async (write: Promise<unknown>, isOwn: IsOwn): Promise<boolean> => {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionFailed) return error.metItself(isOwn);
    throw error;
  }
};

/** Whether a conditional write's condition was met. */
export const met = (write: Promise<unknown>): Promise<boolean> => wrote(write, () => false);

/** Stores an item if its key is free. False if another item has the key; a retried write succeeds once. */
export const putIfFree = (table: Pick<Table, 'put'>, item: Item): Promise<boolean> =>
  wrote(
    table.put({ Item: item, ConditionExpression: 'attribute_not_exists(PK)' }),
    (found) => found?.createdAt === item.createdAt,
  );

/** Deletes an item. False if it didn't exist; a retried write finds none because it succeeded before. */
export const removed = (table: Pick<Table, 'delete'>, Key: Key): Promise<boolean> =>
  wrote(table.delete({ Key, ConditionExpression: 'attribute_exists(PK)' }), () => true);
