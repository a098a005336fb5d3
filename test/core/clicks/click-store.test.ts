import type * as Clicks from '../../../core/clicks/click-store.ts';
import { excludedOf, figuresOf } from '../../../core/clicks/figures.ts';
import { figuresKey, visitorKey } from '../../../core/table/keys.ts';
import { unique } from '../../support/builders.ts';
import { inContainer } from '../../support/container.ts';
import { startTable, type TestTable } from '../../support/engine.ts';
import { type FaultyEngine, startFaultyEngine } from '../../support/faulty-engine.ts';

let db: TestTable;
let faulty: FaultyEngine;
let clicks: typeof Clicks;
beforeAll(async () => {
  db = await startTable();
  faulty = await startFaultyEngine(db.endpoint);
  clicks = inContainer(
    {
      AWS_ENDPOINT_URL_DYNAMODB: faulty.endpoint,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      TABLE_NAME: db.resource.name,
    },
    () => require('../../../core/clicks/click-store.ts') as typeof Clicks,
  );
});
afterEach(() => {
  faulty.fault = () => 'none';
});
afterAll(async () => {
  await faulty.stop();
  await db.stop();
});

const at = new Date('2026-03-01T12:00:00.000Z');
const aClick = (fields: Partial<Clicks.Click> = {}): Clicks.Click => ({
  project: 'acme',
  code: unique('code'),
  visitor: 'visitor',
  clickId: unique('click'),
  platform: 'ios',
  country: 'DE',
  at,
  windowSeconds: 90 * 86_400,
  ...fields,
});

const inTime = 20_000;
const visitorOf = ({ project, code, visitor }: Clicks.Click) =>
  db.table.get(visitorKey(project, code, visitor));

test('writes what the figures are made of, and no more about the visitor', async () => {
  const click = aClick();
  await clicks.recordClick(click, inTime);
  const seen = at.getTime() / 1000;
  expect(await visitorOf(click)).toEqual({
    ...visitorKey(click.project, click.code, 'visitor'),
    hits: 1,
    visit: { platform: 'ios', country: 'DE', seen, newFrom: seen + 90 * 86_400 },
    // A day beyond, so that no sweep comes before a click that is under way.
    ttl: seen + 91 * 86_400,
    click0: expect.stringMatching(/^[\w-]{11}$/),
    ...Object.fromEntries([1, 2, 3].map((i) => [`click${i}`, '-'])),
  });
});

test('stays below the size that costs one write unit', async () => {
  const click = aClick({ project: 'p'.repeat(32), code: 'c'.repeat(50), visitor: 'v'.repeat(22) });
  for (let i = 0; i < 9; i += 1) await clicks.recordClick({ ...click, clickId: `${i}` }, inTime);
  expect(JSON.stringify(await visitorOf(click)).length).toBeLessThan(1024);
});

test('counts a click once whose answer was lost', async () => {
  const click = aClick();
  let calls = 0;
  faulty.fault = () => (calls++ === 0 ? 'lose-answer' : 'none');
  await clicks.recordClick(click, inTime);
  expect([calls, (await visitorOf(click))?.hits]).toEqual([2, 1]);
});

test('counts a click once that the edge repeats after others of the same visitor', async () => {
  const click = aClick();
  await clicks.recordClick(click, inTime);
  for (let i = 0; i < 3; i += 1) await clicks.recordClick({ ...click, clickId: unique('click') }, inTime);
  await clicks.recordClick(click, inTime);
  expect((await visitorOf(click))?.hits).toBe(4);
});

test('tells that a click was not written when the table stays throttled', async () => {
  const click = aClick();
  faulty.fault = () => 'throttle';
  await expect(clicks.recordClick(click, inTime)).rejects.toMatchObject({
    name: 'ProvisionedThroughputExceededException',
  });
  expect(await visitorOf(click)).toBeUndefined();
});

test('gives up when its time is over', async () => {
  const click = aClick();
  await expect(clicks.recordClick(click, 0)).rejects.toMatchObject({ name: 'TimeoutError' });
  faulty.fault = () => 'hang';
  await expect(clicks.recordClick(click, 50)).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(await visitorOf(click)).toBeUndefined();
});

test("adds excluded visits to their link's item by reason, and to no figure", async () => {
  const code = unique('code');
  const visits = { project: 'acme', code };
  await clicks.recordExcluded({ ...visits, reasons: { bot: 2, head: 1 } }, inTime);
  await clicks.recordExcluded({ ...visits, reasons: { bot: 3, 'social-crawler': 1 } }, inTime);
  const item = await db.table.get(figuresKey('acme', code));
  expect(excludedOf(item)).toEqual({ bot: 5, head: 1, 'social-crawler': 1 });
  expect(figuresOf(item)).toEqual(figuresOf(undefined));
});
