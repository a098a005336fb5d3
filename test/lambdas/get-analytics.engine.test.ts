import * as fc from 'fast-check';
import { analyticsNames } from '../../core/analytics/analytics.ts';
import { analyticsItemsOf } from '../../core/analytics/analytics-items.ts';
import { analyticsStore } from '../../core/analytics/analytics-store.ts';
import type { ClickRecord } from '../../core/analytics/click-record.ts';
import { dimensionNames, dimensions } from '../../core/analytics/dimensions.ts';
import { packedPosition } from '../../core/analytics/positions.ts';
import { openStores } from '../../core/stores.ts';
import { analyticsKey, dayKey, hourKey } from '../../core/table/analytics-keys.ts';
import type { Key } from '../../core/table/keys.ts';
import type { Item } from '../../core/table/table.ts';
import { updateOf } from '../../core/table/update.ts';
import { aClickRecord, aLinkDraft } from '../support/builders.ts';
import { fileTable, newProject, tableName } from '../support/engine.ts';
import { fillTable } from '../support/fill-table.ts';
import { callApi } from '../support/function-calls.ts';
import { handlerOf } from '../support/handler-of.ts';
import { startMeteredEngine } from '../support/metered-engine.ts';
import { isNightly, testAtNight } from '../support/nightly.ts';
import { ofFile } from '../support/of-file.ts';

const dayMs = 86_400_000;
const now = Date.parse('2026-11-21T10:30:00Z');
const codes = ['one', 'two', 'three'] as const;
/** When the links were created. */
const beginning = now - 500 * dayMs;

const db = fileTable();
const meter = ofFile(() => startMeteredEngine(db.endpoint));
const stores = ofFile(() => openStores(db.table));
const analytics = ofFile(() => analyticsStore(db.table, { clock: () => new Date(now) }));
const handler = handlerOf(() => import('../../lambdas/api/get-analytics.ts'), meter);

type Query = Readonly<Record<string, string>>;

const ask = async (project: string, query: Query) => {
  const { status, body } = await callApi(handler, { path: '/analytics', project, query, at: now });
  expect([query, status, body.error]).toEqual([query, 200, undefined]);
  return body.data;
};

const projectWithLinks = async (id?: string): Promise<string> => {
  const project = await newProject(db, id === undefined ? {} : { id });
  const createdAt = new Date(beginning).toISOString();
  for (const code of codes) {
    const draft = aLinkDraft({ project: project.id, code, createdAt });
    await stores.links.create(draft, { project, generateCode: () => 'unused' });
  }
  return project.id;
};

const count = async (records: readonly ClickRecord[], shard = 'shard') => {
  for (const item of analyticsItemsOf({ shard, records })) await analytics.add(item);
};

const moment = (from: number) => fc.integer({ min: Math.ceil(from / 1000), max: Math.floor(now / 1000) });

/** Mostly close together, to fill days and hours, and some far apart. */
const time = fc.oneof(
  { weight: 5, arbitrary: moment(now - 2 * dayMs) },
  { weight: 1, arbitrary: moment(beginning) },
);
const where = { code: fc.constantFrom('one', 'one', 'one', 'two', 'three'), at: time };

/** With more referrers than an item holds. */
const event = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      ...where,
      clicks: fc.integer({ min: 1, max: 3 }),
      unique: fc.boolean(),
      platform: fc.constantFrom('ios', 'android', 'web'),
      country: fc.constantFrom('DE', 'FR', 'other'),
      referrer: fc.integer({ min: 0, max: 300 }).map((i) => `r${i}.example`),
      browser: fc.constantFrom('chrome', 'safari', 'other'),
      os: fc.constantFrom('ios', 'android', 'other'),
      trigger: fc.constantFrom('link', 'qr'),
      rule: fc.constantFrom('none', 'teaser', 'pages/a', ...Array.from({ length: 50 }, (_, i) => `r${i}`)),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      ...where,
      clicks: fc.constant(0),
      unique: fc.constant(false),
      opens: fc.integer({ min: 1, max: 2 }),
    }),
  },
);

const isoTime = (time: number) => new Date(time).toISOString();

