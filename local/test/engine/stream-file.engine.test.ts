import { type Engine, startEngine } from '../../engine/engine.ts';
import { type EngineClient, engineClient } from '../../engine/engine-client.ts';
import { openEngineFile } from '../../engine/engine-file.ts';
import { trimStreamRecords } from '../../engine/stream-file.ts';
import { ensureTables } from '../../tables/tables.ts';
import { ageRecords } from '../aged-records.ts';
import { aFolder, aTable, key } from '../tables/table.ts';

const day = 24 * 60 * 60;
const all = Number.POSITIVE_INFINITY;

let kept: Engine;
let caller: EngineClient;
beforeAll(async () => {
  kept = await startEngine({ engine: 'dynoxide', data: aFolder() });
  caller = engineClient(kept.endpoint);
});
afterAll(async () => {
  caller.close();
  await kept.stop();
});

/** A table with records that are a day old. */
const aStream = async (name: string, records: number) => {
  await ensureTables(kept.endpoint, [aTable(name)]);
  const requests = Array.from({ length: records }, (_, id) => ({ PutRequest: { Item: key(String(id)) } }));
  while (requests.length > 0) {
    await caller.call('BatchWriteItem', { RequestItems: { [name]: requests.splice(0, 25) } });
  }
  ageRecords(kept.file, name, day + 1);
};

const numbersOf = (name: string): number[] => {
  const file = openEngineFile(kept.file);
  const records = file?.recordsOf(name, { after: undefined, limit: 10_000 }) ?? [];
  file?.close();
  return records.map(({ dynamodb }) => Number(dynamodb.SequenceNumber));
};

/** The records that are left after each turn of a trimming, by their numbers. */
const turns = (name: string, done: () => number, count: number): number[][] => {
  jest.useFakeTimers();
  const end = trimStreamRecords(kept.file ?? '', [{ name, done }]);
  const left = Array.from({ length: count }, () => {
    jest.runOnlyPendingTimers();
    return numbersOf(name);
  });
  end();
  jest.useRealTimers();
  return left;
};

test('records of a day ago are dropped, except the last, which continues the sequence numbers', async () => {
  await aStream('Trimmed', 3);
  expect(turns('Trimmed', () => all, 2)).toEqual([[3], [3]]);
  await caller.call('PutItem', { TableName: 'Trimmed', Item: key('d') });
  expect(numbersOf('Trimmed')).toEqual([3, 4]);
});

test('records of today stay', async () => {
  await aStream('Kept', 2);
  await caller.call('PutItem', { TableName: 'Kept', Item: key('new') });
  await caller.call('PutItem', { TableName: 'Kept', Item: key('newer') });
  expect(turns('Kept', () => all, 2)).toEqual([
    [3, 4],
    [3, 4],
  ]);
});

test("a record that a reader isn't done with stays, however old it is", async () => {
  await aStream('Unread', 4);
  let done = 0;
  const left = turns('Unread', () => done++, 3);
  expect(left).toEqual([
    [1, 2, 3, 4],
    [2, 3, 4],
    [3, 4],
  ]);
});

test('each turn drops some records, so that nobody waits for long', async () => {
  await aStream('Large', 1300);
  const counts = turns('Large', () => all, 4).map(({ length }) => length);
  expect(counts).toEqual([800, 300, 1, 1]);
});
