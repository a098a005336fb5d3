import type { EventType } from '../../core/events/event.ts';
import { eventTypes } from '../../core/events/event.ts';
import type { StreamRecord } from '../../core/events/stream-change.ts';
import { type AllStores, openStores } from '../../core/stores.ts';
import { linkKey } from '../../core/table/keys.ts';
import { clickWrite, openWrite } from '../../core/visits/click-store.ts';
import type { Wake } from '../../core/webhooks/wake.ts';
import { newWebhookId, type Webhook } from '../../core/webhooks/webhook.ts';
import { teller } from '../../lambdas/streams/tell.ts';
import { aLinkDraft, aProject, unique } from '../support/builders.ts';
import { startTable, type TestTable } from '../support/engine.ts';
import { captureFunctionLog } from '../support/function-log.ts';
import { type RecordedStream, recordStream } from '../support/stream-records.ts';

let db: TestTable;
let stream: RecordedStream;
let stores: AllStores;
let woken: Wake[];
let tell: ReturnType<typeof teller>;
beforeAll(async () => {
  db = await startTable();
  stream = recordStream(db);
  stores = openStores(db.table);
});
afterAll(async () => {
  await stream.stop();
  await db.stop();
});
beforeEach(async () => {
  woken = [];
  tell = teller({
    stores,
    wake: async (wake) => void woken.push(wake),
    shortBase: 'https://go.example',
  });
  await stream.take();
});

const aWebhook = async (project: string, fields: Partial<Webhook> = {}): Promise<Webhook> => {
  const webhook = {
    id: newWebhookId(),
    project,
    url: 'https://hooks.example.com/',
    events: eventTypes,
    createdAt: '2026-01-01T00:00:00.000Z',
    revision: 1,
    generation: 1,
    ...fields,
  };
  await stores.webhooks.create(webhook);
  return webhook;
};

const aProjectWith = async (fields: Partial<Webhook> = {}) => {
  const project = aProject();
  await stores.projects.create(project);
  return { project, webhook: await aWebhook(project.id, fields) };
};

/** What waits for a webhook. */
const waiting = async ({ project, id }: Webhook) => {
  const pending = await stores.deliveries.pending({ project, id }, { limit: 1000 });
  const bodies = await stores.deliveries.bodies(
    project,
    pending.map(({ event }) => event),
  );
  // biome-ignore lint/suspicious/noExplicitAny: what is sent is checked by what tests expect of it
  return pending.map(({ event }): any => JSON.parse(bodies.get(event) ?? ''));
};

const told = async (records?: readonly StreamRecord[]) =>
  expect(await tell({ Records: records ?? (await stream.take()) })).toEqual({ batchItemFailures: [] });

const createIn = (project: ReturnType<typeof aProject>, fields: Parameters<typeof aLinkDraft>[0] = {}) =>
  stores.links.create(aLinkDraft({ project: project.id, ...fields }), { project, generateCode: () => '' });

const now = new Date('2026-03-01T12:00:00.123Z');

