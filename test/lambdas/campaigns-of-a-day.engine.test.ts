import type { DynamoDBRecord } from 'aws-lambda';
import { analyticsStore } from '../../core/analytics/analytics-store.ts';
import { timeseriesStore } from '../../core/analytics/timeseries-store.ts';
import { rankedGroup } from '../../core/analytics-queries/groupings.ts';
import { eachOf } from '../../core/base/each-of.ts';
import { visitorReads } from '../../core/cached-reads/visitor-reads.ts';
import { shortLinkStore } from '../../core/short-urls/short-link-store.ts';
import { openStores } from '../../core/stores.ts';
import { clickStore } from '../../core/visits/click-store.ts';
import { excludedStore } from '../../core/visits/excluded-store.ts';
import { redirect } from '../../lambdas/short-urls/redirect.ts';
import { aggregator } from '../../lambdas/streams/aggregate-clicks.ts';
import { startEventSourceMapping } from '../../local/event-source-mapping/mapping.ts';
import { aLinkDraft, aProject } from '../support/builders.ts';
import { diceOf } from '../support/dice.ts';
import { fileTable } from '../support/engine.ts';
import { visitBy } from '../support/function-calls.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { openLeanTable } from '../support/lean-table.ts';
import { isNightly } from '../support/nightly.ts';
import { ofFile } from '../support/of-file.ts';
import { aggregation } from '../support/stream-mappings.ts';

const db = fileTable();
ofFile(captureFunctionLog);

const visits = isNightly ? 100_000 : 1_000;
const hours = isNightly ? 24 : 2;
const day = Date.UTC(2030, 0, 7);
const hourMs = 3_600_000;
const groups = ['campaigns', 'sources', 'tags'] as const;
type Group = (typeof groups)[number];

const links = [
  { code: 'spring', own: { utm_campaign: 'spring', utm_source: 'mail' }, tags: ['poster', 'sale'] },
  { code: 'rare-one', own: { utm_campaign: 'rare' }, tags: ['sale'] },
  { code: 'plain', own: {}, tags: [] },
] as const;
/** Campaigns of the owner's own addresses. */
const busy = ['Story 1', 'Story 2', 'Ärzte', 'one+two'];

/** Clicks by owner, hour, grouping and name. */
class PlainModel {
  readonly #clicks = new Map<string, Map<string, number>>();

  of(owner: string, hour: number, group: Group | 'count'): Map<string, number> {
    const place = `${owner} ${hour} ${group}`;
    const found = this.#clicks.get(place) ?? new Map<string, number>();
    this.#clicks.set(place, found);
    return found;
  }

  add(code: string, hour: number, names: Readonly<Record<Group, readonly string[]>>): void {
    for (const owner of [code, ''])
      for (const [group, some] of Object.entries({ ...names, count: ['all'] }))
        for (const name of some) {
          const clicks = this.of(owner, hour, group as Group);
          clicks.set(name, (clicks.get(name) ?? 0) + 1);
        }
  }

  /** In these hours together, most first, then by name. */
  ranked(owner: string, some: readonly number[], group: Group | 'count'): [string, number][] {
    const sums = new Map<string, number>();
    for (const hour of some)
      for (const [name, n] of this.of(owner, hour, group)) sums.set(name, (sums.get(name) ?? 0) + n);
    return [...sums].sort(([name, n], [other, m]) => m - n || (name < other ? -1 : 1));
  }
}

let now = day;
const model = new PlainModel();
let project: string;

beforeAll(async () => {
  const stores = openStores(db.table);
  const owner = aProject();
  project = owner.id;
  await stores.projects.create(owner);
  for (const { code, own, tags } of links)
    await stores.links.create(
      aLinkDraft({
        project,
        code,
        tags: [...tags],
        payload: { link: 'https://shop.example/', campaign: own },
      }),
      { project: owner, generateCode: () => code },
    );
  const aggregate = aggregator({
    stores: { analytics: analyticsStore(db.table, { clock: () => new Date(now) }) },
  });
  const mapping = startEventSourceMapping({
    mapping: aggregation,
    table: db.resource,
    streamArn: db.streamArn,
    endpoint: db.endpoint,
    pollMs: 3,
    retryMs: 0,
    invoke: async ({ Records, shardId }) => {
      const event = { Records: Records as unknown as DynamoDBRecord[], ...(shardId && { shardId }) };
      return { ok: true, payload: await aggregate(event) };
    },
  });
  await visitAll();
  await mapping.idle();
  await mapping.stop();
}, 900_000);

