import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { convertFolder } from '../../local/engine/sqlite/conversion.ts';
import { made, unpackFolder } from '../support/folder-of-1.2.ts';
import { dataFolder, dropDataFolder } from '../support/local-stack.ts';
import { isNightly } from '../support/nightly.ts';

const program = path.join(import.meta.dirname, '../support/convert-folder.ts');

let data: string;
const inData = (...names: readonly string[]) => path.join(data, ...names);
const old = () => inData('dynamodb/dynamodb.sqlite');
const kept = () => `${old()}.1.2`;
const converted = () => inData('dynamodb/tables.sqlite');
const convert = () => convertFolder(inData('dynamodb'), data);

beforeEach(() => {
  data = dataFolder();
  unpackFolder(data);
});
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
  dropDataFolder(data);
});

const drawn = /"TableId":.*?"CreationDateTime":[\d.]+|"LatestStreamLabel":"\d{4}-[^"]*"/g;

/** All rows of a database, without random values. */
const contentOf = (file: string): string => {
  const database = new DatabaseSync(file);
  const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").all();
  const rows = names.map(({ name }) => database.prepare(`SELECT * FROM "${name}" ORDER BY 1, 2`).all());
  database.close();
  return JSON.stringify(rows, (_, value) => (typeof value === 'string' ? value.replace(drawn, '') : value));
};

const json = (...names: readonly string[]) => JSON.parse(readFileSync(inData(...names), 'utf8'));

/** Files by their names, except the database, whose log may be part of it by now. */
const filesBeside = () => {
  const names = readdirSync(data, { recursive: true, encoding: 'utf8' }).sort();
  const files = names.filter((name) => !/dynamodb\.sqlite(-shm|-wal)?$/.test(name));
  return files.map((name) => [name, name.includes('.') ? readFileSync(inData(name), 'latin1') : '']);
};

test('items, the stream and its readers come along; removals of 1.2 by time are the service’s', () => {
  const before = filesBeside();
  convert();
  const database = new DatabaseSync(converted());
  const one = (sql: string) => Object.values(database.prepare(sql).get() ?? {});
  expect(one('SELECT min(number), max(number), count(*) FROM changes')).toEqual([1, 2386, 2386]);
  expect(one(`SELECT count(*), count(expires) FROM "items ${made.table}"`)).toEqual([894, 802]);
  const byService = database
    .prepare('SELECT number, event, identity FROM changes WHERE identity NOTNULL')
    .all();
  expect(byService.map((row) => ({ ...row }))).toEqual([
    { number: 2386, event: 'REMOVE', identity: '{"type":"Service","principalId":"dynamodb.amazonaws.com"}' },
  ]);
  database.close();
  for (const name of readdirSync(inData('event-source-mappings')))
    expect(json('stream-positions', name)).toEqual(json('event-source-mappings', name));
  expect(filesBeside()).toEqual(expect.arrayContaining(before));
});

const begin = async (...command: readonly string[]): Promise<ChildProcess> => {
  const [name = '', ...args] = [...command, process.execPath, program, data];
  const child = spawn(name, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
};

test('a conversion that is killed starts again, and loses nothing', async () => {
  const begun = performance.now();
  await once(await begin(), 'exit');
  const wholeMs = performance.now() - begun;
  const [whole, source] = [contentOf(converted()), contentOf(kept())];
  const kills = isNightly ? 20 : 2;
  for (let kill = 0; kill < kills; kill++) {
    rmSync(inData('dynamodb'), { recursive: true });
    unpackFolder(data);
    const child = await begin();
    const ended = once(child, 'exit');
    await delay(((kill + Math.random()) / kills) * wholeMs);
    child.kill('SIGKILL');
    await ended;
    convert();
    expect(contentOf(converted()) === whole).toBe(true);
    expect(contentOf(kept()) === source).toBe(true);
    expect(existsSync(old())).toBe(false);
  }
});

/** Exit code and standard error of a conversion whose files may not grow past so many kilobytes. */
const convertWithin = async (kilobytes: number) => {
  const limited = `trap '' XFSZ; ulimit -f ${kilobytes}; exec "$0" "$@"`;
  const run = promisify(execFile)('bash', ['-c', limited, process.execPath, program, data]);
  return run.then(
    () => undefined,
    ({ code, stderr }: { readonly code: number; readonly stderr: string }) => ({
      code,
      lines: stderr.trim(),
    }),
  );
};

// Bash counts in kilobytes. 1.2's log, of 4 MB, goes into its database of 2.4 MB first.
test.each([1024, 2450])(
  'a conversion that may not write past %d kB reports it and changes nothing',
  async (limit) => {
    const before = filesBeside();
    const failed = await convertWithin(limit);
    expect(failed).toEqual({
      code: 1,
      lines: `The data folder ${data} of version 1.2 is left as it was, because it can't be converted: disk I/O error`,
    });
    expect(filesBeside()).toEqual(before);
    convert();
    expect(existsSync(converted())).toBe(true);
  },
);

test('the kept database under its old name is converted again, with the additions of 1.2', () => {
  convert();
  renameSync(kept(), old());
  const database = new DatabaseSync(old());
  database.exec(
    `UPDATE "${made.table}" SET item_json = json_set(item_json, '$.note', json('{"S":"later"}')) WHERE pk = 'S:LINK#demo#kept-3'`,
  );
  database.close();
  // A killed engine left this.
  writeFileSync(`${converted()}-wal`, 'stale');
  convert();
  expect(contentOf(converted())).toContain('later');
});

/** Runs SQL on the old database. Returns its closer. */
const onOld = (sql: string) => {
  const database = new DatabaseSync(old());
  database.exec(sql);
  return () => database.close();
};

test.each<[string, () => void, RegExp]>([
  [
    'is used by another process',
    () => closing.push(onOld('BEGIN IMMEDIATE')),
    /another local stack is using it/,
  ],
  ['is older', () => onOld('DROP TABLE _stream_records')(), /it is older: start 1\.2 on it first/],
  ['is no database', () => writeFileSync(old(), 'x'.repeat(4096)), /not a database|malformed/],
])('a folder whose database %s is left as it was', (_, prepare, line) => {
  prepare();
  const before = filesBeside();
  expect(convert).toThrow(line);
  expect(filesBeside()).toEqual(before);
  expect(existsSync(old())).toBe(true);
});