test('a life of a link is told change by change, with who made each', async () => {
  const { project, webhook } = await aProjectWith();
  const { code, id } = await createIn(project, { expiresAt: '2030-01-01T00:00:00.000Z' });
  const place = { project: project.id, code };
  const by = 'ann';
  const payload = { link: 'https://example.com/b' };
  await stores.links.update(place, { name: 'B', payload }, { now, by });
  await stores.links.update(place, { name: 'B', payload }, { now: new Date(+now + 1), by });
  await stores.links.setStatus(project.id, code, 'PAUSED', { now: new Date(+now + 2), by: 'bob' });
  await stores.links.block(project.id, code, { now: new Date(+now + 3), by: 'operator' });
  await stores.links.unblock(project.id, code, { now: new Date(+now + 4), by: 'operator' });
  await stores.links.retag(place, () => ['a'], { now: new Date(+now + 5), by: 'operator' });
  await stores.links.spread(project.id, code, 4);
  await stores.links.expire(project.id, code, '2030-01-01T00:00:00.000Z');
  await stores.links.delete(project.id, code, { now: new Date(+now + 6), by: 'ann' });
  await told();
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

test('a repeated batch, however it is cut, repeats ids', async () => {
  const { project, webhook } = await aProjectWith();
  for (let i = 0; i < 5; i += 1) await createIn(project);
  const records = await stream.take();
  await told(records);
  const first = await waiting(webhook);
  for (const cut of [1, 3]) {
    await told(records.slice(cut));
    await told(records.slice(0, cut));
  }
  await told(records);
  expect(await waiting(webhook)).toEqual(first);
  expect(first).toHaveLength(5);
});

test('a change by version 1.0.0 is by nobody known', async () => {
  const { project, webhook } = await aProjectWith({ events: ['link.updated'] });
  const { code } = await createIn(project);
  const place = { project: project.id, code };
  await stores.links.update(place, { payload: { link: 'https://example.com/b' } }, { now, by: 'ann' });
  await db.table.update({
    Key: linkKey(project.id, code),
    UpdateExpression: 'SET #name = :name',
    ExpressionAttributeNames: { '#name': 'name' },
    ExpressionAttributeValues: { ':name': 'C' },
  });
  await told();
  const changes = (await waiting(webhook)).map(({ data: { by, previous } }) => [
    Object.keys(previous)[0],
    by,
  ]);
  expect(Object.fromEntries(changes)).toEqual({ payload: 'ann', name: null });
});

test('what is imported without events is told to nobody, what follows is', async () => {
  const { project, webhook } = await aProjectWith();
  const imported = { ...aLinkDraft({ project: project.id }), code: unique('code'), isNew: true };
  const change = { now, by: 'operator', isQuiet: true };
  await stores.linkImports.create([imported], { project, segments: [], counter: 4, change });
  await told();
  expect(await waiting(webhook)).toEqual([]);
  await stores.links.setStatus(project.id, imported.code, 'PAUSED', { now, by: 'ann' });
  await told();
  expect(await waiting(webhook)).toMatchObject([{ type: 'link.updated', data: { by: 'ann' } }]);
});

test('each webhook is told of its own events, from its creation on and while it is active', async () => {
  const { project, webhook } = await aProjectWith({ events: ['link.created'] });
  const young = await aWebhook(project.id, { createdAt: '2026-02-02T00:00:00.000Z' });
  const paused = await aWebhook(project.id);
  await stores.webhookStates.stop(paused, { status: 'PAUSED', now: new Date('2026-02-15T00:00:00.000Z') });
  const { code } = await createIn(project);
  await stores.links.setStatus(project.id, code, 'PAUSED', { now, by: 'ann' });
  const records = await stream.take();
  await stores.webhookStates.activate(paused, new Date('2026-04-01T00:00:00.000Z'));
  await told(records);
  const types = async (one: Webhook) => (await waiting(one)).map(({ type }) => type);
  expect(await types(webhook)).toEqual(['link.created']);
  expect(await types(young)).toEqual(['link.updated']);
  // It was not active when the status changed, although it is again.
  expect(await types(paused)).toEqual(['link.created']);
  expect(woken.map((one) => one.webhook).sort()).toEqual([webhook.id, young.id, paused.id].sort());
});

test('what happens to a suspended or deleted project is no event', async () => {
  const { project, webhook } = await aProjectWith();
  await stores.projects.suspend(project.id, new Date('2026-01-15T00:00:00.000Z'));
  await createIn(project);
  const suspended = await stream.take();
  await told(suspended);
  expect(await waiting(webhook)).toEqual([]);
  // Nor is it told once the project is back.
  await stores.projects.resume(project.id, new Date('2026-02-15T00:00:00.000Z'));
  await told(suspended);
  expect(await waiting(webhook)).toEqual([]);
  await createIn(project, { createdAt: '2026-02-16T00:00:00.000Z' });
  await told();
  expect(await waiting(webhook)).toHaveLength(1);
  await stores.projects.markDeleted(project.id, now);
  await createIn(project, { createdAt: '2026-02-17T00:00:00.000Z' });
  await told();
  expect(await waiting(webhook)).toHaveLength(1);
});

const visit = {
  platform: 'ios',
  country: 'DE',
  referrer: 'news.example',
  browser: 'safari',
  os: 'ios',
  trigger: 'qr',
  windowSeconds: 86_400,
} as const;

test('clicks and opens are told a hundred at a time, each with an id of its own', async () => {
  const { project, webhook } = await aProjectWith();
  const { code } = await createIn(project);
  await stream.take();
  const who = { project: project.id, code };
  const at = new Date('2026-03-01T12:00:00.456Z');
  for (let i = 0; i < 230; i += 1)
    await stores.clicks.record(
      clickWrite({
        ...visit,
        ...who,
        visitor: `v${i}`,
        clickId: `c${i}`,
        at,
        ...(i === 0 && { rule: 'teaser' }),
      }),
    );
  await stores.clicks.record(clickWrite({ ...visit, ...who, visitor: 'v1', clickId: 'again', at }));
  await stores.clicks.record(
    openWrite({ ...who, visitor: 'v1', openId: 'o1', platform: 'ios', isFirst: true, at }),
  );
  const records = await stream.take();
  await told(records);
  const events = await waiting(webhook);
  const clicks = events.flatMap(({ data }) => data.clicks ?? []);
  expect(
    events
      .filter(({ type }) => type === 'link.clicked')
      .map(({ data }) => data.clicks.length)
      .sort(),
  ).toEqual([100, 100, 31].sort());
  expect(new Set(clicks.map(({ id }) => id)).size).toBe(231);
  expect(clicks.filter(({ unique: isUnique }) => isUnique)).toHaveLength(230);
  const [withRule] = clicks.filter(({ rule }) => rule !== undefined);
  expect(withRule).toEqual({
    id: expect.stringMatching(/^[\w-]{22}$/),
    code,
    clickedAt: '2026-03-01T12:00:00.456Z',
    unique: true,
    platform: 'ios',
    country: 'DE',
    referrer: 'news.example',
    browser: 'safari',
    os: 'ios',
    trigger: 'qr',
    rule: 'teaser',
  });
  expect(events.filter(({ type }) => type === 'app.opened').map(({ data }) => data)).toEqual([
    {
      project: project.id,
      opens: [
        {
          id: expect.stringMatching(/^[\w-]{22}$/),
          code,
          openedAt: '2026-03-01T12:00:00.456Z',
          platform: 'ios',
          first: true,
        },
      ],
    },
  ]);
  // Another cut makes other events of the same clicks.
  await told(records.slice(7));
  const ids = (await waiting(webhook)).flatMap(({ data }) => data.clicks ?? []).map(({ id }) => id);
  expect(new Set(ids).size).toBe(231);
  for (const { body } of [{ body: JSON.stringify(events) }]) expect(body).not.toMatch(/"v\d+"/);
});

test('a webhook keeps no more clicks waiting than it may, but changes of links', async () => {
  const { project, webhook } = await aProjectWith();
  const { code } = await createIn(project);
  await stores.clicks.record(
    clickWrite({
      ...visit,
      ...{ project: project.id, code, visitor: 'v', clickId: 'c', at: now },
    }),
  );
  tell = teller({
    stores: { ...stores, deliveries: { ...stores.deliveries, countPending: async () => 10_000 } },
    wake: async () => undefined,
    shortBase: 'https://go.example',
  });
  const log = captureFunctionLog();
  await told();
  log.stop();
  expect((await waiting(webhook)).map(({ type }) => type)).toEqual(['link.created']);
  expect(log.lines.map((line) => JSON.parse(line).message)).toEqual(['WebhookFailing']);
});

test('what cannot be stored or announced is delivered again, from its first record on', async () => {
  const { project } = await aProjectWith();
  const other = await aProjectWith();
  await createIn(other.project);
  await createIn(project);
  const Records = await stream.take();
  tell = teller({
    stores,
    wake: async (wake) => {
      if (wake.project === project.id) throw new Error('SQS is out of reach');
    },
    shortBase: 'https://go.example',
  });
  const log = captureFunctionLog();
  const answer = await tell({ Records });
  log.stop();
  expect(answer.batchItemFailures).toEqual([{ itemIdentifier: Records[1]?.dynamodb?.SequenceNumber }]);
  expect(await waiting(other.webhook)).toHaveLength(1);
});

test('a record that cannot be read holds up nothing', async () => {
  const { project, webhook } = await aProjectWith();
  await createIn(project);
  const broken = {
    eventName: 'MODIFY',
    dynamodb: { Keys: { PK: { S: 'LINK#a#b' }, SK: { S: 'LINK' } }, NewImage: { payload: { B: 'AA==' } } },
  };
  const log = captureFunctionLog();
  await told([broken, ...(await stream.take())]);
  log.stop();
  expect(await waiting(webhook)).toHaveLength(1);
});
