import { AwsError } from './errors.ts';
import { type JsonFields, onFailure, openItems, type Transport, wired } from './items.ts';
import { type AttemptOptions, retrier, type TableProps } from './retry-policy.ts';
import type { Item, PartOrChoice, Table } from './table.ts';
import { itemOfWire, type WireItem, wireItem } from './wire-values.ts';

/** The whole table, with batches and transactions, for functions that no visitor waits for. */
export const openTable = (send: Transport, props: TableProps): Table => {
  const repeat = retrier(props);
  const { name } = props;

  /** Reads a batch. DynamoDB returns keys unprocessed if it is busy or the response would be too large. */
  const batchOf = async (request: BatchRequest): Promise<Item[]> => {
    const items: Item[] = [];
    const readSome = async (
      asked: BatchRequest,
      attempt: AttemptOptions,
    ): Promise<BatchRequest | undefined> => {
      const input = { RequestItems: { [name]: asked } };
      const page = (await send({ action: 'BatchGetItem', input, ...attempt })) as BatchPage;
      items.push(...(page.Responses?.[name] ?? []).map(itemOfWire));
      const left = page.UnprocessedKeys?.[name];
      if (left && left.Keys.length >= asked.Keys.length) throw new AwsError({ name: 'UnprocessedKeys' });
      return left;
    };
    for (let open: BatchRequest | undefined = request; open; ) {
      const asked: BatchRequest = open;
      open = await repeat((attempt) => readSome(asked, attempt));
    }
    return items;
  };

  return {
    ...openItems(send, props),

    async batchGet(keys, attributes, { consistent = true } = {}) {
      const request = { ...project(attributes), ConsistentRead: consistent };
      // DynamoDB rejects duplicate keys in a batch.
      const different = new Map(keys.map((key) => [JSON.stringify([key.PK, key.SK]), wireItem(key)]));
      const parts = chunks([...different.values()], batchSize).map((Keys) => batchOf({ ...request, Keys }));
      return (await Promise.all(parts)).flat();
    },

    async transact(parts) {
      const itemOf = (part: PartOrChoice) => {
        const [[action, input] = []] = Object.entries(typeof part === 'function' ? part() : part);
        return { [action ?? '']: { TableName: name, ...onFailure, ...wired(input ?? {}) } };
      };
      // The token makes a retry safe after a lost response.
      const draw = () => ({ TransactItems: parts.map(itemOf), ClientRequestToken: crypto.randomUUID() });
      let input = draw();
      await repeat(async (attempt) => {
        try {
          return await send({ action: 'TransactWriteItems', input, ...attempt });
        } catch (error) {
          if (error instanceof AwsError && error.name === cancelled) input = draw();
          throw error;
        }
      });
    },
  };
};

const cancelled = 'TransactionCanceledException';

interface BatchPage {
  readonly Responses?: Readonly<Record<string, WireItem[]>>;
  readonly UnprocessedKeys?: Readonly<Record<string, BatchRequest>>;
}

interface BatchRequest extends JsonFields {
  readonly Keys: readonly object[];
}

/** Most keys in one BatchGetItem. */
const batchSize = 100;

const chunks = <Value>(values: readonly Value[], size: number): Value[][] =>
  Array.from({ length: Math.ceil(values.length / size) }, (_, i) => values.slice(i * size, (i + 1) * size));

const project = (attributes: readonly string[] | undefined) =>
  attributes && {
    ProjectionExpression: attributes.map((_, i) => `#p${i}`).join(', '),
    ExpressionAttributeNames: Object.fromEntries(attributes.map((name, i) => [`#p${i}`, name])),
  };
