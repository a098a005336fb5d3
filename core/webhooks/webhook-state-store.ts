import { dayMs } from '../base/durations.ts';
import { webhookStateKey } from '../table/keys.ts';
import { ConditionFailed, met, type Table, wrote } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import { updateOf } from '../table/update.ts';
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
      now,
      ...stop
    }: { readonly status: 'PAUSED' | 'DISABLED'; readonly reason?: StopReason; readonly now: Date },
  ): Promise<boolean> =>
    wrote(
      table.update(
        updateOf(webhookStateKey(project, id), {
          set: { ...stop, stoppedAt: now.toISOString() },
          when: '#status = :active',
          values: { active: 'ACTIVE' },
        }),
      ),
      (found) => found?.status === stop.status && found.stoppedAt === now.toISOString(),
    ),

  /** Starts a webhook that is not active. Only what happens from now on is kept for it. */
  activate: ({ project, id, createdAt }: Webhook, now: Date): Promise<void> =>
    untilMet(async () => {
      const state = stateOf(await table.get(webhookStateKey(project, id)));
      if (state.status === 'ACTIVE') return;
      const from = state.stoppedAt ?? createdAt;
      const horizon = new Date(now.getTime() - rememberedStopMs).toISOString();
      const former = (state.stops ?? []).filter((stop) => stop.to > horizon);
      const stops: Stop[] = [...former, { from, to: now.toISOString() }].slice(-50);
      await table.update(
        updateOf(webhookStateKey(project, id), {
          set: { status: 'ACTIVE', stops },
          remove: ['stoppedAt', 'reason', 'failingSince', 'failures'],
          when: state.stoppedAt ? '#stoppedAt = :from' : 'attribute_not_exists(#stoppedAt)',
          values: { from: state.stoppedAt },
        }),
      );
    }),

  /** Notes that a receiver took something. */
  succeeded: (project: string, id: string, now: Date): Promise<boolean> =>
    met(
      table.update(
        updateOf(webhookStateKey(project, id), {
          set: { lastSuccessAt: now.toISOString() },
          remove: ['failingSince', 'failures'],
          when: 'attribute_exists(PK)',
        }),
      ),
    ),

  /** Notes a failed attempt. Resolves to the state; nothing if the webhook is gone. */
  async failed(project: string, id: string, now: Date): Promise<WebhookState | undefined> {
    try {
      const noted = updateOf(webhookStateKey(project, id), {
        first: { failingSince: now.toISOString() },
        add: { failures: 1 },
        when: 'attribute_exists(PK)',
      });
      return stateOf(await table.update({ ...noted, ReturnValues: 'ALL_NEW' }));
    } catch (error) {
      if (error instanceof ConditionFailed) return undefined;
      throw error;
    }
  },
});
