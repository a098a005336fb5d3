import { hourMs } from '../../core/base/durations.ts';
import type { EventType } from '../../core/events/event.ts';
import type { StreamRecord } from '../../core/events/stream-change.ts';
import { openStores } from '../../core/stores.ts';
import { linkKey } from '../../core/table/keys.ts';
import { updateOf } from '../../core/table/update.ts';
import { deliveryKey, webhookStateKey } from '../../core/table/webhook-keys.ts';
import { type Click, clickWrite, openWrite } from '../../core/visits/click-store.ts';
import type { Wake } from '../../core/webhooks/wake.ts';
import type { Webhook } from '../../core/webhooks/webhook.ts';
import { eventEmitter } from '../../lambdas/streams/emit-events.ts';
import {
  aClick,
  aLinkDraft,
  type aProject,
  aWebhook,
  clickValues,
  unique,
  withFields,
} from '../support/builders.ts';
import { fileTable, newProject, tableName } from '../support/engine.ts';
import { fileFaults, loseNext } from '../support/faults.ts';
import { fillTable } from '../support/fill-table.ts';
import { printedBy } from '../support/function-log.ts';
import { openWholeTable } from '../support/lean-table.ts';
import { startMeteredEngine } from '../support/metered-engine.ts';
import { isNightly } from '../support/nightly.ts';
import { ofFile } from '../support/of-file.ts';
import { recordStream } from '../support/stream-records.ts';

const db = fileTable();
const faulty = fileFaults(db);
const stream = ofFile(() => recordStream(db));
const stores = ofFile(() => openStores(db.table));
let woken: Wake[];
const emitter = (parts: Partial<Parameters<typeof eventEmitter>[0]> = {}) =>
  eventEmitter({
    stores,
    wake: async (wake) => void woken.push(wake),
    shortBase: 'https://go.example',
    historyDays: 400,
    ...parts,
  });
beforeEach(async () => {
  woken = [];
  await stream.take();
});

const addWebhook = async (project: string, fields: Partial<Webhook> = {}): Promise<Webhook> => {
  const webhook = aWebhook({ project, ...fields });
  await stores.webhooks.create(webhook);
  return webhook;
};

const aProjectWith = async (fields: Partial<Webhook> = {}) => {
  const project = await newProject(db);
  return { project, webhook: await addWebhook(project.id, fields) };
};

/** Pending deliveries. */
const waiting = async ({ project, id }: Webhook) => {
  const pending = await stores.deliveries.pending({ project, id }, { limit: 1000 });
  const bodies = await stores.deliveries.bodies(
    project,
    pending.map(({ event }) => event),
  );
  // biome-ignore lint/suspicious/noExplicitAny: what is sent is checked by what tests expect of it
  return pending.map(({ event }): any => JSON.parse(bodies.get(event) ?? ''));
};

const emitFor = async (records?: readonly StreamRecord[], tell = emitter()) =>
  expect(await tell({ Records: records ?? (await stream.take()) })).toEqual({ batchItemFailures: [] });

/** Counts a visitor's click on a link. */
const click = (place: { project: string; code: string }, visitor: string, fields: Partial<Click> = {}) =>
  stores.clicks.record(clickWrite(aClick({ ...place, visitor, ...fields })));

const createIn = (project: ReturnType<typeof aProject>, fields: Parameters<typeof aLinkDraft>[0] = {}) =>
  stores.links.create(aLinkDraft({ project: project.id, ...fields }), { project, generateCode: () => '' });

const now = new Date('2026-03-01T12:00:00.123Z');