/** A range of at most 1,000 buckets. */
const range: fc.Arbitrary<Query> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ interval: fc.constantFrom('24h', '7d', '30d', '90d', '1y', 'all') }) },
  {
    weight: 3,
    arbitrary: fc
      .record({
        granularity: fc.constantFrom(
          ['hour', 3] as const,
          ['hour', 40] as const,
          ['day', 900] as const,
          ['month', 900] as const,
        ),
        end: time,
        share: fc.double({ min: 0, max: 1, noNaN: true }),
      })
      .map(({ granularity: [granularity, days], end, share }) => ({
        granularity,
        start: isoTime(end * 1000 - 1000 - Math.floor(share * days * dayMs)),
        end: isoTime(end * 1000),
      })),
  },
);

const sumOf = (entries: readonly Readonly<Record<string, number>>[], name: string) =>
  entries.reduce((sum, entry) => sum + (entry[name] ?? 0), 0);

testAtNight('the busiest links cost the same, however many deleted links were busier', async () => {
  const project = await projectWithLinks();
  const gone = Array.from({ length: 249 }, (_, i) => `gone-${i}`);
  for (const code of gone) {
    const item = { PK: `LINK#${project}#${code}`, SK: 'LINK', project, code, status: 'DELETED' };
    await db.table.put({ Item: item });
  }
  const at = (day: number) => ({ at: (now - day * dayMs) / 1000, created: now / 1000 });
  await count([aClickRecord({ project, code: 'one', clicks: 9, ...at(0) }, 1)]);
  for (let day = 0; day < 4; day += 1) {
    // On other days, other codes that have no item any more.
    const codesOfDay = day === 0 ? gone : gone.map((code) => `${code}-${day}`);
    const clicks = day === 0 ? 2 : 1;
    await count(codesOfDay.map((code, i) => aClickRecord({ project, code, clicks, ...at(day) }, i + 2)));
  }
  meter.take();
  expect(await ask(project, { interval: '7d', groupBy: 'links' })).toEqual([{ code: 'one', clicks: 9 }]);
  const lookups = meter.take().filter(({ action }) => action === 'BatchGetItem');
  expect(lookups).toHaveLength(2);
  // 200 small links, half a unit each.
  expect(lookups.reduce((sum, { reads }) => sum + reads, 0)).toBeLessThanOrEqual(100);
});

test('the busiest links of a day are named, though they come after the item is full', async () => {
  const project = await projectWithLinks();
  let position = 0;
  const click = (code: string) =>
    aClickRecord({ project, code, at: now / 1000, created: now / 1000 }, ++position);
  for (let i = 0; i < 300; i += 25)
    await count(Array.from({ length: 25 }, (_, j) => click(`early-${i + j}`)));
  for (const [code, batches] of [
    ['three', 20],
    ['two', 30],
  ] as const)
    for (let i = 0; i < batches; i += 1) await count(Array.from({ length: 20 }, () => click(code)));
  expect(await ask(project, { interval: '24h' })).toMatchObject({ clicks: 1300 });
  const [busiest, next] = await ask(project, { interval: '24h', groupBy: 'links' });
  expect([busiest.code, next.code]).toEqual(['two', 'three']);
  expect(next.clicks).toBeGreaterThan(350);
});

test('clicks of a link are grouped by the deciding rule, mostly without room for it', async () => {
  const project = await projectWithLinks();
  const click = (rule: string, i: number) =>
    aClickRecord({ project, code: 'one', rule, at: now / 1000, created: now / 1000 }, i);
  await count(['none', 'pages/a', 'teaser', 'pages/a', 'none', 'none'].map((rule, i) => click(rule, i + 1)));
  const asked = { groupBy: 'rules', interval: '24h' };
  expect(await ask(project, { ...asked, code: 'one' })).toEqual([
    { rule: 'none', clicks: 3 },
    { rule: 'pages/a', clicks: 2 },
    { rule: 'teaser', clicks: 1 },
  ]);
  await expect(ask(project, asked)).rejects.toThrow('is required with groupBy=rules');
});

