import type { DynamoDBRecord } from 'aws-lambda';
import { analyticsOf } from '../../core/analytics/analytics.ts';
import { analyticsStore } from '../../core/analytics/analytics-store.ts';
import { noValues } from '../../core/analytics/dimensions.ts';
import { clickDelivery } from '../../core/click-export/click-delivery.ts';
import { clickColumns } from '../../core/click-export/click-rows.ts';
import { firehoseStream } from '../../core/click-export/firehose.ts';
import type { KeepRows } from '../../core/click-export/kept-rows.ts';
import { analyticsKey } from '../../core/table/analytics-keys.ts';
import { connect, serviceAccess } from '../../core/table/connection.ts';
import { forBackground } from '../../core/table/retry-policy.ts';
import { aggregator } from '../../lambdas/streams/aggregate-clicks.ts';
import type { PolicyStatement } from '../../local/assembly/assembly.ts';
import { type Intercept, startEngineProxy } from '../../local/engine/engine-proxy.ts';
import { startFirehose } from '../../local/firehose/endpoint.ts';
import { readParquetRows } from '../../local/testing/parquet-rows.ts';
import { clickValues, unique } from '../support/builders.ts';
import { fileTable } from '../support/engine.ts';
import { newFolder } from '../support/folder.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { ofFile } from '../support/of-file.ts';
import { withoutRepeats } from '../support/parquet-rows.ts';
import { aVisitRecord } from '../support/stream-records.ts';
import { tableBefore } from '../support/table-before.ts';

const name = 'clicks-stream';
const arn = `arn:aws:firehose:us-east-1:000000000000:deliverystream/${name}`;
const columns = Object.entries(clickColumns).map(([name, { type }]) => ({ name, type }));
const stream = { id: 'Stream', name, arn, prefix: 'clicks/day=!{timestamp:yyyy-MM-dd}/', columns };
const grant: PolicyStatement = { Effect: 'Allow', Action: 'firehose:PutRecordBatch', Resource: arn };

const folder = newFolder();
const db = fileTable();
const principals = new Map([
  ['Aggregator', { name: 'Aggregator', statements: [grant] }],
  ['Other', { name: 'Other', statements: [] }],
]);
const local = ofFile(() => startFirehose({ streams: [stream], principals, folder, enforce: true }));
/** Handlers of the next calls; later ones are passed on. */
let faults: Intercept[] = [];
const proxy = ofFile(() =>
  startEngineProxy(local.endpoint, async (call, forward) => {
    calls.push(JSON.parse(call.body.toString()).Records.length);
    return (faults.shift() ?? ((_, pass) => pass()))(call, forward);
  }),
);
const calls: number[] = [];
/** In the failures bucket. */
const files = new Map<string, string>();
let isBucketAway = false;
const log = ofFile(captureFunctionLog);
beforeEach(() => {
  faults = [];
  files.clear();
  isBucketAway = false;
  calls.length = 0;
});

const over = (table = db.table, caller = 'Aggregator') => {
  const environment = {
    AWS_ENDPOINT_URL_FIREHOSE: proxy.endpoint,
    AWS_REGION: 'us-east-1',
    AWS_ACCESS_KEY_ID: caller,
    AWS_SECRET_ACCESS_KEY: 'test',
  };
  const keep: KeepRows = async (file, rows) => {
    if (isBucketAway) throw new Error('S3 is away');
    files.set(file, rows);
  };
  // Tests count attempts, so none is left out where the machine is slow.
  const policy = { ...forBackground, deadlineMs: 20_000, attempts: 3 };
  const put = firehoseStream(connect(serviceAccess(environment, 'firehose')), name);
  const deliver = clickDelivery({ put, keep, policy });
  return aggregator({ stores: { analytics: analyticsStore(table) }, deliver });
};
const aRecord = (code: string, referrer = 'news.example') =>
  aVisitRecord(code, {
    ...{ referrer, browser: 'safari', os: 'ios', trigger: 'qr', rule: 'pages/a', campaign: 'spring' },
  });

const rowsOf = async (code: string) => (await readParquetRows(folder)).filter((row) => row.code === code);
const clicksOf = async (code: string) =>
  analyticsOf(await db.table.get(analyticsKey({ project: 'acme', code }))).clicks;
const batch = (code: string, size: number, referrer?: string) => ({
  shardId: 'shard',
  Records: Array.from({ length: size }, () => aRecord(code, referrer)),
});
const done = { state: {}, batchItemFailures: [] };
const from = (record: DynamoDBRecord | undefined) => ({
  state: {},
  batchItemFailures: [{ itemIdentifier: record?.dynamodb?.SequenceNumber }],
});

test('all clicks of a batch are rows in one record of one call', async () => {
  const code = unique('code');
  expect(await over()(batch(code, 1000))).toEqual(done);
  expect(calls).toEqual([1]);
  const rows = await rowsOf(code);
  expect(rows).toHaveLength(1000);
  expect(withoutRepeats(rows)).toHaveLength(1000);
  expect(rows[0]).toEqual({
    clicked_at: expect.any(Date),
    project: 'acme',
    code,
    clicks: 1,
    is_unique: true,
    ...{ ...noValues, ...clickValues, rule: 'pages/a', campaign: 'spring', source: 'none' },
    shard: expect.stringMatching(/^[\w-]{11}$/),
    position: expect.any(String),
    day: new Date().toISOString().slice(0, 10),
  });
});

const rowsIn = (text: string) =>
  text
    .trim()
    .split('\n')
    .map((row) => JSON.parse(row));

