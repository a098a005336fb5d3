import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import type { TableResource } from '../../assembly/assembly.ts';
import { type Engine, startEngine } from '../../engine/engine.ts';
import { type EngineClient, engineClient } from '../../engine/engine-client.ts';
import { type EngineFile, openEngineFile } from '../../engine/engine-file.ts';
import { type ReadShard, readEngine, readFile } from '../../event-source-mapping/shard-records.ts';
import { jsonOf, streamRecords } from '../../event-source-mapping/stream-record.ts';
import { ensureTables } from '../../tables/tables.ts';

const folder = mkdtempSync(join(tmpdir(), 'engine-file-'));
let engine: Engine;
let client: EngineClient;
let file: EngineFile;

const aTable = (
  name: string,
  keys: Readonly<Record<string, string>>,
  view = 'NEW_AND_OLD_IMAGES',
): TableResource => ({
  id: name,
  name,
  arn: `arn:aws:dynamodb:eu-central-1:123456789012:table/${name}`,
  ttlAttribute: undefined,
  properties: {
    KeySchema: Object.keys(keys).map((AttributeName, i) => ({
      AttributeName,
      KeyType: i ? 'RANGE' : 'HASH',
    })),
    AttributeDefinitions: Object.entries(keys).map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    BillingMode: 'PAY_PER_REQUEST',
    StreamSpecification: { StreamViewType: view },
  },
});

beforeAll(async () => {
  engine = await startEngine({ engine: 'dynoxide', data: folder });
  client = engineClient(engine.endpoint);
  const opened = openEngineFile(engine.file);
  if (!opened) throw new Error("the engine's file can't be read");
  file = opened;
});
afterAll(async () => {
  file.close();
  client.close();
  await engine.stop();
  rmSync(folder, { recursive: true, force: true });
});

/** The same shard read both ways. */
const bothReaders = async (table: TableResource): Promise<{ ours: ReadShard; theirs: ReadShard }> => {
  const StreamArn = (await ensureTables(engine.endpoint, [table])).get(table.id) ?? '';
  const { StreamDescription } = await client.call<{ StreamDescription: { Shards: { ShardId: string }[] } }>(
    'DescribeStream',
    { StreamArn },
  );
  const { ShardId = '' } = StreamDescription.Shards[0] ?? {};
  return { ours: readFile(file, table.name), theirs: readEngine(client, { StreamArn, ShardId }) };
};

const recordsOf = async (read: ReadShard, after: string | undefined, limit: number) => {
  const { records } = await read(after, limit);
  return records.map(streamRecords('arn:of:a:table', 'shard')).map((record) => JSON.parse(jsonOf(record)));
};

const scalar = fc.oneof(
  fc.string().map((S) => ({ S })),
  fc.integer().map((n) => ({ N: String(n) })),
  fc.boolean().map((BOOL) => ({ BOOL })),
  fc.constant({ NULL: true }),
  fc.uint8Array().map((bytes) => ({ B: Buffer.from(bytes).toString('base64') })),
  fc.uniqueArray(fc.integer(), { minLength: 1, maxLength: 3 }).map((all) => ({ NS: all.map(String) })),
);
const attribute = fc.oneof(
  scalar,
  fc.array(scalar, { maxLength: 3 }).map((L) => ({ L })),
  fc.dictionary(fc.string(), scalar, { maxKeys: 3 }).map((M) => ({ M })),
);
/** Few items, so that they are written again and removed. */
const write = fc.record({
  pk: fc.constantFrom('a', 'B"#', 'ü😀'),
  sk: fc.constantFrom('1', 'S:2'),
  isRemoval: fc.boolean(),
  attributes: fc.dictionary(fc.constantFrom('x', 'y', 'z'), attribute),
});

test('the file has the items and records that the engine answers with', async () => {
  const table = aTable('Both', { pk: 'S', sk: 'S' });
  const { ours, theirs } = await bothReaders(table);
  let after: string | undefined;
  await fc.assert(
    fc.asyncProperty(
      fc.array(write, { maxLength: 8 }),
      fc.integer({ min: 1, max: 5 }),
      async (writes, limit) => {
        for (const { pk, sk, isRemoval, attributes } of writes) {
          const Key = { pk: { S: pk }, sk: { S: sk } };
          const TableName = table.name;
          if (isRemoval) await client.call('DeleteItem', { TableName, Key });
          else await client.call('PutItem', { TableName, Item: { ...attributes, ...Key } });
          const { Item } = await client.call<{ Item?: object }>('GetItem', { TableName, Key });
          const text = file.itemOf(TableName, [Key.pk, Key.sk]);
          expect(text === null ? undefined : JSON.parse(text ?? '')).toEqual(Item);
        }
        expect(await recordsOf(ours, undefined, limit)).toEqual(await recordsOf(theirs, undefined, limit));
        const fresh = await recordsOf(ours, after, 1000);
        expect(fresh).toEqual(await recordsOf(theirs, after, 1000));
        after = (await ours(after, 1000)).records.at(-1)?.dynamodb.SequenceNumber ?? after;
      },
    ),
    { numRuns: 15 },
  );
});

test('records have the images that the stream is made for', async () => {
  const table = aTable('News', { pk: 'S' }, 'NEW_IMAGE');
  const { ours, theirs } = await bothReaders(table);
  for (const n of ['1', '2']) {
    await client.call('PutItem', { TableName: 'News', Item: { pk: { S: 'one' }, n: { N: n } } });
  }
  const records = await recordsOf(ours, undefined, 10);
  expect(records).toEqual(await recordsOf(theirs, undefined, 10));
  expect(records.map(({ dynamodb }: { dynamodb: object }) => dynamodb)).toMatchObject([
    { NewImage: { n: { N: '1' } }, StreamViewType: 'NEW_IMAGE' },
    { NewImage: { n: { N: '2' } }, StreamViewType: 'NEW_IMAGE' },
  ]);
});

test('what only the engine knows is left to it', async () => {
  await ensureTables(engine.endpoint, [
    aTable('Numbers', { pk: 'N' }),
    aTable('Pairs', { pk: 'S', sk: 'S' }),
  ]);
  await client.call('PutItem', { TableName: 'Numbers', Item: { pk: { N: '1' } } });
  expect(file.itemOf('Numbers', [{ N: '1.0' }])).toBeUndefined();
  expect(file.itemOf('NoTable', [{ S: 'a' }])).toBeUndefined();
  expect(file.itemOf('Pairs', [{ S: '' }, { S: 'a' }])).toBeUndefined();
  expect(file.itemOf('Pairs', [{ S: 'a' }, { S: '' }])).toBeUndefined();
  expect(file.itemOf('Pairs', [{ S: 'a', N: '1' }, { S: 'a' }])).toBeUndefined();
  expect(file.itemOf('Pairs', [{ S: 'a' }, { S: 'a' }])).toBeNull();
});

test.each([
  ['none', undefined],
  ['missing', join(folder, 'missing')],
  ['no database', join(folder, 'text')],
])('where the file is %s, the engine has to be asked', (_, path) => {
  writeFileSync(join(folder, 'text'), 'no database, but long enough to be taken for one'.repeat(100));
  expect(openEngineFile(path)).toBeUndefined();
});
