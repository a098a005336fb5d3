import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DynamoDBRecord } from 'aws-lambda';
import { figureStore } from '../../core/clicks/figure-store.ts';
import { openStores } from '../../core/stores.ts';
import { seriesKey } from '../../core/table/keys.ts';
import { aggregator } from '../../lambdas/streams/aggregate-clicks.ts';
import { startEventSourceMapping } from '../../local/event-source-mapping/mapping.ts';
import { runAdmin } from '../../ops/admin/program.ts';
import { redrive } from '../../ops/redrive.ts';
import { aLinkDraft, aProject, unique } from '../support/builders.ts';
import { startTable, type TestTable, tableName } from '../support/engine.ts';
import { captureFunctionLog } from '../support/function-log.ts';

let db: TestTable;
let folder: string;
beforeAll(async () => {
  db = await startTable();
});
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'failures-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
afterAll(() => db.stop());

const stores = () => openStores(db.table);
const click = async (code: string, visitor: string) => {
  await db.table.update({
    Key: { PK: `VISITOR#acme#${code}#${visitor}`, SK: 'VISITOR' },
    UpdateExpression: 'ADD hits :one SET visit = :visit',
    ExpressionAttributeValues: { ':one': 1, ':visit': { platform: 'web', country: 'DE' } },
  });
};

/**
 * Follows the table like the service, except for links whose figures can't be written; discards those at
 * once.
 */
const follow = (isAway: (code: string) => boolean) =>
  startEventSourceMapping({
    mapping: {
      id: 'Mapping',
      functionId: 'Function',
      tableId: 'Table',
      filters: [{ dynamodb: { Keys: { PK: { S: [{ prefix: 'VISITOR#' }] } } } }],
      batchSize: 1000,
      batchingWindowSeconds: 0,
      tumblingWindowSeconds: 900,
      startingPosition: 'TRIM_HORIZON',
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      maximumRetryAttempts: 0,
      maximumRecordAgeSeconds: -1,
      onFailure: 'arn:aws:s3:::failures',
    },
    table: db.resource,
    streamArn: db.streamArn,
    endpoint: db.endpoint,
    data: folder,
    pollMs: 3,
    retryMs: 0,
    invoke: async ({ Records, shardId }) => {
      const table = {
        ...db.table,
        update: (input: Parameters<typeof db.table.update>[0]) =>
          isAway(String(input.Key?.PK).split('#')[2] ?? '')
            ? Promise.reject(new Error('The table is away'))
            : db.table.update(input),
      };
      const records = Records as unknown as DynamoDBRecord[];
      return {
        ok: true,
        payload: await aggregator({ stores: { figures: figureStore(table) } })({
          Records: records,
          ...(shardId && { shardId }),
        }),
      };
    },
  });

test('adds discarded clicks once, and skips those already counted', async () => {
  const log = captureFunctionLog();
  const [well, away] = [unique('code'), unique('code')];
  for (const visitor of ['a', 'b', 'c']) for (const code of [well, away]) await click(code, visitor);
  const mapping = follow((code) => code === away);
  await mapping.idle();
  await mapping.stop();
  log.stop();
  const clicks = async (code: string) => (await stores().figures.find('acme', code)).figures;
  expect([(await clicks(well)).clicks, (await clicks(away)).clicks]).toEqual([3, 0]);
  const failures = path.join(folder, 'failures');
  expect(await redrive(failures, { stores: stores(), now: new Date() })).toMatchObject({
    added: 3,
    expired: 0,
    unreadable: 0,
  });
  expect(await redrive(failures, { stores: stores(), now: new Date() })).toMatchObject({ added: 0 });
  expect(await clicks(well)).toMatchObject({ clicks: 3, uniques: 3 });
  expect(await clicks(away)).toMatchObject({
    clicks: 3,
    uniques: 3,
    platforms: { web: 3 },
    countries: { DE: 3 },
  });
});

/** Enough batches of a click each that some of them settle their hour. */
const writeClicks = (to: string, project: string, at: string) => {
  for (let i = 0; i < 40; i += 1) {
    const click = {
      dynamodb: {
        Keys: { PK: { S: `VISITOR#${project}#summer#0` }, SK: { S: `CLICKS#${i}` } },
        NewImage: { hits: { N: '1' }, visit: { M: { country: { S: i % 2 ? 'DE' : 'FR' } } } },
        SequenceNumber: String(1000 + i),
        ApproximateCreationDateTime: Date.parse(at) / 1000,
      },
    };
    writeFileSync(path.join(to, `batch-${i}`), JSON.stringify(batch([click], String(1000 + i))));
  }
};

