import { opensKey, visitorKey } from '../../../core/table/figure-keys.ts';
import { type Click, clickStore, clickWrite, openWrite } from '../../../core/visits/click-store.ts';
import { startFaultyEngine } from '../../../local/testing/faulty-engine.ts';
import { unique } from '../../support/builders.ts';
import { fileTable } from '../../support/engine.ts';
import { openLeanTable } from '../../support/lean-table.ts';
import { startMeteredEngine } from '../../support/metered-engine.ts';
import { ofFile } from '../../support/of-file.ts';

const db = fileTable();
const faulty = ofFile(() => startFaultyEngine(db.endpoint));
const meter = ofFile(() => startMeteredEngine(db.endpoint));
const clicks = ofFile(() => clickStore(openLeanTable(faulty.endpoint)));
afterEach(() => {
  faulty.fault = () => 'none';
});

const at = new Date('2026-03-01T12:00:00.000Z');
const aClick = (fields: Partial<Click> = {}): Click => ({
  project: 'acme',
  code: unique('code'),
  visitor: 'visitor',
  clickId: unique('click'),
  platform: 'ios',
  country: 'DE',
  referrer: 'news.example',
  browser: 'safari',
  os: 'ios',
  trigger: 'qr',
  at,
  windowSeconds: 90 * 86_400,
  ...fields,
});

const visitorOf = ({ project, code, visitor }: Click) => db.table.get(visitorKey(project, code, visitor));

test("a prepared link's visitors are in their group, and only that is stored of it", async () => {
  const click = aClick({ groups: 16 });
  await clicks.record(clickWrite(click));
  const key = visitorKey(click.project, click.code, click.visitor, 16);
  expect(key.PK).toMatch(/#g\d+$/);
  expect(JSON.stringify(await db.table.get(key))).not.toContain('groups');
  expect(await visitorOf(click)).toBeUndefined();
});

test('stores only the visitor data that figures need', async () => {
  const click = aClick();
  await clicks.record(clickWrite(click));
  const seen = at.getTime() / 1000;
  expect(await visitorOf(click)).toEqual({
    ...visitorKey(click.project, click.code, 'visitor'),
    hits: 1,
    visit: {
      platform: 'ios',
      country: 'DE',
      referrer: 'news.example',
      browser: 'safari',
      os: 'ios',
      trigger: 'qr',
      seen,
      ms: 0,
      newFrom: seen + 90 * 86_400,
    },
    // A day longer, so that TTL never removes a visitor during a click.
    ttl: seen + 91 * 86_400,
    click0: expect.stringMatching(/^[\w-]{11}$/),
    ...Object.fromEntries([1, 2, 3].map((i) => [`click${i}`, '-'])),
  });
});

test('what reading nothing means is not stored', async () => {
  const usual = {
    platform: 'web',
    country: 'other',
    referrer: 'other',
    browser: 'other',
    os: 'other',
  } as const;
  const click = aClick({ ...usual, trigger: 'link' });
  await clicks.record(clickWrite(click));
  const seen = at.getTime() / 1000;
  expect((await visitorOf(click))?.visit).toEqual({ seen, ms: 0, newFrom: seen + 90 * 86_400 });
});

test('a click takes one write unit, also with names of 64 bytes and ten tags of 32', async () => {
  const click = aClick({
    project: 'p'.repeat(32),
    code: 'c'.repeat(50),
    visitor: 'v'.repeat(22),
    referrer: 'r'.repeat(100),
    browser: 'samsung-internet',
    os: 'chromeos',
    rule: `${'r'.repeat(32)}/${'e'.repeat(32)}`,
    campaign: 'g'.repeat(64),
    source: 's'.repeat(64),
    own: 'g#s#',
    tags: Array.from({ length: 10 }, (_, i) => String(i).repeat(32)),
  });
  const metered = clickStore(openLeanTable(meter.endpoint));
  for (let i = 0; i < 9; i += 1) await metered.record(clickWrite({ ...click, clickId: `${i}` }));
  expect(meter.take().map(({ writes }) => writes)).toEqual(Array(9).fill(1));
});

test('counts a click once if its response was lost', async () => {
  const click = aClick();
  let calls = 0;
  faulty.fault = () => (calls++ === 0 ? 'lose-answer' : 'none');
  await clicks.record(clickWrite(click));
  expect([calls, (await visitorOf(click))?.hits]).toEqual([2, 1]);
});

test('counts a click once if the edge repeats it after later clicks of the visitor', async () => {
  const click = aClick();
  await clicks.record(clickWrite(click));
  for (let i = 0; i < 3; i += 1) await clicks.record(clickWrite({ ...click, clickId: unique('click') }));
  await clicks.record(clickWrite(click));
  expect((await visitorOf(click))?.hits).toBe(4);
});

test('fails if the table stays throttled', async () => {
  const click = aClick();
  faulty.fault = () => 'throttle';
  // Else it waits as long as its deadline lets it.
  const impatient = clickStore(openLeanTable(faulty.endpoint, { whileBusy: 'count' }));
  await expect(impatient.record(clickWrite(click))).rejects.toMatchObject({
    name: 'ProvisionedThroughputExceededException',
  });
  expect(await visitorOf(click)).toBeUndefined();
});

test('fails at its deadline', async () => {
  const click = aClick();
  const within = (deadlineMs: number) => clickStore(openLeanTable(faulty.endpoint, { deadlineMs }));
  await expect(within(0).record(clickWrite(click))).rejects.toMatchObject({ name: 'TimeoutError' });
  faulty.fault = () => 'hang';
  await expect(within(50).record(clickWrite(click))).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(await visitorOf(click)).toBeUndefined();
});

test('counts an app open once, apart from clicks', async () => {
  const { project, code } = aClick();
  const open = { project, code, visitor: 'visitor', platform: 'ios', isFirst: true, at } as const;
  let lost = false;
  faulty.fault = () => {
    const first = !lost;
    lost = true;
    return first ? 'lose-answer' : 'none';
  };
  await clicks.record(openWrite({ ...open, requestId: 'first' }));
  await clicks.record(openWrite({ ...open, requestId: 'second', isFirst: false }));
  const item = await db.table.get(opensKey(project, code, 'visitor'));
  expect(item).toMatchObject({
    opens: 2,
    firstOpens: 1,
    visit: { platform: 'ios', seen: at.getTime() / 1000 },
  });
  expect(await db.table.get(visitorKey(project, code, 'visitor'))).toBeUndefined();
});
