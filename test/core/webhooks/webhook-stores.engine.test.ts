import { projectStore } from '../../../core/projects/project-store.ts';
import { turnsKey, webhookKey, webhookStateKey } from '../../../core/table/webhook-keys.ts';
import { turnStore } from '../../../core/webhooks/turn-store.ts';
import { newWebhookId, webhookIdPattern } from '../../../core/webhooks/webhook.ts';
import { webhookStateStore } from '../../../core/webhooks/webhook-state-store.ts';
import { webhookStore } from '../../../core/webhooks/webhook-store.ts';
import { aProject, aWebhook, unique } from '../../support/builders.ts';
import { fileTable } from '../../support/engine.ts';
import { fileFaults, loseNext } from '../../support/faults.ts';
import { openWholeTable } from '../../support/lean-table.ts';
import { tableBefore } from '../../support/table-before.ts';

const db = fileTable();
const faulty = fileFaults(db);
const states = () => webhookStateStore(db.table);

const start = Date.parse('2026-03-01T12:00:00.000Z');
const at = (seconds: number) => new Date(start + seconds * 1000);
const stop = (from: number, to: number) => ({ from: at(from).toISOString(), to: at(to).toISOString() });

const activeWebhook = async () => {
  const webhook = aWebhook();
  const key = webhookStateKey(webhook.project, webhook.id);
  await db.table.put({ Item: { ...key, status: 'ACTIVE' } });
  return { webhook, key, item: () => db.table.get(key) };
};

test('ids are long and have one form', () => {
  expect(newWebhookId()).toMatch(webhookIdPattern);
  expect(newWebhookId()).not.toBe(newWebhookId());
});

test('a project gets ten webhooks at most, even at once', async () => {
  const project = aProject();
  await projectStore(db.table).create(project);
  const made = await Promise.all(
    Array.from({ length: 12 }, () =>
      webhookStore(db.table).create(aWebhook({ id: newWebhookId(), project: project.id })),
    ),
  );
  expect(made.filter((one) => one === 'created')).toHaveLength(10);
  expect(await webhookStore(db.table).all(project.id)).toHaveLength(10);
});

test("an attempt's result stores nothing for a deleted webhook", async () => {
  const { project, id } = aWebhook();
  expect(await states().succeeded({ project, id }, at(1))).toBe(false);
  expect(await states().failed({ project, id }, at(1))).toBeUndefined();
  expect(await db.table.get(webhookStateKey(project, id))).toBeUndefined();
});

test('the last fifty stops are kept', async () => {
  const { webhook, item } = await activeWebhook();
  for (let i = 0; i < 51; i += 1) {
    await states().stop(webhook, { status: 'PAUSED', now: at(2 * i) });
    await states().activate(webhook, at(2 * i + 1));
  }
  const stops = (await item())?.stops as object[];
  expect(stops).toHaveLength(50);
  expect(stops.at(-1)).toEqual(stop(100, 101));
});

test('a webhook gets the events of its active time, although others activated and paused it meanwhile', async () => {
  const { webhook, item } = await activeWebhook();
  await states().stop(webhook, { status: 'PAUSED', now: at(0) });
  let isFirst = true;
  const overtaken = tableBefore(db.table, 'update', async () => {
    if (!isFirst) return;
    isFirst = false;
    await states().activate(webhook, at(10));
    await states().stop(webhook, { status: 'PAUSED', now: at(20) });
  });
  await webhookStateStore(overtaken).activate(webhook, at(30));
  expect(await item()).toMatchObject({ status: 'ACTIVE', stops: [stop(0, 10), stop(20, 30)] });
});

test('a webhook that is started again has not failed yet', async () => {
  const { webhook, key, item } = await activeWebhook();
  await states().failed(webhook, at(0));
  await states().stop(webhook, { status: 'DISABLED', reason: 'gone', now: at(1) });
  await states().activate(webhook, at(2));
  expect(await item()).toEqual({ ...key, status: 'ACTIVE', stops: [stop(1, 2)] });
  expect(await states().failed(webhook, at(3))).toMatchObject({ failingSince: at(3).toISOString() });
});

test('a turn whose end is stored without an answer still names the webhook to wake', async () => {
  const project = unique('project');
  const turns = turnStore(openWholeTable(faulty.endpoint));
  const begin = (webhook: string) => turns.begin({ project, webhook, message: webhook }, new Date());
  const first = await begin('first');
  expect([await begin('second'), await begin('third')]).toEqual([expect.anything(), undefined]);
  const losses = loseNext(faulty, (operation) => operation === 'PutItem');
  const end = await first?.end({ hasMore: false, nextMessageAt: 0, now: Date.now() });
  expect([losses(), end]).toEqual([1, { wake: 'third' }]);
  expect(await db.table.get(turnsKey(project))).toMatchObject({ waiting: ['third'] });
});

test('a change of a webhook whose answer is lost is made once', async () => {
  const webhook = aWebhook({ project: unique('project') });
  const key = webhookKey(webhook.project, webhook.id);
  await db.table.put({ Item: { ...key, ...webhook } });
  const losses = loseNext(faulty, (operation) => !operation.startsWith('Get'));
  await webhookStore(openWholeTable(faulty.endpoint)).change({ ...webhook, generation: 2 });
  expect(losses()).toBe(1);
  expect(await db.table.get(key)).toMatchObject({ revision: 2, generation: 2 });
});
