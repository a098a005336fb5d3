import type { PendingDelivery } from '../../core/webhooks/delivery-store.ts';
import type { SendResult } from '../../core/webhooks/receiver.ts';
import { pauseAfter, retryAfterOf } from '../../core/webhooks/retry-schedule.ts';
import { isTaken } from '../../core/webhooks/send.ts';
import type { SenderStores, WebhookStanding } from './webhook-health.ts';

interface Settling {
  readonly deliveries: SenderStores['deliveries'];
  readonly standing: WebhookStanding;
}

/** The status with which a receiver unsubscribes. */
const gone = 410;

/** Stores an attempt's result for the delivery and its webhook. */
export const settleDelivery = async (
  delivery: PendingDelivery,
  outcome: SendResult,
  { deliveries, standing }: Settling,
): Promise<void> => {
  const { status, error, retryAfter, answer } = outcome;
  const result = { lastStatus: status, lastError: error, lastAnswer: answer, due: undefined };
  const tried = { ...delivery, ...result, attempts: delivery.attempts + 1 };
  if (isTaken(outcome)) {
    await deliveries.settle(delivery, tried, 'delivered');
    return standing.noteSuccess();
  }
  const isGone = status === gone;
  const pause = isGone
    ? undefined
    : pauseAfter(tried.attempts, { retryAfter: retryAfterOf(status, retryAfter) });
  if (pause === undefined) await deliveries.settle(delivery, tried, 'failed');
  else await deliveries.settle(delivery, { ...tried, due: Math.ceil(Date.now() + pause) }, 'pending');
  await standing.noteFailure(isGone);
};
