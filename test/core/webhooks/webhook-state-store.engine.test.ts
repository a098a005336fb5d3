import { webhookStateKey } from '../../../core/table/webhook-keys.ts';
import { newWebhookId, type Webhook } from '../../../core/webhooks/webhook.ts';
import { webhookStateStore } from '../../../core/webhooks/webhook-state-store.ts';
import { fileTable } from '../../support/engine.ts';

const db = fileTable();
const states = () => webhookStateStore(db.table);

const start = Date.parse('2026-03-01T12:00:00.000Z');
const at = (seconds: number) => new Date(start + seconds * 1000);
const aWebhook = (): Webhook => ({
  ...{ id: newWebhookId(), project: 'acme', url: 'https://hooks.example.com/', events: [] },
  ...{ createdAt: at(0).toISOString(), revision: 1, generation: 1 },
});

test('what comes of an attempt leaves nothing of a webhook that was deleted meanwhile', async () => {
  const { project, id } = aWebhook();
  expect(await states().succeeded({ project, id }, at(1))).toBe(false);
  expect(await states().failed({ project, id }, at(1))).toBeUndefined();
  expect(await db.table.get(webhookStateKey(project, id))).toBeUndefined();
});

test('of more stops than are kept the last ones are', async () => {
  const webhook = aWebhook();
  await db.table.put({ Item: { ...webhookStateKey(webhook.project, webhook.id), status: 'ACTIVE' } });
  for (let i = 0; i < 51; i += 1) {
    await states().stop(webhook, { status: 'PAUSED', now: at(2 * i) });
    await states().activate(webhook, at(2 * i + 1));
  }
  const item = await db.table.get(webhookStateKey(webhook.project, webhook.id));
  const stops = item?.stops as { from: string; to: string }[];
  expect(stops).toHaveLength(50);
  expect(stops.at(-1)).toEqual({ from: at(100).toISOString(), to: at(101).toISOString() });
});

test('what happened while a webhook was active is told, although others activated and paused it meanwhile', async () => {
  const webhook = aWebhook();
  await db.table.put({ Item: { ...webhookStateKey(webhook.project, webhook.id), status: 'ACTIVE' } });
  await states().stop(webhook, { status: 'PAUSED', now: at(0) });
  let isFirst = true;
  const update: typeof db.table.update = async (input) => {
    if (isFirst) {
      isFirst = false;
      await states().activate(webhook, at(10));
      await states().stop(webhook, { status: 'PAUSED', now: at(20) });
    }
    return db.table.update(input);
  };
  await webhookStateStore({ ...db.table, update }).activate(webhook, at(30));
  const item = await db.table.get(webhookStateKey(webhook.project, webhook.id));
  expect(item).toMatchObject({
    status: 'ACTIVE',
    stops: [
      { from: at(0).toISOString(), to: at(10).toISOString() },
      { from: at(20).toISOString(), to: at(30).toISOString() },
    ],
  });
});

test('a webhook that is started again has not failed yet', async () => {
  const webhook = aWebhook();
  const key = webhookStateKey(webhook.project, webhook.id);
  await db.table.put({ Item: { ...key, status: 'ACTIVE' } });
  await states().failed(webhook, at(0));
  await states().stop(webhook, { status: 'DISABLED', reason: 'gone', now: at(1) });
  await states().activate(webhook, at(2));
  const stops = [{ from: at(1).toISOString(), to: at(2).toISOString() }];
  expect(await db.table.get(key)).toEqual({ ...key, status: 'ACTIVE', stops });
  expect(await states().failed(webhook, at(3))).toMatchObject({ failingSince: at(3).toISOString() });
});
