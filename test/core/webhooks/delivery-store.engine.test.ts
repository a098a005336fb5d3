import { dayMs } from '../../../core/base/durations.ts';
import { tableSchema } from '../../../core/table/keys.ts';
import { eventKey } from '../../../core/table/webhook-keys.ts';
import { deliveryStore, type PendingDelivery } from '../../../core/webhooks/delivery-store.ts';
import { newWebhookId } from '../../../core/webhooks/webhook.ts';
import { anEvent } from '../../support/builders.ts';
import { fileTable } from '../../support/engine.ts';
import { fileFaults, loseNext } from '../../support/faults.ts';
import { openWholeTable } from '../../support/lean-table.ts';
import { ofFile } from '../../support/of-file.ts';
import { tableBefore } from '../../support/table-before.ts';

const db = fileTable();
const deliveries = ofFile(() => deliveryStore(db.table));
const faulty = fileFaults(db);

const at = Date.parse('2026-03-01T12:00:00.000Z');

const aDelivery = async () => {
  const webhook = { project: 'acme', id: newWebhookId() };
  const event = anEvent('acme', at);
  await deliveries.add(event, [webhook.id], new Date(at));
  const [delivery] = (await deliveries.pending(webhook, { limit: 1 })) as [PendingDelivery];
  return { webhook, event, delivery };
};

test('the first of two attempts of a delivery decides its result', async () => {
  const { webhook, delivery } = await aDelivery();
  const { due, ...tried } = { ...delivery, attempts: 1 };
  expect(await deliveries.settle(delivery, { ...tried, lastStatus: 200 }, 'delivered')).toBe(true);
  expect(await deliveries.settle(delivery, { ...tried, due: due + 5000 }, 'pending')).toBe(false);
  expect(await deliveries.pending(webhook, { limit: 10 })).toEqual([]);
});

test.each(['delivered', 'failed', 'pending'] as const)(
  'an event that is added again after an attempt (now %s) is not sent again',
  async (state) => {
    const { webhook, event, delivery } = await aDelivery();
    const due = state === 'pending' ? at + 5000 : undefined;
    const tried = { ...delivery, attempts: 1, lastStatus: 500, due };
    await deliveries.settle(delivery, tried, state);
    await deliveries.add(event, [webhook.id], new Date(at + 1));
    const waiting = await deliveries.pending(webhook, { limit: 10 });
    expect(waiting).toEqual(state === 'pending' ? [tried] : []);
  },
);

test('only the first failed attempt notes that there was one', async () => {
  const { webhook, delivery } = await aDelivery();
  const writes: number[] = [];
  const table = tableBefore(db.table, 'transact', ({ length }) => writes.push(length));
  const { settle, pending } = deliveryStore(table);
  await settle(delivery, { ...delivery, attempts: 1, due: at + 5000 }, 'pending');
  const [once] = (await pending(webhook, { limit: 1 })) as [PendingDelivery];
  await settle(once, { ...once, attempts: 2, due: at + 9000 }, 'pending');
  expect(writes).toEqual([3, 2]);
});

test('one of two concurrent resends succeeds', async () => {
  const { webhook, delivery } = await aDelivery();
  const tried = { ...delivery, attempts: 1, lastStatus: 500, due: undefined };
  await deliveries.settle(delivery, tried, 'failed');
  const [failed] = await deliveries.list(webhook, 'failed');
  if (!failed) throw new Error('It has not failed');
  expect(await deliveries.again(failed, new Date(at + 1))).toBe(true);
  expect(await deliveries.again(failed, new Date(at + 2))).toBe(false);
  // As if it had never been attempted.
  expect(await deliveries.pending(webhook, { limit: 10 })).toEqual([{ ...delivery, due: at + 1 }]);
});

test('the newest pending deliveries are listed, whenever they are due', async () => {
  const { webhook, delivery } = await aDelivery();
  await deliveries.settle(delivery, { ...delivery, attempts: 1, due: at + 10_000 }, 'pending');
  const newer = anEvent('acme', at + 1000);
  await deliveries.add(newer, [webhook.id], new Date(at));
  const [first, ...others] = await deliveries.list(webhook, 'pending', 1);
  expect([first?.event, others]).toEqual([newer.id, []]);
});

test('a delivery is found by its event in whatever state', async () => {
  for (const state of ['pending', 'delivered', 'failed'] as const) {
    const { webhook, event, delivery } = await aDelivery();
    const after = { ...delivery, attempts: 1, due: state === 'pending' ? at + 5000 : undefined };
    await deliveries.settle(delivery, after, state);
    expect(await deliveries.ofEvent(webhook, event.id)).toMatchObject({ event: event.id, state });
    expect(await deliveries.ofEvent(webhook, 'evt_other')).toBeUndefined();
  }
});

test('a delivery is sent within the millisecond in which it is due', async () => {
  const { webhook, delivery } = await aDelivery();
  expect(await deliveries.again({ ...delivery, state: 'pending' }, new Date(delivery.due))).toBe(true);
  expect(await deliveries.pending(webhook, { limit: 10 })).toHaveLength(1);
});

test('an event outlives its deliveries', async () => {
  const { event, delivery } = await aDelivery();
  const kept = await db.table.get(eventKey('acme', event.id));
  expect(delivery.ttl).toBe((at + 30 * dayMs) / 1000);
  expect(kept?.[tableSchema.ttl]).toBeGreaterThan(delivery.ttl);
});

test('a test begins once, also if the answer to that is lost', async () => {
  const webhook = { project: 'acme', id: newWebhookId() };
  const { noteTest } = deliveryStore(openWholeTable(faulty.endpoint));
  const losses = loseNext(faulty);
  expect(await noteTest(webhook, 'test')).toBe(true);
  expect(losses()).toBe(1);
  expect(await noteTest(webhook, 'test')).toBe(false);
});
