import { resolve } from 'node:path';
import type { EventSourceMapping, TableResource } from '../../assembly/assembly.ts';
import { type Engine, startEngine } from '../../engine/engine.ts';
import { type EngineClient, engineClient } from '../../engine/engine-client.ts';
import type { StreamEvent } from '../../event-source-mapping/context.ts';
import {
  type EventSourceMappingOptions,
  type RunningMapping,
  startEventSourceMapping,
} from '../../event-source-mapping/mapping.ts';
import type { InvocationResult } from '../../lambda/runtime.ts';
import { ensureTables } from '../../tables/tables.ts';
import { aMapping } from './a-mapping.ts';

export { newFolder } from '../folder.ts';
export { until } from '../until.ts';
export { accept, failed, report } from './answers.ts';

/** A module below the working folder whose `engineProgram` replaces SQLite. */
const { TEST_ENGINE } = process.env;

export const isOtherEngine = TEST_ENGINE !== undefined;

export let engine: Engine;
let client: EngineClient;
let tables = 0;
const running: RunningMapping[] = [];

beforeAll(async () => {
  const other = TEST_ENGINE === undefined ? undefined : await import(resolve(TEST_ENGINE));
  engine = await startEngine({ engine: other?.engineProgram() ?? 'sqlite' });
  client = engineClient(engine.endpoint);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((mapping) => mapping.stop()));
});
afterAll(async () => {
  client.close();
  await engine.stop();
});

/** Ids of the stream's shards. */
export const shardsOf = async (streamArn: string): Promise<string[]> => {
  const { StreamDescription } = await client.call<{
    StreamDescription: { Shards: { ShardId: string }[] };
  }>('DescribeStream', { StreamArn: streamArn });
  return StreamDescription.Shards.map(({ ShardId }) => ShardId);
};

/** A new table with a stream that begins with items of these ids, and functions that use it. */
export async function aStream(written: Iterable<string> = '') {
  const name = `Table${++tables}`;
  const table: TableResource = {
    id: 'Table',
    name,
    arn: `arn:aws:dynamodb:eu-central-1:123456789012:table/${name}`,
    ttlAttribute: 'ttl',
    properties: {
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
    },
  };
  const streamArn = (await ensureTables(engine.endpoint, [table])).get('Table') ?? '';
  const put = (id: string, attributes: object = {}) =>
    client.call('PutItem', { TableName: name, Item: { id: { S: id }, ...attributes } });
  for (const id of written) await put(id);
  const remove = (id: string) => client.call('DeleteItem', { TableName: name, Key: { id: { S: id } } });
  const start = (
    answer: (event: StreamEvent) => InvocationResult | Promise<InvocationResult>,
    changes: Partial<EventSourceMapping> = {},
    options: Partial<EventSourceMappingOptions> = {},
  ) => {
    const events: StreamEvent[] = [];
    const mapping = startEventSourceMapping({
      mapping: aMapping(changes),
      table,
      streamArn,
      endpoint: engine.endpoint,
      pollMs: 3,
      invoke: async (event) => {
        events.push(event);
        return answer(event);
      },
      ...options,
    });
    running.push(mapping);
    return { events, mapping, ids: () => events.map(idsOf) };
  };
  return { table, streamArn, put, remove, start };
}

type Starting = Parameters<Awaited<ReturnType<typeof aStream>>['start']>;

/** The batches of ids in which a function gets such items. */
export const batchesOf = async (written: Iterable<string>, ...function_: Starting): Promise<string[][]> => {
  const { start } = await aStream(written);
  const { ids, mapping } = start(...function_);
  await mapping.idle();
  return ids();
};

export const idsOf = (event: StreamEvent) => event.Records.map(({ dynamodb }) => String(dynamodb.Keys.id?.S));
export const numberOf = (event: StreamEvent, id: string) =>
  event.Records[idsOf(event).indexOf(id)]?.dynamodb.SequenceNumber;
