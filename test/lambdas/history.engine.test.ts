import fc from 'fast-check';
import { Failure } from '../../core/base/failure.ts';
import { linkChangeOf } from '../../core/events/link-change.ts';
import { changeOf, type StreamRecord } from '../../core/events/stream-change.ts';
import type { HistoryEntry } from '../../core/history/history-store.ts';
import { entryId } from '../../core/history/history-writes.ts';
import type { SentLink } from '../../core/links/link-draft.ts';
import { changeLink } from '../../core/links/link-patch.ts';
import { linkPatch } from '../../core/links/link-schema.ts';
import { type OwnContent, ownContent, patchBack } from '../../core/links/own-content.ts';
import { openStores } from '../../core/stores.ts';
import { historyKey } from '../../core/table/history-keys.ts';
import { linkKey } from '../../core/table/keys.ts';
import { itemsOf } from '../../core/table/ranges.ts';
import { eventEmitter } from '../../lambdas/streams/emit-events.ts';
import { aLinkDraft, aWebhook, unique, withFields } from '../support/builders.ts';
import { fileTable, newProject } from '../support/engine.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { openWholeTable } from '../support/lean-table.ts';
import { startMeteredEngine } from '../support/metered-engine.ts';
import { runs } from '../support/nightly.ts';
import { ofFile } from '../support/of-file.ts';
import { recordStream } from '../support/stream-records.ts';

const db = fileTable();
const stream = ofFile(() => recordStream(db));
const stores = ofFile(() => openStores(db.table));
beforeEach(() => stream.take());

const tell = (Records: readonly StreamRecord[], { using = stores, historyDays = 400 } = {}) =>
  eventEmitter({ stores: using, wake: async () => undefined, shortBase: 'https://go.example', historyDays })({
    Records,
  });
const recorded = async (Records?: readonly StreamRecord[]) =>
  expect(await tell(Records ?? (await stream.take()))).toEqual({ batchItemFailures: [] });

const aLink = async (fields: Parameters<typeof aLinkDraft>[0] = {}) => {
  const project = await newProject(db);
  const code = unique('code');
  const { project: id } = await stores.links.create(aLinkDraft({ project: project.id, code, ...fields }), {
    project,
  });
  return { project: id, code };
};
type Place = Awaited<ReturnType<typeof aLink>>;

const now = new Date('2026-03-01T12:00:00.123Z');
const after = (ms: number) => new Date(now.getTime() + ms);

const entriesOf = async (place: Place, pageSize = 100): Promise<HistoryEntry[]> =>
  (await stores.history.page(place, { pageSize, withDeleted: true })).entries;
const stored = (place: Place) => db.table.query(itemsOf(historyKey(place, '').PK));