/** Every other hour has more names than room. */
const isCrowded = (hour: number) => hour % 2 === 1;

const visitAll = async (): Promise<void> => {
  const { endpoint } = db;
  const handler = redirect({
    stores: {
      clicks: clickStore(openLeanTable(endpoint)),
      excluded: excludedStore(openLeanTable(endpoint)),
      shortLinks: shortLinkStore(visitorReads(openLeanTable(endpoint))),
    },
    visitorSecret: 'secret',
    enqueueClick: () => Promise.reject(new Error('There is no queue')),
    uniqueWindowSeconds: 90 * 86_400,
  });
  const dice = diceOf(1);
  const named = (hour: number): string | undefined => {
    const kind = dice.below(10);
    if (kind < 4) return undefined;
    if (kind < 7) return dice.pick(busy);
    return `random ${dice.below(isCrowded(hour) ? 5_000 : 12)}`;
  };
  await eachOf(Array(visits).keys(), 16, async (i) => {
    const hour = Math.floor((i * hours) / visits);
    now = day + hour * hourMs + dice.below(hourMs);
    // The second link has one click of a hundred.
    const link = links[dice.once(100) ? 1 : dice.pick([0, 0, 2])] ?? links[0];
    const [campaign, source] = [named(hour), named(hour)];
    const own: { utm_campaign?: string; utm_source?: string } = link.own;
    model.add(link.code, hour, {
      campaigns: [campaign ?? own.utm_campaign ?? 'none'],
      sources: [source ?? own.utm_source ?? 'none'],
      tags: link.tags,
    });
    const asked = { ...(campaign && { utm_campaign: campaign }), ...(source && { utm_source: source }) };
    const { statusCode } = await visitBy(handler, `/${project}/${link.code}`, {
      query: new URLSearchParams(asked).toString(),
      headers: { 'cloudfront-viewer-address': `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}:4711` },
      now: new Date(now),
    });
    if (statusCode !== 302) throw new Error(`Visit ${i} got ${statusCode}`);
  });
};

const shown = async (owner: string, some: readonly number[], group: Group) => {
  const isDay = some.length > 1;
  const [first = 0] = some;
  const span = isDay
    ? ({ unit: 'day', start: day, end: day + 24 * hourMs } as const)
    : ({ unit: 'hour', start: day + first * hourMs, end: day + (first + 1) * hourMs } as const);
  const of = { project, code: owner || undefined };
  return rankedGroup(group, await timeseriesStore(db.table).find(of, [span], new Date(now)));
};

const sumOf = (ranks: readonly (readonly [string, number])[]) => ranks.reduce((sum, [, n]) => sum + n, 0);
const owners = ['', ...links.map(({ code }) => code)];
const each = Array.from({ length: hours }, (_, hour) => hour);

/** Compares a range. True if it had room for all names. */
const compare = async (owner: string, some: readonly number[]): Promise<boolean> => {
  const kinds = owner === '' ? groups : (['campaigns', 'sources'] as const);
  const isCalm = !some.some(isCrowded);
  for (const group of kinds) {
    const [found, truth] = [await shown(owner, some, group), model.ranked(owner, some, group)];
    if (isCalm || group === 'tags') {
      expect([owner, some, group, found]).toEqual([owner, some, group, truth]);
      continue;
    }
    expect(truth.length).toBeGreaterThan(owner === 'rare-one' ? 0 : 41);
    expect(sumOf(found)).toBe(sumOf(model.ranked(owner, some, 'count')));
    const own = links.find(({ code }) => code === owner)?.own ?? {};
    const exact = [
      ...truth.slice(0, owner === 'rare-one' ? 0 : 5).map(([name]) => name),
      ...Object.values(own),
    ];
    const counts = Object.fromEntries(found);
    const wanted = Object.fromEntries(truth.filter(([name]) => exact.includes(name)));
    expect([owner, some, group, counts]).toEqual([owner, some, group, expect.objectContaining(wanted)]);
  }
  return isCalm;
};

test(`analytics of a day of ${visits} visits with random campaigns are those of a plain model`, async () => {
  let calm = 0;
  for (const owner of owners) for (const hour of each) calm += (await compare(owner, [hour])) ? 1 : 0;
  expect(calm).toBe((owners.length * hours) / 2);
  for (const owner of owners) await compare(owner, each);
  expect(sumOf(await shown('', each, 'campaigns'))).toBe(visits);
});
