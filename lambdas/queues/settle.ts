import type { PendingDelivery } from '../../core/webhooks/delivery-store.ts';
import type { Outcome } from '../../core/webhooks/receiver.ts';
import { isGivenUp, pauseAfter, retryAfterOf } from '../../core/webhooks/retries.ts';
import { isTaken } from '../../core/webhooks/send.ts';
import type { StopReason } from '../../core/webhooks/webhook.ts';
import type { SenderStores, Standing } from './standing.ts';

interface Settling {
  readonly stores: Pick<SenderStores, 'deliveries' | 'webhookStates'>;
  readonly known: Standing;
}

/** A receiver that says so wants nothing any more. */
const gone = 410;

/** Successes are noted no more often: `webhook show` has the last one. */
const notedEveryMs = 1000;

/** Stores what came of an attempt: of the delivery, and of its webhook. */
export const settle = async (
  delivery: PendingDelivery,
  outcome: Outcome,
  settling: Settling,
): Promise<void> => {
  const { deliveries } = settling.stores;
  const { due, lastStatus, ...rest } = delivery;
  const { status } = outcome;
  const tried = {
    ...rest,
    attempts: delivery.attempts + 1,
    ...(status !== undefined && { lastStatus: status }),
  };
  if (isTaken(outcome)) {
    await deliveries.settle(delivery, tried, 'delivered');
    await noteSuccess(settling);
    return;
  }
  const retryAfter = retryAfterOf(status ?? 0, outcome.retryAfter);
  const pause =
    status === gone ? undefined : pauseAfter(tried.attempts, { ...(retryAfter && { retryAfter }) });
  if (pause === undefined) await deliveries.settle(delivery, tried, 'failed');
  else await deliveries.settle(delivery, { ...tried, due: Math.ceil(Date.now() + pause) }, 'pending');
  await noteFailure(outcome, settling);
};

const noteSuccess = async ({ stores: { webhookStates }, known }: Settling): Promise<void> => {
  const { webhook, state } = known;
  const now = new Date();
  const isNoted = Date.parse(state.lastSuccessAt ?? '') + notedEveryMs > now.getTime();
  if (isNoted && state.failingSince === undefined) return;
  // Of the deliveries at the same time, one notes it.
  Object.assign(state, { lastSuccessAt: now.toISOString(), failingSince: undefined });
  await webhookStates.succeeded(webhook.project, webhook.id, now);
};

const noteFailure = async (
  { status }: Outcome,
  { stores: { webhookStates }, known }: Settling,
): Promise<void> => {
  const { webhook, state } = known;
  const now = new Date();
  const noted = await webhookStates.failed(webhook.project, webhook.id, now);
  if (!noted) return;
  Object.assign(state, { failingSince: noted.failingSince });
  const failingMs = now.getTime() - Date.parse(noted.failingSince ?? now.toISOString());
  const reason: StopReason | undefined =
    status === gone ? 'gone' : isGivenUp(failingMs, noted.failures ?? 0) ? 'failing' : undefined;
  if (!reason) return;
  // Those that would be sent next know it at once.
  Object.assign(state, { status: 'DISABLED' });
  await webhookStates.stop(webhook, { status: 'DISABLED', reason, now });
};