test("all time from a start has the clicks since then, not a link's totals", async () => {
  const project = await projectWithLinks();
  const click = (days: number, i: number) =>
    aClickRecord({ project, code: 'one', at: (now - days * dayMs) / 1000, created: now / 1000 }, i);
  await count([click(40, 1), click(0, 2)]);
  const asked = { code: 'one', interval: 'all' };
  expect(await ask(project, asked)).toMatchObject({ clicks: 2 });
  expect(await ask(project, { ...asked, start: isoTime(now - dayMs) })).toMatchObject({ clicks: 1 });
});

test('every grouping and every series of a range adds up to its count', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 100, maxLength: 150 }),
      fc.array(fc.tuple(range, fc.constantFrom(undefined, ...codes)), { minLength: 6, maxLength: 6 }),
      async (events, questions) => {
        const project = await projectWithLinks();
        await count(events.map((fields, i) => aClickRecord({ project, ...fields }, i + 1)));
        for (const [range, code] of questions) {
          const query = { ...range, ...(code && { code }) };
          const { clicks, uniqueClicks } = await ask(project, query);
          const series = await ask(project, { ...query, groupBy: 'timeseries' });
          expect([sumOf(series, 'clicks'), sumOf(series, 'uniqueClicks')]).toEqual([clicks, uniqueClicks]);
          const opens = await ask(project, { ...query, event: 'opens' });
          const openSeries = await ask(project, { ...query, event: 'opens', groupBy: 'timeseries' });
          expect(sumOf(openSeries, 'opens')).toBe(opens.opens);
          for (const groupBy of dimensionNames) {
            if (dimensions[groupBy].ofLinks && !code) continue;
            const grouped = await ask(project, { ...query, groupBy });
            expect([groupBy, sumOf(grouped, 'clicks')]).toEqual([groupBy, clicks]);
          }
        }
      },
    ),
    { numRuns: isNightly ? 10 : 1, endOnFailure: true },
  );
});

test("the lifetime analytics of a link are its totals, and a project's are the sum of its links", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 1, maxLength: 60 }), async (events) => {
      const project = await projectWithLinks();
      await count(events.map((fields, i) => aClickRecord({ project, ...fields }, i + 1)));
      const ofLinks = { clicks: 0, uniqueClicks: 0 };
      for (const code of codes) {
        const { analytics } = await stores.links.get(project, code);
        const { clicks, uniques: uniqueClicks } = analytics;
        expect(await ask(project, { code, interval: 'all' })).toEqual({ clicks, uniqueClicks });
        const days = await ask(project, { code, interval: 'all', groupBy: 'timeseries' });
        expect(sumOf(days, 'clicks')).toBe(clicks);
        ofLinks.clicks += clicks;
        ofLinks.uniqueClicks += uniqueClicks;
      }
      const sums = { clicks: 0, uniqueClicks: 0 };
      for (const { clicks, unique } of events) {
        sums.clicks += clicks;
        sums.uniqueClicks += unique ? 1 : 0;
      }
      expect(ofLinks).toEqual(sums);
      expect(await ask(project, { interval: 'all' })).toEqual(sums);
    }),
    { numRuns: isNightly ? 40 : 2, endOnFailure: true },
  );
});

const hourMs = 3_600_000;
const today = Math.floor(now / dayMs);
/** As many days as counting leaves open at most, today included. */
const openDays = { link: 9, project: 2 };

/** An hour of a link that people open from many places, in a project with 249 others, on a table of four partitions. */
const countBusyHour = async (project: string, hour: number): Promise<void> => {
  const pick = <Value>(values: readonly Value[], i: number) => values[i % values.length] as Value;
  const countries = ['DE', 'FR', 'US', 'GB', 'ES', 'IT', 'NL', 'PL', 'BR', 'JP', 'other'];
  const browsers = ['chrome', 'safari', 'firefox', 'edge', 'instagram', 'other'];
  const busy = Array.from({ length: 300 }, (_, i) => ({
    code: 'one',
    clicks: 1 + (i % 4),
    unique: i % 3 > 0,
    platform: pick(['ios', 'android', 'web'] as const, i),
    country: pick(countries, i),
    referrer: i % 2 ? 'direct' : `www${i % 9}.example`,
    browser: pick(browsers, i),
    os: pick(['ios', 'android', 'windows', 'macos'], i),
    trigger: pick(['link', 'link', 'qr'], i),
  }));
  const others = Array.from({ length: 249 }, (_, i) => ({
    code: `other-${i}`,
    country: pick(countries, i),
    referrer: `www${i % 9}.example`,
  }));
  const at = (hour * hourMs) / 1000;
  const records = [...busy, ...others].map((fields, i) =>
    aClickRecord(
      // As long as DynamoDB's own.
      { project, at, created: at, position: packedPosition(`${10n ** 24n + BigInt(i)}`), ...fields },
      i,
    ),
  );
  const shards = Map.groupBy(records, ({ code }) => (code === 'one' ? 0 : Number(code.slice(6)) % 4));
  for (const [shard, some] of shards) await count(some, `shard-${shard}`);
};

