import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { marshall } from '@aws-sdk/util-dynamodb';
import { refuseOlderFolder } from '../../../ops/upgrade/older-folder.ts';
import { newFolder } from '../../support/folder.ts';

const data = newFolder();

/** A folder as versions before 1.3.0 wrote it, with one item. */
const writeFolder = (item: object) => {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  rmSync(path.join(data, 'dynamodb'), { recursive: true, force: true });
  mkdirSync(path.join(data, 'dynamodb'));
  const database = new DatabaseSync(path.join(data, 'dynamodb', 'dynamodb.sqlite'));
  database.exec('CREATE TABLE _tables (table_name TEXT); CREATE TABLE "a table" (item_json TEXT)');
  database.prepare('INSERT INTO _tables VALUES (?)').run('a table');
  database.prepare('INSERT INTO "a table" VALUES (?)').run(JSON.stringify(marshall(item)));
  database.close();
};

const ofProject = { PK: 'SERIES#shop', SK: 'STATS' };

test.each([
  ['additions', { ...ofProject, q: ['aorm 1 nwl'] }],
  ['an empty list of additions', { ...ofProject, q: [] }],
  ['additions that no later version has taken over', { ...ofProject, s: 4 }],
  ['more additions than a later version has taken over', { ...ofProject, s: 4, k: 3 }],
])('a folder of 1.0.0 with %s is refused in one line', (_, item) => {
  writeFolder(item);
  expect(() => refuseOlderFolder(data)).toThrow(
    /^The data folder \S+ is of version 1\.0\.0: start 1\.2 on it once/,
  );
});

test.each([
  ['settled figures', { ...ofProject, s: 4, k: 4 }],
  ['figures of 1.2', { ...ofProject, n: 3 }],
  ['additions of a link, which come before those of its project', { PK: 'LINK#shop#a', SK: 'STATS', q: [] }],
])('a folder with %s is taken', (_, item) => {
  writeFolder(item);
  expect(() => refuseOlderFolder(data)).not.toThrow();
});

test('a new folder is taken', () => {
  expect(() => refuseOlderFolder(path.join(data, 'none'))).not.toThrow();
});