test("history has every change of a link's life, with its author", async () => {
  const { project, webhook } = await aProjectWith();
  const { code, id } = await createIn(project, { expiresAt: '2030-01-01T00:00:00.000Z' });
  const place = { project: project.id, code };
  const by = 'ann';
  const payload = { link: 'https://example.com/b' };
  await stores.links.update(place, withFields({ name: 'B', payload }), { now, by });
  await stores.links.update(place, withFields({ name: 'B', payload }), { now: new Date(+now + 1), by });
  await stores.links.setStatus(project.id, code, 'PAUSED', { now: new Date(+now + 2), by: 'bob' });
  await stores.links.block(project.id, code, { now: new Date(+now + 3), by: 'operator' });
  await stores.links.unblock(project.id, code, { now: new Date(+now + 4), by: 'operator' });
  const last = { now: new Date(+now + 5), by: 'operator' };
  await stores.links.update(place, withFields({ addTags: ['a'] }), last, 'any');
  await stores.links.spread(project.id, code, 4);
  await stores.links.expire(project.id, code, '2030-01-01T00:00:00.000Z');
  await stores.links.delete(project.id, code, { now: new Date(+now + 6), by: 'ann' });
  await emitFor();
  const events = await waiting(webhook);
  const byType = (type: EventType) => events.filter((event) => event.type === type);
  const [created] = byType('link.created');
  expect(created).toEqual({
    id: expect.stringMatching(/^evt_[A-Za-z0-9_-]{22,40}$/),
    type: 'link.created',
    timestamp: '2026-02-01T12:00:00.000Z',
    data: {
      project: project.id,
      link: {
        id,
        code,
        shortUrl: `https://go.example/${project.id}/${code}`,
        status: 'ACTIVE',
        qrCode: `https://go.example/${project.id}/${code}/qr.png`,
        createdAt: '2026-02-01T12:00:00.000Z',
        expiresAt: '2030-01-01T00:00:00.000Z',
        payload: { link: 'https://example.com/landing' },
        projectId: project.id,
        createdBy: 'user-1',
        updatedAt: '2026-02-01T12:00:00.000Z',
      },
      by: 'user-1',
    },
  });
  const updates = byType('link.updated').toSorted((one, other) => (one.timestamp < other.timestamp ? -1 : 1));
  expect(updates.map(({ timestamp, data }) => [timestamp.slice(-5), data.previous, data.by])).toEqual([
    ['.123Z', { name: null, payload: { link: 'https://example.com/landing' } }, 'ann'],
    ['.125Z', { status: 'ACTIVE' }, 'bob'],
    ['.126Z', { blocked: null }, 'operator'],
    ['.127Z', { blocked: true }, 'operator'],
    ['.128Z', { tags: null }, 'operator'],
  ]);
  expect(byType('link.expired')).toMatchObject([
    {
      timestamp: '2030-01-01T00:00:00.000Z',
      data: { project: project.id, link: { code, status: 'EXPIRED' } },
    },
  ]);
  expect(byType('link.deleted').map(({ data }) => data)).toEqual([
    { project: project.id, id, code, by: 'ann' },
  ]);
  expect(events).toHaveLength(8);
  expect(woken).toEqual([{ project: project.id, webhook: webhook.id }]);
});

test('changes that meet in one millisecond all have their author, and times in their order', async () => {
  const { project, webhook } = await aProjectWith();
  const { code } = await createIn(project, { expiresAt: '2030-01-01T00:00:00.000Z' });
  const place = { project: project.id, code };
  const change = { now, by: 'ann' };
  for (const name of ['A', 'B', 'C']) await stores.links.update(place, withFields({ name }), change);
  await stores.links.setStatus(project.id, code, 'PAUSED', change);
  await stores.links.spread(project.id, code, 4);
  await stores.links.expire(project.id, code, '2030-01-01T00:00:00.000Z');
  await stores.links.delete(project.id, code, change);
  await emitFor();
  const events = (await waiting(webhook)).filter(({ type }) => type !== 'link.created');
  const told = events.map(({ type, timestamp, data }) => [timestamp, type, data.by, data.previous?.name]);
  expect(told.toSorted()).toEqual([
    [now.toISOString(), 'link.updated', 'ann', null],
    ...['A', 'B', undefined].map((name, index) => [
      new Date(now.getTime() + index + 1).toISOString(),
      ...['link.updated', 'ann', name],
    ]),
    ['2030-01-01T00:00:00.000Z', 'link.expired', undefined, undefined],
    ['2030-01-01T00:00:00.001Z', 'link.deleted', 'ann', undefined],
  ]);
});