/** Writes items again under other keys. */
const copyItems = async (items: readonly Item[], keys: readonly ((item: Item) => Key)[]): Promise<void> => {
  const copies = keys.flatMap((keyOf) => items.map((item) => ({ ...item, ...keyOf(item) })));
  await fillTable({ endpoint: db.endpoint, name: tableName }, copies);
};

/** Every hour of the open days, and the closed days before them, all as busy. */
const writeDays = async (project: string): Promise<void> => {
  // So long ago that it is summed at once.
  const day = today - 20;
  await countBusyHour(project, day * 24);
  const owners = [
    [{ project, code: 'one' }, openDays.link, 1000],
    [{ project }, openDays.project, 365],
  ] as const;
  for (const [owner, open, days] of owners) {
    const closed = today - open + 1;
    const items = await db.table.query({
      KeyConditionExpression: 'PK = :pk',
      ExpressionAttributeValues: { ':pk': dayKey('day', owner, day).PK },
    });
    const hours = items.filter(({ SK }) => String(SK).startsWith('H#'));
    const now24 = Math.floor(now / hourMs) + 1;
    await copyItems(
      hours,
      Array.from({ length: now24 - closed * 24 }, (_, i) => ({ SK }: Item) => {
        const item = Number(String(SK).split('#')[2]);
        return hourKey(owner, closed * 24 + i, item);
      }),
    );
    for (const unit of ['day', 'dayByLink'] as const) {
      await copyItems(
        items.filter(({ SK }) => SK === dayKey(unit, owner, day).SK),
        Array.from({ length: days }, (_, i) => () => dayKey(unit, owner, closed - 1 - i)),
      );
    }
    const set = { [analyticsNames.closed]: closed, [analyticsNames.closedAt]: now / 1000 - 7200 };
    await db.table.update(updateOf(analyticsKey(owner), { set }));
  }
};

testAtNight(
  'a year takes at most 60 read units, with 250 links in every hour, and 1,000 days are one page',
  async () => {
    // Every key has the project's id: a longer one makes the items larger.
    const project = await projectWithLinks('busy-all-year-long');
    await writeDays(project);
    const readsOf = async (query: Query) => {
      meter.take();
      const answer = await ask(project, query);
      const queries = meter.take().filter(({ action }) => action === 'Query');
      return { answer, reads: queries.reduce((sum, { reads }) => sum + reads, 0), queries: queries.length };
    };
    const units: number[] = [];
    for (const code of ['one', undefined]) {
      const year = await readsOf({ interval: '1y', groupBy: 'countries', ...(code && { code }) });
      units.push(year.reads);
    }
    // Days that are closed take 13 of them, and the hours of the open ones the rest.
    expect(Math.max(...units)).toBeLessThanOrEqual(60);
    expect(Math.min(...units)).toBeGreaterThan(30);
    const hoursOf = (open: number) => (open - 1) * 24 + 11;
    const busiest = await ask(project, { interval: '1y', groupBy: 'links' });
    const { link, project: ofProject } = openDays;
    expect(busiest).toEqual([{ code: 'one', clicks: (365 - ofProject + hoursOf(ofProject)) * 750 }]);
    const start = isoTime(now - 999 * dayMs).slice(0, 10);
    const days = await readsOf({ code: 'one', start, granularity: 'day', groupBy: 'timeseries' });
    expect(days.answer).toHaveLength(1000);
    expect(sumOf(days.answer, 'clicks')).toBe((1000 - link + hoursOf(link)) * 750);
    // The link itself, its days from long ago, those that late clicks may change, and the hours of open days.
    expect(days.queries).toBe(4);
  },
);
