import { dayMs } from '../base/durations.ts';
import { updated } from '../table/content.ts';
import { type Item, type Table, wrote } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import { type ItemUpdate, updateOf, updateWhen } from '../table/update.ts';
import { webhookStateKey } from '../table/webhook-keys.ts';
import type { StopReason, Webhook, WebhookState, WebhookStop } from './webhook.ts';
import { type WebhookPlace, webhookStateOf } from './webhook-store.ts';

/** How long stops are kept: longer than a delivery can be pending. */
const rememberedStopMs = 31 * dayMs;

interface NewStop {
  readonly status: 'PAUSED' | 'DISABLED';
  readonly reason?: StopReason;
  readonly now: Date;
}

export const webhookStateStore = (table: Table) => {
  const keyOf = ({ project, id }: WebhookPlace) => webhookStateKey(project, id);
  const write = (webhook: WebhookPlace, change: ItemUpdate) => table.update(updateOf(keyOf(webhook), change));
  return {
    /** Stops an active webhook. False if it wasn't active. */
    stop(webhook: WebhookPlace, { now, ...stop }: NewStop): Promise<boolean> {
      const stoppedAt = now.toISOString();
      const stopping = {
        set: { ...stop, stoppedAt },
        when: '#status = :active',
        values: { active: 'ACTIVE' },
      };
      const isOwn = (found?: Item) => found?.status === stop.status && found.stoppedAt === stoppedAt;
      return wrote(write(webhook, stopping), isOwn);
    },

    /** Activates a webhook. Only events from now on are delivered to it. */
    activate: (webhook: Webhook, now: Date): Promise<void> =>
      untilMet(async () => {
        const state = webhookStateOf(await table.get(keyOf(webhook)));
        if (state.status === 'ACTIVE') return;
        const from = state.stoppedAt ?? webhook.createdAt;
        const horizon = new Date(now.getTime() - rememberedStopMs).toISOString();
        const former = (state.stops ?? []).filter((stop) => stop.to > horizon);
        const stops: WebhookStop[] = [...former, { from, to: now.toISOString() }].slice(-50);
        await write(webhook, {
          set: { status: 'ACTIVE', stops },
          remove: ['stoppedAt', 'reason', 'failingSince', 'failures'],
          when: state.stoppedAt ? '#stoppedAt = :from' : 'attribute_not_exists(#stoppedAt)',
          values: { from: state.stoppedAt },
        });
      }),

    succeeded: (webhook: WebhookPlace, now: Date): Promise<boolean> =>
      updateWhen(table, keyOf(webhook), {
        set: { lastSuccessAt: now.toISOString() },
        remove: ['failingSince', 'failures'],
        when: 'attribute_exists(#PK)',
      }),

    /** Stores a failed attempt. Resolves to the new state, or undefined if the webhook was deleted. */
    async failed(webhook: WebhookPlace, now: Date): Promise<WebhookState | undefined> {
      const change = { first: { failingSince: now.toISOString() }, add: { failures: 1 } };
      const item = await updated(table, keyOf(webhook), { ...change, when: 'attribute_exists(#PK)' });
      return item && webhookStateOf(item);
    },
  };
};
