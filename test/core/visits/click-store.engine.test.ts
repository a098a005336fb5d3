import { excludedOf } from '../../../core/analytics/analytics.ts';
import { analyticsStore } from '../../../core/analytics/analytics-store.ts';
import {
  analyticsKey,
  excludedKey,
  excludedPrefix,
  opensKey,
  visitorKey,
} from '../../../core/table/analytics-keys.ts';
import { once } from '../../../core/table/retry-policy.ts';
import { type Click, clickStore, clickWrite, openWrite } from '../../../core/visits/click-store.ts';
import { excludedStore } from '../../../core/visits/excluded-store.ts';
import { aClick, clickValues, unique } from '../../support/builders.ts';
import { fileTable } from '../../support/engine.ts';
import { fileFaults, loseNext } from '../../support/faults.ts';
import { openLeanTable } from '../../support/lean-table.ts';
import { startMeteredEngine } from '../../support/metered-engine.ts';
import { ofFile } from '../../support/of-file.ts';

const db = fileTable();
const faulty = fileFaults(db);
const meter = ofFile(() => startMeteredEngine(db.endpoint));
const clicks = ofFile(() => clickStore(openLeanTable(faulty.endpoint)));

const { at } = aClick();
const visitorOf = ({ project, code, visitor }: Click) => db.table.get(visitorKey(project, code, visitor));

test("a prepared link's visitors are in their group, and only that is stored of it", async () => {
  const click = aClick({ groups: 16 });
  await clicks.record(clickWrite(click));
  const key = visitorKey(click.project, click.code, click.visitor, 16);
  expect(key.PK).toMatch(/#g\d+$/);
  expect(JSON.stringify(await db.table.get(key))).not.toContain('groups');
  expect(await visitorOf(click)).toBeUndefined();
});

test('stores only the visitor data that analytics need', async () => {
  const click = aClick();
  await clicks.record(clickWrite(click));
  const seen = at.getTime() / 1000;
  expect(await visitorOf(click)).toEqual({
    ...visitorKey(click.project, click.code, 'visitor'),
    hits: 1,
    visit: { ...clickValues, seen, ms: 0, newFrom: seen + 90 * 86_400 },
    // A day longer, so that TTL never removes a visitor during a click.
    ttl: seen + 91 * 86_400,
    click0: expect.stringMatching(/^[\w-]{11}$/),
    at0: seen,
    ...Object.fromEntries(
      [1, 2, 3].flatMap((i) => [
        [`click${i}`, '-'],
        [`at${i}`, 0],
      ]),
    ),
  });
});

test('default values are not stored', async () => {
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
  const losses = loseNext(faulty);
  await clicks.record(clickWrite(click));
  expect([losses(), (await visitorOf(click))?.hits]).toEqual([1, 1]);
});

test('counts a click once if the edge repeats it after later clicks of the visitor', async () => {
  const click = aClick();
  await clicks.record(clickWrite(click));
  for (let i = 0; i < 3; i += 1) await clicks.record(clickWrite({ ...click, clickId: unique('click') }));
  await clicks.record(clickWrite(click));
  expect((await visitorOf(click))?.hits).toBe(4);
});

test('counts an app open once, apart from clicks', async () => {
  const { project, code } = aClick();
  const open = { project, code, visitor: 'visitor', platform: 'ios', isFirst: true, at } as const;
  loseNext(faulty);
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

describe('excluded visits', () => {
  const store = ofFile(() => excludedStore(openLeanTable(faulty.endpoint, once)));
  const aLink = () => ({ project: 'acme', code: unique('code') });
  const stored = async ({ project, code }: ReturnType<typeof aLink>) =>
    excludedOf(await db.table.get(excludedKey(project, code)));

  test('are added by reason, and not to the analytics of their link', async () => {
    const link = aLink();
    await store.add({ ...link, reasons: { bot: 2, head: 1 } });
    await store.add({ ...link, reasons: { bot: 3, 'social-crawler': 1 } });
    expect(await stored(link)).toEqual({ bot: 5, head: 1, 'social-crawler': 1 });
    expect(await db.table.get(analyticsKey(link))).toBeUndefined();
  });

  test('are shown with those that version 1.0.0 counted in the analytics of their link', async () => {
    const link = aLink();
    const former = { [`${excludedPrefix}bot`]: 2, [`${excludedPrefix}head`]: 1 };
    await db.table.put({ Item: { ...analyticsKey(link), n: 7, ...former } });
    await store.add({ ...link, reasons: { bot: 3, debug: 1 } });
    const { analytics, excluded } = await analyticsStore(db.table).find(link.project, link.code);
    expect([analytics.clicks, excluded]).toEqual([7, { bot: 5, head: 1, debug: 1 }]);
  });

  test.each(['lose-answer', 'hang'] as const)('are sent once without a response: %s', async (fault) => {
    const link = aLink();
    // Opens the connection that the next write finds in the pool.
    await store.add({ ...link, reasons: { head: 1 } });
    let calls = 0;
    faulty.fault = () => (calls++ === 0 ? fault : 'none');
    await expect(store.add({ ...link, reasons: { bot: 1 } })).rejects.toThrow();
    expect(calls).toBe(1);
    expect((await stored(link)).bot ?? 0).toBe(fault === 'hang' ? 0 : 1);
  });
});
