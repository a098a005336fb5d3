import type { DynamoDBRecord } from 'aws-lambda';
import { analyticsOf } from '../../core/analytics/analytics.ts';
import { analyticsItemsOf } from '../../core/analytics/analytics-items.ts';
import { analyticsStore } from '../../core/analytics/analytics-store.ts';
import { timeseriesStore } from '../../core/analytics/timeseries-store.ts';
import { analyticsKey } from '../../core/table/analytics-keys.ts';
import type { Table } from '../../core/table/table.ts';
import { aggregator } from '../../lambdas/streams/aggregate-clicks.ts';
import { aClickRecord, unique } from '../support/builders.ts';
import { fileTable } from '../support/engine.ts';
import { printedBy } from '../support/function-log.ts';
import { aVisitRecord } from '../support/stream-records.ts';
import { tableBefore } from '../support/table-before.ts';

const db = fileTable();

const now = Math.floor(Date.now() / 1000);

const over = (table: Table) => aggregator({ stores: { analytics: analyticsStore(table) } });

const clicksOf = async (code: string) =>
  analyticsOf(await db.table.get(analyticsKey({ project: 'acme', code }))).clicks;

test.each([
  ['300 links', 300, 300 * 3 + 2],
  ['one hot link', 1, 3 + 2],
])('a batch of 1,000 records over %s costs %i writes at most', async (_, links, most) => {
  const codes = Array.from({ length: links }, () => unique('code'));
  const Records = Array.from({ length: 1000 }, (_, i) => aVisitRecord(codes[i % links] ?? ''));
  let writes = 0;
  const table = tableBefore(db.table, 'update', () => (writes += 1));
  const answer = await over(table)({ shardId: 'shard', Records });
  expect(answer).toEqual({ state: {}, batchItemFailures: [] });
  expect(writes).toBeLessThanOrEqual(most);
  const clicks = await Promise.all(codes.map(clicksOf));
  expect(clicks.reduce((sum, one) => sum + one)).toBe(1000);
});

test('skips records that are not clicks, with a metric, and counts the rest', async () => {
  const code = unique('code');
  const [good, other] = [aVisitRecord(code), aVisitRecord(code)];
  const broken: DynamoDBRecord[] = [
    {},
    { eventID: 'broken', dynamodb: { ...aVisitRecord(code).dynamodb, NewImage: { hits: { N: 'many' } } } },
    { dynamodb: { ...aVisitRecord(code).dynamodb, NewImage: { hits: { M: { a: { S: 'x' } } } } } },
  ];
  const lines = await printedBy(async () => {
    const answer = await over(db.table)({ shardId: 'shard', Records: [good, ...broken, other] });
    expect(answer.batchItemFailures).toEqual([]);
  });
  expect(await clicksOf(code)).toBe(2);
  const metrics = lines.filter(({ _aws }) => _aws);
  expect(metrics.map(({ ClickRecordSkipped }) => ClickRecordSkipped)).toEqual([1, 1, 1]);
});

test('asks for all records again from the first failed one on', async () => {
  const [fine, failing, late] = [unique('code'), unique('code'), unique('code')];
  const Records = [fine, failing, fine, late, failing].map((code) => aVisitRecord(code));
  const lateFailed = Promise.withResolvers<void>();
  const table = tableBefore(db.table, 'update', async ({ Key }) => {
    const away = [failing, late].find((code) => Key?.PK.endsWith(`#${code}`));
    if (away === undefined) return;
    if (away === late) lateFailed.resolve();
    // Of two, the one with the later records fails first.
    else await lateFailed.promise;
    throw new Error('The table is away');
  });
  const lines = await printedBy(async () => {
    const answer = await over(table)({ shardId: 'shard', Records });
    expect(answer.batchItemFailures).toEqual([{ itemIdentifier: Records[1]?.dynamodb?.SequenceNumber }]);
  });
  expect(lines.map(({ BatchFailed }) => BatchFailed)).toContain(1);
  expect(await clicksOf(fine)).toBe(2);
  await over(db.table)({ shardId: 'shard', Records: Records.slice(1) });
  expect(await Promise.all([fine, failing, late].map(clicksOf))).toEqual([2, 2, 1]);
});

test('no update is larger than DynamoDB takes, however many names a batch brings', async () => {
  const project = unique('project');
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const records = Array.from({ length: 1000 }, (_, i) =>
    aClickRecord(
      {
        project,
        code: `link-${i % 300}`,
        created: now,
        at: now,
        country: `${letters[i % 26]}${letters[Math.floor(i / 26) % 26]}`,
        referrer: `r${i}.example`,
      },
      i + 1,
    ),
  );
  const sizes: number[] = [];
  const table = tableBefore(
    db.table,
    'update',
    ({ ExpressionAttributeNames: names = {}, UpdateExpression: text = '' }) =>
      sizes.push(Object.keys(names).length, text.length),
  );
  const analytics = analyticsStore(table);
  const ofProject = analyticsItemsOf({ shard: 'shard', records }).filter(
    ({ owner }) => owner.code === undefined,
  );
  for (const item of ofProject) await analytics.add(item);
  expect(Math.max(...sizes)).toBeLessThan(4096);
  const span = { start: (now - 86_400) * 1000, end: (now + 86_400) * 1000 };
  for (const unit of ['day', 'hour'] as const) {
    const found = await timeseriesStore(db.table).find({ project }, [{ unit, ...span }]);
    const countries = found.flatMap(({ groups }) => Object.entries(groups('countries')));
    expect(countries).toHaveLength(26 * 26);
    expect(countries.reduce((sum, [, clicks]) => sum + clicks, 0)).toBe(1000);
  }
});

test('refuses a mapping without shard ids', async () => {
  await expect(over(db.table)({ Records: [] })).rejects.toThrow('tumbling window');
});