test('after a lost response rows repeat, analytics do not', async () => {
  const code = unique('code');
  const event = batch(code, 50);
  faults = [
    async (_, forward) => {
      await forward();
      return 'hang up';
    },
  ];
  expect(await over()(event)).toEqual(done);
  expect(await over()(event)).toEqual(done);
  const rows = await rowsOf(code);
  expect(rows).toHaveLength(150);
  expect(withoutRepeats(rows)).toHaveLength(50);
  expect(await clicksOf(code)).toBe(50);
});

/** Accepts every record except those at the given places. */
const refusing =
  (...places: number[]): Intercept =>
  async ({ body }, forward) => {
    const { Records, ...input } = JSON.parse(body.toString());
    const kept = Records.filter((_: unknown, i: number) => !places.includes(i));
    if (kept.length > 0) await forward(Buffer.from(JSON.stringify({ ...input, Records: kept })));
    const RequestResponses = Records.map((_: unknown, i: number) =>
      places.includes(i) ? { ErrorCode: 'ServiceUnavailableException' } : { RecordId: String(i) },
    );
    const answer = Buffer.from(JSON.stringify({ FailedPutCount: places.length, RequestResponses }));
    return { status: 200, headers: { 'content-length': String(answer.length) }, body: answer };
  };

test('only refused records are put again', async () => {
  const code = unique('code');
  // Rows that fill three records.
  const event = batch(code, 900, 'r'.repeat(2500));
  faults = [refusing(0, 2), refusing(1)];
  expect(await over()(event)).toEqual(done);
  expect(calls).toEqual([3, 2, 1]);
  const rows = await rowsOf(code);
  expect(rows).toHaveLength(900);
  expect(withoutRepeats(rows)).toHaveLength(900);
});

test('a record that the answer does not mention is put again', async () => {
  const code = unique('code');
  const silent = Buffer.from('{"FailedPutCount":0,"RequestResponses":[]}');
  const headers = { 'content-length': String(silent.length) };
  faults = [async () => ({ status: 200, headers, body: silent })];
  expect(await over()(batch(code, 5))).toEqual(done);
  expect([calls.length, (await rowsOf(code)).length]).toEqual([2, 5]);
});

test('records that stay refused become files, and analytics do not wait', async () => {
  const code = unique('code');
  const event = batch(code, 900, 'r'.repeat(2500));
  faults = [refusing(1, 2), refusing(0), refusing(0)];
  expect(await over()(event)).toEqual(done);
  expect(await clicksOf(code)).toBe(900);
  const [[file, text] = ['', '']] = files;
  const [first] = rowsIn(text);
  expect([files.size, file]).toEqual([1, `rows/${first.shard}/${first.position}.ndjson`]);
  expect(withoutRepeats([...(await rowsOf(code)), ...rowsIn(text)])).toHaveLength(900);
});

test('while the export is away each batch is a file, and half a minute passes without a call', async () => {
  const code = unique('code');
  const handler = over();
  faults = Array.from({ length: 9 }, () => async () => 'hang up' as const);
  const events = Array.from({ length: 5 }, () => batch(code, 10));
  for (const event of events) expect(await handler(event)).toEqual(done);
  // A repeated batch writes the same file.
  expect(await handler(events[0] ?? batch(code, 0))).toEqual(done);
  expect([calls.length, files.size, await clicksOf(code)]).toEqual([3, 5, 50]);
  faults = [];
  const at = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 30_000);
  await handler(batch(code, 10));
  at.mockRestore();
  expect([calls.length, files.size, (await rowsOf(code)).length]).toEqual([4, 5, 10]);
  expect(log.lines.filter((line) => line.includes('"RowsDelayed":1')).length).toBeGreaterThanOrEqual(5);
});

test('rows that nothing takes are lost only to the export, and counted', async () => {
  const code = unique('code');
  isBucketAway = true;
  faults = [refusing(0), refusing(0), refusing(0)];
  expect(await over()(batch(code, 7))).toEqual(done);
  expect(await clicksOf(code)).toBe(7);
  expect(log.lines.findLast((line) => line.includes('"RowsLost":1'))).toContain('"rows":7');
});

test('a click gets its row once it is counted, and not before', async () => {
  const [fine, failing] = [unique('code'), unique('code')];
  const Records = [fine, failing, fine].map((code) => aRecord(code));
  const table = tableBefore(db.table, 'update', ({ Key }) => {
    if (Key?.PK.endsWith(`#${failing}`)) throw new Error('The table is away');
  });
  expect(await over(table)({ shardId: 'shard', Records })).toEqual(from(Records[1]));
  expect([(await rowsOf(fine)).length, (await rowsOf(failing)).length]).toEqual([1, 0]);
  expect(await over()({ shardId: 'shard', Records: Records.slice(1) })).toEqual(done);
  expect([(await rowsOf(fine)).length, (await rowsOf(failing)).length]).toEqual([2, 1]);
});

test('a role without the grant cannot put rows', async () => {
  const code = unique('code');
  expect(await over(db.table, 'Other')(batch(code, 2))).toEqual(done);
  expect([files.size, await rowsOf(code)]).toEqual([1, []]);
  expect(log.lines.join('')).toContain('is not authorized to perform: firehose:PutRecordBatch');
});

test('app opens have no rows, and without rows there is no call', async () => {
  const code = unique('code');
  const record = aRecord(code);
  const open = { ...record, dynamodb: { ...record.dynamodb, NewImage: { opens: { N: '1' } } } };
  expect(await over()({ shardId: 'shard', Records: [open] })).toEqual(done);
  expect(calls).toEqual([]);
});
