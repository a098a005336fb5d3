import { fdatasync } from 'node:fs';
import { promisify } from 'node:util';
import type { JsonService } from '../../base/json-service.ts';
import { type EngineClient, engineClient } from '../../engine/engine-client.ts';
import { type EngineFile, openEngineFile } from '../../engine/engine-file.ts';
import { sharedHold } from '../../engine/held-records.ts';
import { startTableGateway } from '../../table-gateway/gateway.ts';
import { ensureTables } from '../../tables/tables.ts';
import { aTable, engine, key, until } from '../tables/table.ts';

const table = aTable('Unsynced');
const TableName = 'Unsynced';
const held = sharedHold();
/** How many syncs have begun; they end once the disk is free. */
let syncs = 0;
let disk = Promise.resolve();
let gateway: JsonService;
let caller: EngineClient;
let stream: EngineFile | undefined;

beforeAll(async () => {
  await ensureTables(engine.endpoint, [table]);
  const { file = '', version } = engine;
  const sync = async (descriptor: number) => {
    syncs += 1;
    await disk;
    await promisify(fdatasync)(descriptor);
  };
  gateway = await startTableGateway({
    endpoint: engine.endpoint,
    principals: new Map(),
    tables: [table],
    enforce: true,
    sharesCommits: true,
    file,
    writesBeside: { version, held, sync },
  });
  caller = engineClient(gateway.endpoint);
  stream = openEngineFile(file, held);
  // The engine makes the first write of each form.
  await add('first');
});
afterAll(async () => {
  caller.close();
  stream?.close();
  await gateway.stop();
});

const add = (id: string) =>
  caller.call('UpdateItem', {
    TableName,
    Key: key(id),
    UpdateExpression: 'ADD n :one',
    ExpressionAttributeValues: { ':one': { N: '1' } },
  });
const get = (id: string) => caller.call('GetItem', { TableName, Key: key(id), ConsistentRead: true });
const query = (id: string) =>
  caller.call('Query', {
    TableName,
    KeyConditionExpression: 'PK = :id',
    ExpressionAttributeValues: { ':id': { S: id } },
  });
const shown = () =>
  stream?.recordsOf(TableName, { after: undefined, limit: 1000 }).map(({ dynamodb }) => dynamodb.Keys.PK?.S);

test('nobody hears of a write before it is on disk: neither its caller, nor a reader, nor the stream', async () => {
  const free = Promise.withResolvers<void>();
  disk = free.promise;
  const before = syncs;
  const told: string[] = [];
  const tells = (name: string, call: Promise<unknown>) => call.then(() => told.push(name));
  const written = tells('write', add('slow'));
  await until(() => syncs > before);
  const waiting = [written, tells('read', get('slow')), tells('query', query('slow'))];
  // A read of another item isn't kept waiting, and neither is the next write made, though not answered.
  await get('first');
  const next = tells('next', add('slow'));
  await get('first');
  expect(told).toEqual([]);
  expect(shown()).toEqual(['first']);
  free.resolve();
  await Promise.all([...waiting, next]);
  expect(told).toHaveLength(4);
  expect(shown()).toEqual(['first', 'slow', 'slow']);
});

const addTwice = (id: string) =>
  caller.call('TransactWriteItems', {
    TransactItems: [id, `${id}-too`].map((one) => ({
      Update: {
        TableName,
        Key: key(one),
        UpdateExpression: 'ADD n :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      },
    })),
  });

test('nor of a transaction', async () => {
  await addTwice('known');
  const free = Promise.withResolvers<void>();
  disk = free.promise;
  const before = syncs;
  const told: string[] = [];
  const tells = (name: string, call: Promise<unknown>) => call.then(() => told.push(name));
  const written = tells('write', addTwice('both'));
  await until(() => syncs > before);
  const read = tells('read', get('both-too'));
  await get('first');
  expect([told, shown()?.includes('both')]).toEqual([[], false]);
  free.resolve();
  await Promise.all([written, read]);
  expect(shown()?.slice(-2)).toEqual(['both', 'both-too']);
});

test('writes that are made during a sync share the next one', async () => {
  const free = Promise.withResolvers<void>();
  disk = free.promise;
  const before = syncs;
  const first = add('one');
  await until(() => syncs > before);
  const others = Array.from({ length: 20 }, (_, i) => add(`other-${i}`));
  await get('first');
  free.resolve();
  await Promise.all([first, ...others]);
  expect(syncs - before).toBeLessThan(5);
});
