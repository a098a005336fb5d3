import { fdatasync } from 'node:fs';
import { promisify } from 'node:util';
import { type OpenStreamFile, openStreamFile } from '../../engine/sqlite/stream-file.ts';
import { key } from '../tables/table.ts';
import { until } from '../until.ts';
import { addOne, openEngine } from './open-engine.ts';

const TableName = 'Unsynced';
/** The number of syncs begun; they end once the disk is free. */
let syncs = 0;
let disk = Promise.resolve();
let free: () => void = () => undefined;
let engine: ReturnType<typeof openEngine>;
let stream: OpenStreamFile;

beforeAll(async () => {
  const sync = async (descriptor: number) => {
    syncs += 1;
    await disk;
    await promisify(fdatasync)(descriptor);
  };
  engine = openEngine({ sync });
  stream = openStreamFile(engine.streamFile);
  await engine.createTable(TableName);
  await add('first');
});
const occupyDisk = () => {
  ({ promise: disk, resolve: free } = Promise.withResolvers<void>());
};
// A failed test would keep the disk, and the engine waits for it at its end.
afterEach(() => free());
afterAll(async () => {
  stream.close();
  await engine.close();
});

const updateOf = (id: string) => ({ TableName, Key: key(id), ...addOne });
const add = (id: string) => engine.call('UpdateItem', updateOf(id));
const get = (id: string) => engine.call('GetItem', { TableName, Key: key(id), ConsistentRead: true });
const query = (id: string) =>
  engine.call('Query', {
    TableName,
    KeyConditionExpression: 'PK = :id',
    ExpressionAttributeValues: { ':id': { S: id } },
  });
const shown = () =>
  stream.recordsOf(TableName, { after: undefined, limit: 1000 }).map(({ dynamodb }) => dynamodb.Keys.PK?.S);

test('a write is on disk before its caller, a reader or the stream sees it', async () => {
  occupyDisk();
  const before = syncs;
  const resolved: string[] = [];
  const tells = (name: string, call: Promise<unknown>) => call.then(() => resolved.push(name));
  const written = tells('write', add('slow'));
  await until(() => syncs > before);
  const waiting = [written, tells('read', get('slow')), tells('query', query('slow'))];
  // A read of another item doesn't wait; the next write is made but not acknowledged.
  await get('first');
  const next = tells('next', add('slow'));
  await get('first');
  expect(resolved).toEqual([]);
  expect(shown()).toEqual(['first']);
  free();
  await Promise.all([...waiting, next]);
  expect(resolved).toHaveLength(4);
  expect(shown()).toEqual(['first', 'slow', 'slow']);
});

const addTwice = (id: string) =>
  engine.call('TransactWriteItems', {
    TransactItems: [id, `${id}-too`].map((one) => ({ Update: updateOf(one) })),
  });

test('a transaction is on disk before its caller, a reader or the stream sees it', async () => {
  await addTwice('known');
  occupyDisk();
  const before = syncs;
  const resolved: string[] = [];
  const tells = (name: string, call: Promise<unknown>) => call.then(() => resolved.push(name));
  const written = tells('write', addTwice('both'));
  await until(() => syncs > before);
  const read = tells('read', get('both-too'));
  await get('first');
  expect([resolved, shown().includes('both')]).toEqual([[], false]);
  free();
  await Promise.all([written, read]);
  expect(shown().slice(-2)).toEqual(['both', 'both-too']);
});

test('writes that are made during a sync share the next one', async () => {
  occupyDisk();
  const before = syncs;
  const first = add('one');
  await until(() => syncs > before);
  const others = Array.from({ length: 20 }, (_, i) => add(`other-${i}`));
  await get('first');
  free();
  await Promise.all([first, ...others]);
  expect(syncs - before).toBeLessThan(5);
});
