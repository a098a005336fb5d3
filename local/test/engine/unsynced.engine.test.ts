import { fdatasync } from 'node:fs';
import { promisify } from 'node:util';
import { Commits } from '../../engine/sqlite/commits.ts';
import { openDatabase } from '../../engine/sqlite/data-folder.ts';
import { heldRecords, sharedHold } from '../../engine/sqlite/held-records.ts';
import { databaseFile, type OpenStreamFile, openStreamFile } from '../../engine/sqlite/stream-file.ts';
import { newFolder } from '../folder.ts';
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
  const put = { TableName, Item: key('slow'), ConditionExpression: 'attribute_not_exists(PK)' };
  const refused = engine.call('PutItem', put).catch(({ message }: Error) => message);
  const waiting = [
    written,
    tells('refusal', refused),
    tells('read', get('slow')),
    tells('query', query('slow')),
  ];
  // A read of another item doesn't wait; the next write is made but not acknowledged.
  await get('first');
  const next = tells('next', add('slow'));
  await get('first');
  expect(resolved).toEqual([]);
  expect(shown()).toEqual(['first']);
  free();
  await Promise.all([...waiting, next]);
  expect(resolved).toHaveLength(5);
  expect(await refused).toContain('ConditionalCheckFailedException');
  expect(shown()).toEqual(['first', 'slow', 'slow']);
});

const addTwice = (id: string, ClientRequestToken?: string) =>
  engine.call('TransactWriteItems', {
    ClientRequestToken,
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

test('a transaction that was lost with its batch is made when its token comes again', async () => {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(engine.streamFile.file);
  database.exec(`CREATE TRIGGER refusal BEFORE INSERT ON changes WHEN NEW.keys LIKE '%bad%'
    BEGIN SELECT RAISE(ABORT, 'It is bad'); END`);
  const lost = await Promise.allSettled([addTwice('lost', 'token'), add('bad')]);
  expect(lost.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  database.exec('DROP TRIGGER refusal');
  database.close();
  await addTwice('lost', 'token');
  expect(await get('lost')).toHaveProperty('Item');
});

test('a write that the disk has no space for is the last one', async () => {
  const folder = newFolder();
  const database = openDatabase(folder);
  database.exec('CREATE TABLE texts (text); PRAGMA max_page_count = 1');
  const onFault = jest.fn((error: unknown) => error);
  const log = `${databaseFile(folder)}-wal`;
  const commits = new Commits({ database, log, held: heldRecords(sharedHold()), onFault });
  const insert = database.prepare('INSERT INTO texts VALUES (?)');
  for (const length of [1e6, 1])
    expect(() => commits.write(() => void insert.run('x'.repeat(length)))).toThrow('disk is full');
  expect(onFault).toHaveBeenCalledTimes(1);
  await commits.close();
  database.close();
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
