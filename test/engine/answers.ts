import type { EngineClient } from '../../local/engine/engine-client.ts';
import type { Call } from './random-calls.ts';

export interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the JSON of any operation
  readonly body: any;
}

/** Makes a call. A scan has no order, so it is read to its end. */
export async function answerTo(client: EngineClient, { operation, input }: Call): Promise<Answer> {
  const { status, text } = await client.post(operation, JSON.stringify(input));
  const body = JSON.parse(text || '{}');
  if (operation !== 'Scan' || status !== 200) return { status, body: comparable(body) };
  let last = body.LastEvaluatedKey;
  while (last !== undefined) {
    const next = await client.post(operation, JSON.stringify({ ...input, ExclusiveStartKey: last }));
    const page = JSON.parse(next.text);
    body.Items?.push(...page.Items);
    for (const count of ['Count', 'ScannedCount']) body[count] += page[count];
    last = page.LastEvaluatedKey;
  }
  delete body.LastEvaluatedKey;
  if (body.Items) body.Items = sorted(body.Items.map((item: unknown) => comparable(item)));
  return { status, body: comparable(body) };
}

const sorted = <One>(all: readonly One[]): One[] =>
  [...all].sort((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1));

const sets = new Set(['SS', 'NS', 'BS']);
const unordered = new Set([...sets, 'ConsumedCapacity', 'TableNames', 'AttributeDefinitions']);

/** Without meaningless parts: the order of members, of sets and of a batch's items; names of types in full. */
export function comparable(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) {
    const all = value.map((one) => (name === 'NS' ? plainNumber(one) : comparable(one)));
    return unordered.has(name) ? sorted(all) : all;
  }
  if (typeof value === 'string') {
    if (name === '__type') return value.split('#').at(-1);
    return name === 'N' ? plainNumber(value) : value;
  }
  if (typeof value !== 'object' || value === null) return value;
  const isFound = name === 'Responses';
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, one]): [string, unknown] => {
        const inner = comparable(one, key);
        return [key === 'Message' ? 'message' : key, isFound && Array.isArray(inner) ? sorted(inner) : inner];
      })
      .sort(([one], [other]) => (one < other ? -1 : 1)),
  );
}

/** A number as AWS writes it; DynamoDB Local keeps how it was spelt. */
function plainNumber(text: unknown): unknown {
  const [, sign = '', whole = '', part = '', power = '0'] =
    /^(-?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/i.exec(String(text)) ?? [];
  if (whole + part === '') return text;
  const digits = (whole + part).replace(/^0+/, '');
  const bare = digits.replace(/0+$/, '');
  if (bare === '') return '0';
  return `${sign}${bare}e${Number(power) - part.length + digits.length - bare.length}`;
}

export interface Difference {
  readonly call: Call;
  readonly ours: Answer;
  readonly theirs: Answer;
}

export const isSame = (one: Answer, other: Answer): boolean => JSON.stringify(one) === JSON.stringify(other);

/** The records of a table's stream, by item: one item's are in order. */
export async function recordsOf(client: EngineClient, TableName: string): Promise<Map<string, string[]>> {
  const { Table } = await client.call<{ Table: { LatestStreamArn: string } }>('DescribeTable', { TableName });
  const StreamArn = Table.LatestStreamArn;
  const { StreamDescription } = await client.call<{
    StreamDescription: { Shards: { ShardId: string }[] };
  }>('DescribeStream', { StreamArn });
  const found = new Map<string, string[]>();
  for (const { ShardId } of StreamDescription.Shards) {
    const from = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' };
    const { ShardIterator } = await client.call<{ ShardIterator: string }>('GetShardIterator', from);
    for (let at: string | undefined = ShardIterator; at !== undefined; ) {
      // biome-ignore lint/suspicious/noExplicitAny: as DynamoDB gives them
      const page: any = await client.call('GetRecords', { ShardIterator: at, Limit: 1000 });
      if (page.Records.length === 0) break;
      for (const { eventName, userIdentity, dynamodb } of page.Records) {
        const { Keys, NewImage, OldImage, StreamViewType } = dynamodb;
        const key = JSON.stringify(comparable(Keys));
        const said = comparable({ eventName, userIdentity, NewImage, OldImage, StreamViewType });
        // DynamoDB Local writes an empty map as nothing.
        const text = JSON.stringify(said).replaceAll('{"M":{}}', '{}');
        found.set(key, [...(found.get(key) ?? []), text]);
      }
      at = page.NextShardIterator;
    }
  }
  return found;
}