test('a repeated batch, however it is cut, repeats ids', async () => {
  const { project, webhook } = await aProjectWith();
  for (let i = 0; i < 5; i += 1) await createIn(project);
  const records = await stream.take();
  await emitFor(records);
  const first = await waiting(webhook);
  for (const cut of [1, 3]) {
    await emitFor(records.slice(cut));
    await emitFor(records.slice(0, cut));
  }
  await emitFor(records);
  expect(await waiting(webhook)).toEqual(first);
  expect(first).toHaveLength(5);
});

test("a creation without a note is by the link's creator", async () => {
  const { project, webhook } = await aProjectWith();
  const { code } = await createIn(project);
  const { change, ...link } = (await db.table.get(linkKey(project.id, code))) ?? {};
  await stream.take();
  await db.table.put({ Item: { ...link, ...linkKey(project.id, unique('code')) } });
  await emitFor();
  expect(await waiting(webhook)).toMatchObject([{ type: 'link.created', data: { by: 'user-1' } }]);
});

test('a change by version 1.0.0 has no known author', async () => {
  const { project, webhook } = await aProjectWith({ events: ['link.updated'] });
  const { code } = await createIn(project);
  const place = { project: project.id, code };
  await stores.links.update(place, withFields({ payload: { link: 'https://example.com/b' } }), {
    now,
    by: 'ann',
  });
  await db.table.update(updateOf(linkKey(project.id, code), { set: { name: 'C' } }));
  await emitFor();
  const changes = (await waiting(webhook)).map(({ data: { by, previous } }) => [
    Object.keys(previous)[0],
    by,
  ]);
  expect(Object.fromEntries(changes)).toEqual({ payload: 'ann', name: null });
});

test('an import without events emits none, later changes do', async () => {
  const { project, webhook } = await aProjectWith();
  const imported = { ...aLinkDraft({ project: project.id }), code: unique('code'), isNew: true };
  const change = { now, by: 'operator', isQuiet: true };
  await stores.linkImports.create([imported], { project, segments: [], counter: 4, change });
  await emitFor();
  expect(await waiting(webhook)).toEqual([]);
  await stores.links.setStatus(project.id, imported.code, 'PAUSED', { now, by: 'ann' });
  await emitFor();
  expect(await waiting(webhook)).toMatchObject([{ type: 'link.updated', data: { by: 'ann' } }]);
});

test('each webhook gets its own events, from its creation on and while it is active', async () => {
  const { project, webhook } = await aProjectWith({ events: ['link.created'] });
  const young = await addWebhook(project.id, { createdAt: '2026-02-02T00:00:00.000Z' });
  const paused = await addWebhook(project.id);
  await stores.webhookStates.stop(paused, { status: 'PAUSED', now: new Date('2026-02-15T00:00:00.000Z') });
  const { code } = await createIn(project);
  await stores.links.setStatus(project.id, code, 'PAUSED', { now, by: 'ann' });
  const records = await stream.take();
  await stores.webhookStates.activate(paused, new Date('2026-04-01T00:00:00.000Z'));
  await emitFor(records);
  const types = async (one: Webhook) => (await waiting(one)).map(({ type }) => type);
  expect(await types(webhook)).toEqual(['link.created']);
  expect(await types(young)).toEqual(['link.updated']);
  // It was not active when the status changed, although it is again.
  expect(await types(paused)).toEqual(['link.created']);
  expect(woken.map((one) => one.webhook).sort()).toEqual([webhook.id, young.id, paused.id].sort());
});

test('each webhook gets the clicks since its own creation', async () => {
  const { project, webhook: old } = await aProjectWith();
  const young = await addWebhook(project.id, { createdAt: '2026-03-01T00:00:00.000Z' });
  const { code } = await createIn(project);
  await stream.take();
  const times = ['2026-02-28T12:00:00.000Z', '2026-03-01T12:00:00.000Z'];
  for (const at of times) await click({ project: project.id, code }, at, { at: new Date(at) });
  await emitFor();
  const toldTo = async (one: Webhook) =>
    (await waiting(one))
      .flatMap(({ data }) => data.clicks.map(({ clickedAt }: { clickedAt: string }) => clickedAt))
      .toSorted();
  expect(await toldTo(old)).toEqual(times);
  expect(await toldTo(young)).toEqual(times.slice(1));
});

