import { dayMs, epochSeconds } from '../base/durations.ts';
import type { ServiceEvent } from '../events/event.ts';
import { contentOf } from '../table/content.ts';
import { type Key, tableSchema } from '../table/keys.ts';
import { itemsBetween, itemsFrom } from '../table/ranges.ts';
import { met, type Part, putIfFree, type Table } from '../table/table.ts';
import { type DeliveryState, deliveryKey, eventKey } from '../table/webhook-keys.ts';
import type { SendResult } from './receiver.ts';
import type { WebhookPlace } from './webhook-store.ts';

export interface Delivery {
  readonly project: string;
  readonly webhook: string;
  readonly event: string;
  readonly type: string;
  readonly createdAt: string;
  /** Number of attempts, including the one that succeeded. */
  readonly attempts: number;
  /** HTTP status of the last attempt; absent if no response arrived. */
  readonly lastStatus?: number | undefined;
  /** Why the last attempt failed, unless its status is the reason. */
  readonly lastError?: string | undefined;
  /** The start of the last response's body. */
  readonly lastAnswer?: string | undefined;
  /** Expiry in epoch seconds. */
  readonly ttl: number;
  /** Time of the next attempt, in epoch milliseconds. */
  readonly due?: number | undefined;
}

export type PendingDelivery = Delivery & { readonly due: number };

export interface KnownDelivery extends Delivery {
  readonly state: Exclude<DeliveryState, 'attempted' | 'test'>;
}

const keptMs = 30 * dayMs;

const keyOf = ({ project, webhook: id, event, due }: Delivery, state: DeliveryState): Key =>
  deliveryKey({ project, id }, state, { event, due: state === 'pending' ? due : undefined });

const put = (delivery: Delivery, state: DeliveryState): Part => ({
  Put: { Item: { ...keyOf(delivery, state), ...delivery } },
});

/** A webhook test's result, with the id of its event. */
export type TestOutcome = Pick<SendResult, 'status' | 'error' | 'ms'> & { readonly id: string };