test('each change leaves the link as it was, once, with its time and author', async () => {
  const { project, code } = await aLink({ expiresAt: '2030-01-01T00:00:00.000Z' });
  const place = { project, code };
  const { links } = stores;
  await links.update(place, withFields({ name: 'B' }), { now, by: 'ann' });
  await links.update(place, withFields({ name: 'B' }), { now: after(1), by: 'ann' });
  const payload = { link: 'https://example.com/b', campaign: { utm_source: 'mail' } };
  const quiet = { now: after(2), by: 'operator', isQuiet: true };
  await links.update(place, withFields({ name: null, tags: ['a'], payload }), quiet);
  await links.setStatus(project, code, 'PAUSED', { now: after(3), by: 'bob' });
  await links.block(project, code, { now: after(4), by: 'operator', reason: 'Phishing' });
  await links.block(project, code, { now: after(5), by: 'operator', reason: 'Worse' });
  await links.unblock(project, code, { now: after(6), by: 'operator' });
  await links.spread(project, code, 4);
  await stores.projects.suspend(project, now);
  await links.expire(project, code, '2030-01-01T00:00:00.000Z');
  await links.delete(project, code, { now: new Date('2030-01-02T00:00:00.000Z'), by: 'ann' });
  const records = await stream.take();
  for (const cut of [3, 0, 6]) await recorded([...records.slice(cut), ...records.slice(0, cut)]);

  const first = { link: 'https://example.com/landing' };
  const expiresAt = '2030-01-01T00:00:00.000Z';
  const last = { expiresAt, tags: ['a'], payload };
  const id = expect.stringMatching(/^his_[\w-]{30}$/);
  const at = (ms: number) => after(ms).toISOString();
  const entries = await entriesOf(place);
  expect(entries).toEqual([
    { id, at: '2030-01-02T00:00:00.000Z', type: 'deleted', by: 'ann', before: last },
    { id, at: expiresAt, type: 'expired', by: null, before: last },
    { id, at: at(6), type: 'unblocked', by: 'operator', before: last },
    { id, at: at(4), type: 'blocked', by: 'operator', reason: 'Phishing', before: last },
    { id, at: at(3), type: 'updated', by: 'bob', previous: { status: 'ACTIVE' }, before: last },
    {
      ...{ id, at: at(2), type: 'updated', by: 'operator', before: { name: 'B', expiresAt, payload: first } },
      previous: { name: 'B', tags: null, payload: first },
    },
    {
      ...{ id, at: at(0), type: 'updated', by: 'ann', previous: { name: null } },
      before: { expiresAt, payload: first },
    },
    { id, at: '2026-02-01T12:00:00.000Z', type: 'created', by: 'user-1', before: null },
  ]);
  expect(await stored(place)).toHaveLength(6);
  for (const entry of entries) expect(await stores.history.find(place, entry.id, true)).toEqual(entry);
  const walked: HistoryEntry[] = [];
  let below: string | undefined;
  do {
    const page = await stores.history.page(place, { below, pageSize: 3, withDeleted: true });
    walked.push(...page.entries);
    below = page.end;
  } while (below !== undefined);
  expect(walked).toEqual(entries);
  const whole = await stores.history.page(place, { pageSize: entries.length, withDeleted: true });
  expect(whole).toEqual({ entries, end: undefined });
  await expect(stores.history.page(place, { pageSize: 3 })).rejects.toMatchObject({ code: 'LINK_NOT_FOUND' });
  for (const unknown of ['', 'x', `${entries[1]?.id.slice(0, -1)}~`])
    await expect(stores.history.find(place, unknown, true)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a deletion loses its author when the link is unblocked, to whom it is not ascribed', async () => {
  const place = await aLink();
  const { links } = stores;
  await links.block(place.project, place.code, { now, by: 'operator' });
  await links.delete(place.project, place.code, { now: after(1), by: 'ann' });
  const authors = async () => (await entriesOf(place)).map(({ type, by }) => [type, by]);
  expect((await authors())[0]).toEqual(['deleted', 'ann']);
  await links.unblock(place.project, place.code, { now: after(2), by: 'operator' });
  expect((await authors())[0]).toEqual(['deleted', null]);
});

test('pages have all changes, also those dated before the creation', async () => {
  const place = await aLink({ createdAt: after(10).toISOString() });
  for (let i = 0; i < 3; i += 1)
    await db.table.put({
      Item: { ...historyKey(place, entryId(+after(i), 'early')), type: 'updated', before: {} },
    });
  const times: string[] = [];
  let below: string | undefined;
  do {
    const page = await stores.history.page(place, { below, pageSize: 1 });
    times.push(...page.entries.map(({ at }) => at));
    below = page.end;
  } while (below !== undefined);
  expect(times).toEqual([10, 2, 1, 0].map((ms) => after(ms).toISOString()));
});

test('the history is in the order of the changes, whenever their requests came in', async () => {
  const expiresAt = after(9).toISOString();
  const place = await aLink({ createdAt: now.toISOString(), expiresAt });
  const { project, code } = place;
  const { links } = stores;
  const early = (ms: number, by: string) => ({ now: after(-ms), by });
  await Promise.all([
    ...['A', 'B', 'C', 'D', 'E', 'F'].map((name, index) =>
      links.update(place, withFields({ name }), early(index % 3, index % 2 ? 'ann' : 'bert')),
    ),
    links
      .setStatus(project, code, 'PAUSED', early(2, 'ann'))
      .then(() => links.setStatus(project, code, 'ACTIVE', early(3, 'ann'))),
  ]);
  await links.block(project, code, early(4, 'operator'));
  await links.expire(project, code, expiresAt);
  await links.unblock(project, code, early(5, 'operator'));
  await links.delete(project, code, early(6, 'bert'));
  const records = await stream.take();
  const times = records.map((record) => linkChangeOf(changeOf(record))?.at ?? 0);
  expect(times).toEqual([...new Set(times)].sort((one, other) => one - other));
  await recorded(records.reverse());
  const entries = (await entriesOf(place)).reverse();
  const types = ['blocked', 'expired', 'unblocked', 'deleted'];
  expect(entries.map(({ type }) => type)).toEqual(['created', ...Array(8).fill('updated'), ...types]);
  expect(entries.map(({ at }) => Date.parse(at))).toEqual(times);
});

test('an entry takes a write unit for each KB of the link before, and no read; creations and 0 days none', async () => {
  const meter = await startMeteredEngine(db.endpoint);
  try {
    const metered = openStores(openWholeTable(meter.endpoint));
    const writes = async (records: readonly StreamRecord[], historyDays?: number) => {
      meter.take();
      await tell(records, { using: { ...metered, webhooks: stores.webhooks }, historyDays });
      const calls = meter.take();
      expect(calls.reduce((sum, { reads }) => sum + reads, 0)).toBe(0);
      return calls.reduce((sum, call) => sum + call.writes, 0);
    };
    const description = 'x'.repeat(2048);
    const payload = { link: 'https://example.com/', social: { description } };
    const place = await aLink({ payload });
    expect(await writes(await stream.take())).toBe(0);
    await stores.links.update(place, withFields({ payload: { link: payload.link, social: null } }), { now });
    const large = await stream.take();
    expect(await writes(large, 0)).toBe(0);
    expect(await writes(large)).toBe(3);
    await stores.links.update(place, withFields({ payload }), { now: after(1) });
    expect(await writes(await stream.take())).toBe(1);
    const [{ ttl } = {}] = await stored(place);
    const days = (Number(ttl) * 1000 - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(400);
  } finally {
    await meter.stop();
  }
});

const failing = () => Promise.reject(new Error('The table is out of reach'));

test('neither webhooks that fail nor entries that fail keep the other away', async () => {
  const place = await aLink();
  const webhook = aWebhook({ project: place.project, events: ['link.updated'] });
  await stores.webhooks.create(webhook);
  await stream.take();
  await stores.links.setStatus(place.project, place.code, 'PAUSED', { now, by: 'ann' });
  const records = await stream.take();
  const again = { batchItemFailures: [{ itemIdentifier: records[0]?.dynamodb?.SequenceNumber }] };
  const log = captureFunctionLog();
  expect(await tell(records, { using: { ...stores, history: { ...stores.history, add: failing } } })).toEqual(
    again,
  );
  expect(await stores.deliveries.pending(webhook, { limit: 10 })).toHaveLength(1);
  expect(await stored(place)).toEqual([]);
  expect(
    await tell(records, { using: { ...stores, webhooks: { ...stores.webhooks, all: failing } } }),
  ).toEqual(again);
  log.stop();
  expect(await stored(place)).toHaveLength(1);
});

test('a link that is gone with its project takes its entries along, also those that come late', async () => {
  const place = await aLink({ expiresAt: '2030-01-01T00:00:00.000Z' });
  const other = { ...place, code: `${place.code}-other` };
  for (const status of ['PAUSED', 'ACTIVE'] as const)
    await stores.links.setStatus(place.project, place.code, status, { now, by: 'ann' });
  await db.table.put({ Item: historyKey(other, 'his_other') });
  await db.table.delete({ Key: linkKey(place.project, place.code) });
  const records = await stream.take();
  await recorded(records.slice(0, 2));
  expect(await stored(place)).toHaveLength(1);
  for (let i = 0; i < 120; i += 1) await db.table.put({ Item: historyKey(place, `his_${i}`) });
  const using = { ...stores, links: { ...stores.links, expire: failing } };
  expect(await tell(records.slice(2), { using })).toEqual({ batchItemFailures: [] });
  expect([await stored(place), (await stored(other)).length]).toEqual([[], 1]);
});

const hosts = ['a.example', 'b.example', 'blocked.example'];
const maybe = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: null });
const texts = fc.constantFrom('A', 'B', 'C');
/** Updates with few values, so that many are the same. */
const patches = fc.record(
  {
    name: maybe(texts),
    tags: maybe(fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 })),
    expiresAt: maybe(fc.constantFrom('2026-06-01T00:00:00.000Z', '2031-01-01T00:00:00.000Z')),
    payload: fc.record(
      {
        link: fc.constantFrom(...hosts).map((host) => `https://${host}/`),
        iosAppId: maybe(fc.constantFrom('kept', 'deleted')),
        social: maybe(fc.record({ title: texts, description: texts }, { requiredKeys: [] })),
        campaign: maybe(fc.record({ utm_source: maybe(texts), utm_term: maybe(texts) })),
        rules: maybe(
          fc
            .constantFrom('DE', 'FR')
            .map((country) => [{ name: 'r', countries: [country], link: 'https://a.example/r' }]),
        ),
        query: maybe(fc.constantFrom('append', 'ignore')),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

const read = (patch: unknown): SentLink => linkPatch.parse(patch);

test('after any updates and losses, a link comes back as it was before any entry, or is refused and stays', async () => {
  await stores.destinations.block('blocked.example', now);
  const hosts = async () => ({ isOwn: () => false, isBlocked: () => false });
  const earlier = { ...stores, destinations: { hosts } };
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(patches, fc.boolean()), { maxLength: 8 }), async (updates) => {
      const place = await aLink({ payload: { link: 'https://a.example/' } });
      for (const id of ['kept', 'deleted']) await createApp(place.project, id);
      await stream.take();
      const caller = { project: place.project, user: 'ann' };
      const callAt = (at: Date) => ({ caller, now: at, shortHosts: [] });
      const is = async (): Promise<OwnContent> =>
        ownContent((await stores.links.get(place.project, place.code)).link);
      const moments = new Map<string, OwnContent>();
      for (const [i, [patch, isLost]] of updates.entries()) {
        moments.set(after(i).toISOString(), await is());
        await changeLink({ code: place.code, request: read(patch) }, callAt(after(i)), earlier);
        const records = await stream.take();
        if (!isLost) await recorded(records);
      }
      await stores.apps.delete(place.project, 'deleted');
      const later = callAt(new Date('2026-07-01T00:00:00.000Z'));
      for (const { id, at, before } of await entriesOf(place)) {
        if (!before) continue;
        expect(before).toEqual(moments.get(at));
        const present = await is();
        const request = (link: OwnContent) => read(patchBack(link, before));
        const back = changeLink({ code: place.code, request }, later, stores);
        const outcome = await back.then(
          () => 'done',
          (error: unknown) => (error instanceof Failure ? error.code : error),
        );
        expect([outcome, id]).toEqual([refusalOf(present, before) ?? 'done', id]);
        expect(await is()).toEqual(outcome === 'done' ? before : present);
      }
    }),
    { numRuns: runs(15) },
  );
});

const createApp = (project: string, id: string) =>
  stores.apps.create(project, {
    ...{ id, name: id, platform: 'IOS', createdAt: now.toISOString(), updatedAt: now.toISOString() },
  } as Parameters<typeof stores.apps.create>[1]);

/** Why an update with the differences is refused in July, when the host is blocked and the app deleted. */
const refusalOf = (present: OwnContent, before: OwnContent): string | undefined => {
  const says = <Value>(read: (one: OwnContent) => Value, value: Value) =>
    read(before) === value && read(present) !== value;
  const june = '2026-06-01T00:00:00.000Z';
  if (present.expiresAt === june) return 'LINK_EXPIRED';
  const isRefused =
    says(({ expiresAt }) => expiresAt, june) ||
    says(({ payload }) => payload.link, 'https://blocked.example/') ||
    says(({ payload }) => payload.iosAppId, 'deleted');
  return isRefused ? 'VALIDATION_ERROR' : undefined;
};