test('suspended and deleted projects emit no events', async () => {
  const { project, webhook } = await aProjectWith();
  await stores.projects.suspend(project.id, new Date('2026-01-15T00:00:00.000Z'));
  await createIn(project);
  const suspended = await stream.take();
  await emitFor(suspended);
  expect(await waiting(webhook)).toEqual([]);
  // Also not once the project is back.
  await stores.projects.resume(project.id, new Date('2026-02-15T00:00:00.000Z'));
  await emitFor(suspended);
  expect(await waiting(webhook)).toEqual([]);
  await createIn(project, { createdAt: '2026-02-16T00:00:00.000Z' });
  await emitFor();
  expect(await waiting(webhook)).toHaveLength(1);
  await stores.projects.markDeleted(project.id, now);
  await createIn(project, { createdAt: '2026-02-17T00:00:00.000Z' });
  await emitFor();
  expect(await waiting(webhook)).toHaveLength(1);
});

test('events have up to a hundred clicks and opens, each with its own id', async () => {
  const { project, webhook } = await aProjectWith();
  const { code } = await createIn(project);
  await stream.take();
  const who = { project: project.id, code };
  const at = new Date('2026-03-01T12:00:00.456Z');
  for (let i = 0; i < 230; i += 1) await click(who, `v${i}`, { at, ...(i === 0 && { rule: 'teaser' }) });
  await click(who, 'v1', { at });
  await stores.clicks.record(
    openWrite({ ...who, visitor: 'v1', requestId: 'o1', platform: 'ios', isFirst: true, at }),
  );
  const records = await stream.take();
  await emitFor(records);
  const events = await waiting(webhook);
  const clicks = events.flatMap(({ data }) => data.clicks ?? []);
  const sizes = events.flatMap(({ type, data }) => (type === 'link.clicked' ? data.clicks.length : []));
  expect(sizes.sort()).toEqual([100, 100, 31]);
  expect(new Set(clicks.map(({ id }) => id)).size).toBe(231);
  expect(clicks.filter(({ unique: isUnique }) => isUnique)).toHaveLength(230);
  const [withRule] = clicks.filter(({ rule }) => rule !== undefined);
  expect(withRule).toEqual({
    id: expect.stringMatching(/^[\w-]{22}$/),
    code,
    clickedAt: '2026-03-01T12:00:00.456Z',
    unique: true,
    ...{ ...clickValues, rule: 'teaser', campaign: 'none', source: 'none' },
  });
  const opening = { code, openedAt: '2026-03-01T12:00:00.456Z', platform: 'ios', first: true };
  expect(events.filter(({ type }) => type === 'app.opened').map(({ data }) => data)).toEqual([
    { project: project.id, opens: [{ id: expect.stringMatching(/^[\w-]{22}$/), ...opening }] },
  ]);
  // Another cut makes other events of the same clicks.
  await emitFor(records.slice(7));
  const ids = (await waiting(webhook)).flatMap(({ data }) => data.clicks ?? []).map(({ id }) => id);
  expect(new Set(ids).size).toBe(231);
  expect(JSON.stringify(events)).not.toMatch(/"v\d+"/);
});

const hoursAgo = (hours: number) => new Date(Date.now() - hours * hourMs);

/** A webhook with a delivery that was never attempted, or failed once, from so many hours ago. */
const lagging = async (hours: number, { attempts = 0 } = {}) => {
  const made = await aProjectWith();
  await waitingSince(made.webhook, hours, { attempts });
  return made;
};

const waitingSince = async ({ project, id }: Webhook, hours: number, { attempts = 0 } = {}) => {
  const due = hoursAgo(hours).getTime();
  const delivery = { project, webhook: id, event: unique('evt'), type: 'link.clicked', attempts, due };
  const Item = { ...deliveryKey({ project, id }, 'pending', delivery), ...delivery };
  await db.table.put({ Item });
};

const failingSince = ({ project, id }: Webhook, hours: number) =>
  db.table.update(
    updateOf(webhookStateKey(project, id), { set: { failingSince: hoursAgo(hours).toISOString() } }),
  );