export const deliveryStore = (table: Table) => ({
  /**
   * Stores an event's body, and adds deliveries that are due at once. A repeated call adds missing deliveries, but none
   * that was attempted.
   */
  async add(event: ServiceEvent, webhooks: readonly string[], now: Date): Promise<void> {
    const { project, id, body, type, createdAt } = event;
    const ttl = epochSeconds(now.getTime() + keptMs);
    const kept = { ...eventKey(project, id), event: id, body, [tableSchema.ttl]: ttl + epochSeconds(dayMs) };
    const isNew = await met(table.put({ Item: kept, ...ifAbsent }));
    const at = new Date(createdAt).toISOString();
    for (const webhook of webhooks) {
      if (!isNew && (await wasAttempted(table, { project, id: webhook }, id))) continue;
      const delivery = { project, webhook, event: id, type, createdAt: at, attempts: 0, ttl, due: createdAt };
      const Item = { ...keyOf(delivery, 'pending'), ...delivery };
      await met(table.put({ Item, ...ifAbsent }));
    }
  },

  /** Pending deliveries, the earliest first; with `after`, those that follow it. */
  async pending(
    webhook: WebhookPlace,
    { limit, after }: { readonly limit: number; readonly after?: PendingDelivery | undefined },
  ): Promise<PendingDelivery[]> {
    const { PK, SK: start } = deliveryKey(webhook, 'pending');
    const SK = after ? `${keyOf(after, 'pending').SK} ` : start;
    // Times are digits, which sort before it.
    const items = await table.query({ ...itemsBetween({ PK, SK }, `${start}~`), Limit: limit });
    return items.map(contentOf<PendingDelivery>);
  },

  /** Bodies of events by their ids, without expired ones. */
  async bodies(project: string, events: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const items = await table.batchGet(events.map((event) => eventKey(project, event)));
    return new Map(items.map(({ event, body }) => [String(event), String(body)]));
  },

  /** Stores an attempt's result. False if the delivery is no longer pending. */
  settle: (
    before: PendingDelivery,
    after: Delivery,
    state: 'pending' | 'delivered' | 'failed',
  ): Promise<boolean> =>
    met(
      table.transact([
        taken(keyOf(before, 'pending')),
        put(after, state),
        ...(state === 'pending' && before.attempts === 0
          ? [put({ ...after, due: undefined, lastAnswer: undefined }, 'attempted')]
          : []),
      ]),
    ),

  /** Deletes a pending delivery that can't be sent any more. */
  drop: (delivery: PendingDelivery): Promise<void> => table.delete({ Key: keyOf(delivery, 'pending') }),

  /** Deliveries of a state, the newest first. */
  async list(webhook: WebhookPlace, state: KnownDelivery['state'], limit?: number): Promise<KnownDelivery[]> {
    // Pending ones are stored by due time, so all must be read to find the newest.
    const most = state === 'pending' ? undefined : limit;
    const items = await table.query({
      ...itemsFrom(deliveryKey(webhook, state)),
      ScanIndexForward: false,
      ...(most !== undefined && { Limit: most }),
    });
    return items
      .map((item): KnownDelivery => ({ ...contentOf<PendingDelivery>(item), state }))
      .sort((one, other) => (one.event < other.event ? 1 : -1))
      .slice(0, limit);
  },

  /** An event's delivery. While its state changes, there may briefly be two; the final one is returned. */
  async ofEvent(webhook: WebhookPlace, event: string): Promise<KnownDelivery | undefined> {
    for (const state of ['delivered', 'failed'] as const) {
      const item = await table.get(deliveryKey(webhook, state, { event }));
      if (item) return { ...contentOf<Delivery>(item), state };
    }
    return (await this.list(webhook, 'pending')).find((delivery) => delivery.event === event);
  },

  /** Schedules a delivery again, with the full number of attempts. False if it has changed meanwhile. */
  again({ state, ...delivery }: KnownDelivery, now: Date): Promise<boolean> {
    // A transaction can't write one item twice.
    const due = now.getTime() + (now.getTime() === delivery.due ? 1 : 0);
    const untried = { lastStatus: undefined, lastError: undefined, lastAnswer: undefined };
    const next = { ...delivery, ...untried, attempts: 0, due };
    return met(table.transact([taken(keyOf(delivery, state)), put(next, 'pending')]));
  },

  /** Stores that a test begins, or its outcome. False if it began before, because its message was delivered twice. */
  noteTest(webhook: WebhookPlace, test: string, outcome?: TestOutcome): Promise<boolean> {
    const now = new Date();
    const lives = { createdAt: now.toISOString(), [tableSchema.ttl]: epochSeconds(now.getTime() + dayMs) };
    const Item = { ...deliveryKey(webhook, 'test', { event: test }), ...outcome, ...lives };
    return outcome ? met(table.put({ Item })) : putIfFree(table, Item);
  },

  /** A test's outcome, once it has ended. */
  async testOutcome(webhook: WebhookPlace, test: string): Promise<TestOutcome | undefined> {
    const item = await table.get(deliveryKey(webhook, 'test', { event: test }));
    const { id, status, error, ms } = (item ?? {}) as Partial<TestOutcome>;
    return id === undefined || ms === undefined ? undefined : { id, status, error, ms };
  },
});

const ifAbsent = { ConditionExpression: 'attribute_not_exists(PK)' };

const wasAttempted = async (table: Table, webhook: WebhookPlace, event: string): Promise<boolean> => {
  const states = ['delivered', 'failed', 'attempted'] as const;
  const items = await table.batchGet(states.map((state) => deliveryKey(webhook, state, { event })));
  return items.length > 0;
};

const taken = (Key: Key): Part => ({
  Delete: { Key, ConditionExpression: 'attribute_exists(PK)' },
});
