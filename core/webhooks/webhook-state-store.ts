import { dayMs } from '../base/durations.ts';
import { webhookStateKey } from '../table/keys.ts';
import { ConditionFailed, met, type Table } from '../table/table.ts';
import type { Stop, StopReason, Webhook, WebhookState } from './webhook.ts';
import { stateOf } from './webhook-store.ts';

/** Longer than a delivery waits. */
const rememberedStopMs = 31 * dayMs;

/** What becomes of webhooks. */
export const webhookStateStore = (table: Table) => ({
  /** Stops an active webhook. False if it was not active. */
  stop: (
    { project, id }: Pick<Webhook, 'project' | 'id'>,
    {
      status,
      reason,
      now,
    }: { readonly status: 'PAUSED' | 'DISABLED'; readonly reason?: StopReason; readonly now: Date },
  ): Promise<boolean> =>
    met(
      table.update({
        Key: webhookStateKey(project, id),
        UpdateExpression: `SET #status = :status, stoppedAt = :now${reason === undefined ? '' : ', reason = :reason'}`,
        ConditionExpression: '#status = :active',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':status': status,
          ':active': 'ACTIVE',
          ':now': now.toISOString(),
          ...(reason && { ':reason': reason }),
        },
      }),
    ),

  /** Starts a webhook that is not active. Only what happens from now on is kept for it. */
  async activate({ project, id, createdAt }: Webhook, now: Date): Promise<void> {
    for (;;) {
      const state = stateOf(await table.get(webhookStateKey(project, id)));
      if (state.status === 'ACTIVE') return;
      const from = state.stoppedAt ?? createdAt;
      const to = now.toISOString();
      const horizon = new Date(now.getTime() - rememberedStopMs).toISOString();
      const stops: Stop[] = [...(state.stops ?? []).filter((stop) => stop.to > horizon), { from, to }];
      const update = table.update({
        Key: webhookStateKey(project, id),
        UpdateExpression:
          'SET #status = :active, stops = :stops REMOVE stoppedAt, reason, failingSince, failures',
        ConditionExpression: state.stoppedAt ? 'stoppedAt = :from' : 'attribute_not_exists(stoppedAt)',
        ExpressionAttributeNames: { '#status': 'status' },
        ExpressionAttributeValues: {
          ':active': 'ACTIVE',
          ':stops': stops.slice(-50),
          ...(state.stoppedAt && { ':from': from }),
        },
      });
      if (await met(update)) return;
    }
  },

  /** Notes that a receiver took something. */
  succeeded: (project: string, id: string, now: Date): Promise<boolean> =>
    met(
      table.update({
        Key: webhookStateKey(project, id),
        UpdateExpression: 'SET lastSuccessAt = :now REMOVE failingSince, failures',
        ConditionExpression: 'attribute_exists(PK)',
        ExpressionAttributeValues: { ':now': now.toISOString() },
      }),
    ),

  /** Notes a failed attempt. Resolves to the state; nothing if the webhook is gone. */
  async failed(project: string, id: string, now: Date): Promise<WebhookState | undefined> {
    try {
      const item = await table.update({
        Key: webhookStateKey(project, id),
        UpdateExpression: 'SET failingSince = if_not_exists(failingSince, :now) ADD failures :one',
        ConditionExpression: 'attribute_exists(PK)',
        ExpressionAttributeValues: { ':now': now.toISOString(), ':one': 1 },
        ReturnValues: 'ALL_NEW',
      });
      return stateOf(item);
    } catch (error) {
      if (error instanceof ConditionFailed) return undefined;
      throw error;
    }
  },
});