/** Clicks once; resolves to the new events and the number of dropped clicks. */
const emittedOnClick = async (project: ReturnType<typeof aProject>, webhook: Webhook) => {
  const before = new Set((await stores.deliveries.list(webhook, 'pending')).map(({ event }) => event));
  const { code } = await createIn(project, { createdAt: new Date().toISOString() });
  await click({ project: project.id, code }, 'v', { at: new Date() });
  const lines = await printedBy(() => emitFor());
  const added = (await stores.deliveries.list(webhook, 'pending')).filter(({ event }) => !before.has(event));
  const dropped = lines.map((line) => [line.message, line.dropped]);
  return { types: added.map(({ type }) => type).toSorted(), dropped };
};

const all = { types: ['link.clicked', 'link.created'], dropped: [] };
const withoutClicks = { types: ['link.created'], dropped: [['WebhookFailing', 1]] };

test.each([
  ['first attempts wait', 5.9, all],
  ['first attempts wait', 6.1, withoutClicks],
  ['attempts have all failed', 5.9, all],
  ['attempts have all failed', 6.1, withoutClicks],
])('emits to a webhook whose %s for %s hours: %j', async (what, hours, expected) => {
  const isWaiting = what === 'first attempts wait';
  const { project, webhook } = await (isWaiting ? lagging(hours) : lagging(-1, { attempts: 3 }));
  if (!isWaiting) await failingSince(webhook, hours);
  expect(await emittedOnClick(project, webhook)).toEqual(expected);
});

test('a webhook that fails gets a click where nothing waits any more: it may be back', async () => {
  const { project, webhook } = await aProjectWith();
  await failingSince(webhook, 30);
  expect(await emittedOnClick(project, webhook)).toEqual(all);
});

test('deliveries that were attempted may wait long, those behind them may not', async () => {
  const { project, webhook } = await lagging(9, { attempts: 1 });
  expect(await emittedOnClick(project, webhook)).toEqual(all);
  await waitingSince(webhook, 7);
  expect(await emittedOnClick(project, webhook)).toEqual(withoutClicks);
});

test('without clicks, nothing is dropped for a webhook that is stuck', async () => {
  const { project } = await lagging(7);
  await createIn(project);
  expect(await printedBy(() => emitFor())).toEqual([]);
});

test('times when a webhook was not active, or its project suspended, do not count', async () => {
  const { project, webhook } = await lagging(10);
  await stores.webhookStates.stop(webhook, { status: 'PAUSED', now: hoursAgo(9) });
  await stores.webhookStates.activate(webhook, hoursAgo(6));
  for (const [from, to] of [[6.5, 5.5] as const, [5, 4] as const]) {
    await stores.projects.suspend(project.id, hoursAgo(from));
    await stores.projects.resume(project.id, hoursAgo(to));
  }
  // An hour before the pause, half an hour between the suspensions, and four after them.
  expect(await emittedOnClick(project, webhook)).toEqual(all);
  await waitingSince(webhook, 11.1);
  expect(await emittedOnClick(project, webhook)).toEqual(withoutClicks);
});

test('ten webhooks for which much waits cost a batch of clicks little', async () => {
  const project = await newProject(db);
  const webhooks: Webhook[] = [];
  for (let i = 0; i < 10; i += 1) webhooks.push(await addWebhook(project.id));
  const pending = isNightly ? 10_000 : 400;
  for (const { project, id } of webhooks) {
    const items = Array.from({ length: pending }, (_, i) => {
      const due = hoursAgo(8).getTime() + i;
      const event = `evt_${'x'.repeat(30)}${due}`;
      const waits = { project, webhook: id, event, type: 'link.clicked', attempts: 1, due, ttl: 2e9 };
      return { ...deliveryKey({ project, id }, 'pending', waits), ...waits };
    });
    await fillTable({ endpoint: db.endpoint, name: tableName }, items);
  }
  const { code } = await createIn(project);
  await stream.take();
  const meter = await startMeteredEngine(db.endpoint);
  try {
    const tell = emitter({ stores: openStores(openWholeTable(meter.endpoint)) });
    for (let i = 0; i < 10; i += 1) {
      await click({ project: project.id, code }, `v${i}`, { at: new Date() });
      await emitFor(undefined, tell);
    }
    const units = meter.take().reduce((sum, { reads }) => sum + reads, 0);
    expect(units).toBeLessThan(1000);
  } finally {
    await meter.stop();
  }
});