test('days of redriven clicks are kept as long as others', async () => {
  const project = unique('project');
  writeClicks(folder, project, '2026-05-01T10:00:00.000Z');
  const now = new Date('2026-05-02T10:00:00.000Z');
  expect(await redrive(folder, { stores: stores(), retentionDays: 30, now })).toMatchObject({ added: 40 });
  for (const owner of [{ project, code: 'summer' }, { project }]) {
    const { ttl } = (await db.table.get(seriesKey('hour', '2026-05-01T10', owner))) ?? {};
    expect(ttl).toBe(Date.parse('2026-06-01T00:00:00.000Z') / 1000);
  }
});

const batch = (Records: object[], start = '1') => ({
  DDBStreamBatchInfo: { shardId: 'shard', startSequenceNumber: start, streamArn: 'stream' },
  payload: JSON.stringify({ Records }),
});

test('stores discarded expiries, and counts unreadable records', async () => {
  const project = aProject();
  await stores().projects.create(project);
  const draft = aLinkDraft({ project: project.id, expiresAt: '2026-05-01T00:00:00.000Z' });
  const { code } = await stores().links.create(draft, { project, generateCode: () => 'unused' });
  const text = (value: string) => ({ S: value });
  const removal = {
    dynamodb: {
      Keys: { PK: text(`LINK#${project.id}#${code}`), SK: text('EXPIRY') },
      OldImage: { project: text(project.id), code: text(code), expiresAt: text('2026-05-01T00:00:00.000Z') },
    },
  };
  writeFileSync(path.join(folder, 'batch'), JSON.stringify(batch([removal, {}])));
  writeFileSync(path.join(folder, 'note.txt'), 'not a batch');
  const notes: string[] = [];
  const note = (said: string) => void notes.push(said);
  expect(await redrive(folder, { stores: stores(), now: new Date(), note })).toEqual({
    batches: 1,
    added: 0,
    skipped: 0,
    expired: 1,
    unreadable: 2,
  });
  expect(notes).toEqual([
    expect.stringMatching(/^1 of the files can't be read as batches: note\.txt\. Copy/),
  ]);
  expect((await stores().links.get(project.id, code)).link.status).toBe('EXPIRED');
});

/** Runs the command on the folder `failures`, against a local stack that says this of itself as well. */
const runCommand = async (facts: object = {}) => {
  const stack = { apiBaseUrl: 'http://127.0.0.1:1', shortBaseUrl: 'http://127.0.0.1:1', ...facts };
  const data = path.join(folder, 'data');
  mkdirSync(data, { recursive: true });
  const table = { tableName, dynamodbEndpoint: db.endpoint };
  writeFileSync(path.join(data, 'stack.json'), JSON.stringify({ ...stack, ...table }));
  const said: string[] = [];
  const say = (text: string) => void said.push(text);
  const terminal = { print: say, progress: say, write: async () => undefined, input: async () => '' };
  const args = ['clicks', 'redrive', path.join(folder, 'failures'), '--data', data, '--json'];
  return { ok: await runAdmin(args, terminal), said };
};

test('the command keeps days as long as its stack says', async () => {
  const project = unique('project');
  const at = new Date(Date.now() - 3_600_000).toISOString();
  mkdirSync(path.join(folder, 'failures'));
  writeClicks(path.join(folder, 'failures'), project, at);
  expect(await runCommand({ figuresRetentionDays: 30 })).toMatchObject({ ok: true });
  const { ttl } = (await db.table.get(seriesKey('hour', at.slice(0, 13), { project, code: 'summer' }))) ?? {};
  expect(ttl).toBe(Date.parse(at.slice(0, 10)) / 1000 + 31 * 86_400);
});

test('the command fails if a file was left out, and only then', async () => {
  mkdirSync(path.join(folder, 'failures'));
  writeFileSync(path.join(folder, 'failures', 'batch'), JSON.stringify(batch([])));
  expect(await runCommand()).toEqual({ ok: true, said: [expect.stringContaining('"unreadable":0')] });
  for (let i = 0; i < 6; i += 1) writeFileSync(path.join(folder, 'failures', `half-${i}`), '{"DDB');
  expect(await runCommand()).toEqual({
    ok: false,
    said: [
      expect.stringMatching(/^6 of the files .* half-0, half-1, half-2, half-3, half-4 …\. /),
      expect.stringContaining('"unreadable":6'),
    ],
  });
});

test('fails if the folder does not exist', async () => {
  await expect(redrive(path.join(folder, 'nowhere'), { stores: stores(), now: new Date() })).rejects.toThrow(
    "can't be read",
  );
});
