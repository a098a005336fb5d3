import { DatabaseSync } from 'node:sqlite';
import { heldRecords, sharedHold } from '../../engine/sqlite/held-records.ts';
import { openStreamFile } from '../../engine/sqlite/stream-file.ts';
import { streamRecords } from '../../event-source-mapping/stream-record.ts';
import { ageRecords } from '../aged-records.ts';
import { newFolder } from '../folder.ts';
import { key } from '../tables/table.ts';
import { until } from '../until.ts';
import { openEngine } from './open-engine.ts';

const TableName = 'Trimmed';
const day = 24 * 60 * 60;

test('records of more than a day go once every reader is done with them; numbers go on', async () => {
  const [folder, held] = [newFolder(), sharedHold()];
  const open = (trimMs: number) => openEngine({ folder, held, trimMs });
  const put = (engine: ReturnType<typeof open>, id: string) =>
    engine.call('PutItem', { TableName, Item: key(id) });

  const first = open(1e6);
  const { file } = first.streamFile;
  await first.createTable(TableName);
  for (let id = 1; id <= 1300; id += 1) await put(first, `old-${id}`);
  await first.close();
  ageRecords(file, undefined, day + 60);

  const engine = open(5);
  await put(engine, 'new');
  const stream = openStreamFile({ file, held });
  const numbers = () =>
    stream
      .recordsOf(TableName, { after: undefined, limit: 2000 })
      .map(({ dynamodb }) => Number(dynamodb.SequenceNumber));
  expect(numbers()).toHaveLength(1301);
  heldRecords(held).done = 1200n;
  await until(() => numbers()[0] === 1201);
  heldRecords(held).done = 1301n;
  await until(() => numbers()[0] === 1301);
  await put(engine, 'newer');
  await engine.close();

  // Even if only old records are left.
  ageRecords(file, undefined, day + 60);
  heldRecords(held).done = 1302n;
  const last = open(5);
  await until(() => numbers()[0] !== 1301);
  expect(numbers()).toEqual([1302]);
  await put(last, 'newest');
  expect(numbers().at(-1)).toBe(1303);
  stream.close();
  await last.close();
});

test('records have a size, also in a file of 1.3, which has none', async () => {
  const folder = newFolder();
  const first = openEngine({ folder });
  await first.createTable(TableName);
  await first.call('PutItem', { TableName, Item: key('old') });
  await first.close();
  const database = new DatabaseSync(first.streamFile.file);
  database.exec('ALTER TABLE changes DROP COLUMN bytes');
  database.close();

  const engine = openEngine({ folder });
  await engine.call('PutItem', { TableName, Item: key('new') });
  const stream = openStreamFile(engine.streamFile);
  const records = stream.recordsOf(TableName, { after: undefined, limit: 10 });
  expect(records.map(({ bytes }) => bytes)).toEqual([null, 16]);
  const sizes = records.map(streamRecords('arn', 'shard')).map(({ dynamodb }) => dynamodb.SizeBytes);
  expect(sizes).toEqual([16, 16]);
  stream.close();
  await engine.close();
});
