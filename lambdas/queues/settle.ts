import type { UsesOf } from '../../core/functions.ts';
import type { Granted } from '../../core/stores.ts';
import type { PendingDelivery } from '../../core/webhooks/delivery-store.ts';
import type { Outcome } from '../../core/webhooks/receiver.ts';
import { isGivenUp, pauseAfter, retryAfterOf } from '../../core/webhooks/retries.ts';
import { isTaken } from '../../core/webhooks/send.ts';
import type { KnownWebhook } from '../../core/webhooks/webhook-store.ts';

export type SenderStores = Granted<UsesOf<'send-events'>>;

interface Settling {
  readonly stores: Pick<SenderStores, 'deliveries' | 'webhookStates'>;
  readonly known: KnownWebhook;
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
  const { status, retryAfter } = outcome;
  const tried = { ...delivery, attempts: delivery.attempts + 1, lastStatus: status, due: undefined };
  if (isTaken(outcome)) {
    await deliveries.settle(delivery, tried, 'delivered');
    return noteSuccess(settling);
  }
  const pause =
    status === gone
      ? undefined
      : pauseAfter(tried.attempts, { retryAfter: retryAfterOf(status, retryAfter) });
  if (pause === undefined) await deliveries.settle(delivery, tried, 'failed');
  else await deliveries.settle(delivery, { ...tried, due: Math.ceil(Date.now() + pause) }, 'pending');
  await noteFailure(status, settling);
};

const noteSuccess = async ({ stores, known: { webhook, state } }: Settling): Promise<void> => {
  const now = new Date();
  const isNoted = Date.parse(state.lastSuccessAt ?? '') + notedEveryMs > now.getTime();
  if (isNoted && state.failingSince === undefined) return;
  // Of the deliveries at the same time, one notes it.
  Object.assign(state, { lastSuccessAt: now.toISOString(), failingSince: undefined });
  await stores.webhookStates.succeeded(webhook, now);
};

const noteFailure = async (
  status: number | undefined,
  { stores: { webhookStates }, known: { webhook, state } }: Settling,
): Promise<void> => {
  const now = new Date();
  const noted = await webhookStates.failed(webhook, now);
  if (!noted) return;
  const { failingSince = now.toISOString(), failures = 0 } = noted;
  Object.assign(state, { failingSince });
  const isOver = status === gone || isGivenUp(now.getTime() - Date.parse(failingSince), failures);
  if (!isOver) return;
  // Those that would be sent next know it at once.
  Object.assign(state, { status: 'DISABLED' });
  const reason = status === gone ? 'gone' : 'failing';
  await webhookStates.stop(webhook, { status: 'DISABLED', reason, now });
};