test('a failed batch is redelivered from its first failed record', async () => {
  const { project } = await aProjectWith();
  const other = await aProjectWith();
  await createIn(other.project);
  for (let i = 0; i < 2; i += 1) await createIn(project);
  const Records = await stream.take();
  const tell = emitter({
    wake: async (wake) => {
      if (wake.project === project.id) throw new Error('SQS is out of reach');
    },
  });
  await printedBy(async () =>
    expect(await tell({ Records })).toEqual({
      batchItemFailures: [{ itemIdentifier: Records[1]?.dynamodb?.SequenceNumber }],
    }),
  );
  expect(await waiting(other.webhook)).toHaveLength(1);
});

test('the earliest failed record is redelivered first', async () => {
  const { project } = await aProjectWith();
  await createIn(project);
  const [change] = await stream.take();
  if (!change) throw new Error('There is no change');
  const of = (SequenceNumber: string) => ({ dynamodb: { ...change.dynamodb, SequenceNumber } });
  const image = {
    project: { S: project.id },
    code: { S: 'a' },
    expiresAt: { S: '2026-01-01T00:00:00.000Z' },
  };
  const expiry = { eventName: 'REMOVE', dynamodb: { OldImage: image, SequenceNumber: '2' } };
  const failing = () => Promise.reject(new Error('The table is out of reach'));
  const tell = emitter({ stores: { ...stores, links: { expire: failing }, webhooks: { all: failing } } });
  await printedBy(async () =>
    expect(await tell({ Records: [{ ...change, ...of('1') }, expiry] })).toEqual({
      batchItemFailures: [{ itemIdentifier: '1' }],
    }),
  );
});

test('a record that cannot be read holds up nothing', async () => {
  const { project, webhook } = await aProjectWith();
  await createIn(project);
  const broken = {
    eventName: 'MODIFY',
    dynamodb: {
      Keys: { PK: { S: 'LINK#a#b' }, SK: { S: 'LINK' } },
      NewImage: { payload: { B: 'AA==' } as object },
    },
  };
  await printedBy(async () => emitFor([broken, ...(await stream.take())]));
  expect(await waiting(webhook)).toHaveLength(1);
});

describe('expiries', () => {
  const expiresAt = '2026-03-01T12:00:00.000Z';

  /** Expired links, and the stream records that remove their markers. */
  const expiredLinks = async (count: number) => {
    const project = await newProject(db);
    const codes = Array.from({ length: count }, () => unique('code'));
    for (const code of codes) await createIn(project, { code, expiresAt });
    const Records = codes.map((code, index) => ({
      eventName: 'REMOVE',
      dynamodb: {
        SequenceNumber: String(index + 1),
        OldImage: { project: { S: project.id }, code: { S: code }, expiresAt: { S: expiresAt } },
      },
    }));
    const statusOf = async (code: string) => (await db.table.get(linkKey(project.id, code)))?.status;
    return { Records, codes, statuses: () => Promise.all(codes.map(statusOf)) };
  };
  const overFaults = () => emitter({ stores: openStores(openWholeTable(faulty.endpoint)) });

  test('are asked for again only if they could not be stored', async () => {
    const { Records, codes, statuses } = await expiredLinks(3);
    faulty.fault = (_, body) => (body.includes(codes[1] ?? '') ? 'throttle' : 'none');
    const lines = await printedBy(async () =>
      expect(await overFaults()({ Records })).toEqual({ batchItemFailures: [{ itemIdentifier: '2' }] }),
    );
    expect(await statuses()).toEqual(['EXPIRED', 'ACTIVE', 'EXPIRED']);
    expect(lines.map(({ message }) => message)).toEqual(['An expiry was not stored yet', 'BatchFailed']);
    faulty.fault = () => 'none';
    await emitFor(Records, overFaults());
    expect(await statuses()).toEqual(['EXPIRED', 'EXPIRED', 'EXPIRED']);
  });

  test('that were stored without a response are no failures', async () => {
    const { Records, statuses } = await expiredLinks(1);
    loseNext(faulty);
    await emitFor(Records, overFaults());
    expect(await statuses()).toEqual(['EXPIRED']);
  });
});
