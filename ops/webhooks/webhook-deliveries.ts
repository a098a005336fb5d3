import type { KnownDelivery } from '../../core/webhooks/delivery-store.ts';
import { OperatorError, UsageError } from '../base/operator-error.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { find, type WebhookPlace, wake } from './webhooks.ts';

const deliveryStates = ['pending', 'delivered', 'failed'] as const;

export interface DeliveryFilter {
  readonly status?: (typeof deliveryStates)[number] | undefined;
  /** How many, 50 by default. */
  readonly limit?: number | undefined;
}

/** A webhook's deliveries, newest first. */
export const listDeliveries = async (
  deployment: Deployment,
  place: WebhookPlace,
  { status, limit = 50 }: DeliveryFilter = {},
) => {
  await find(deployment, place);
  const states = status === undefined ? deliveryStates : [status];
  const lists = states.map((state) => deployment.stores.deliveries.list(place, state, limit));
  return (await Promise.all(lists))
    .flat()
    .sort((one, other) => (one.event < other.event ? 1 : -1))
    .slice(0, limit)
    .map(showDelivery);
};

/** What was sent to a webhook, and the start of what came back; null if it has expired, or nothing came. */
export const deliveryTexts = async (deployment: Deployment, place: WebhookPlace, event: string) => {
  await find(deployment, place);
  const { deliveries } = deployment.stores;
  const [delivery, bodies] = await Promise.all([
    deliveries.ofEvent(place, event),
    deliveries.bodies(place.project, [event]),
  ]);
  if (!delivery) throw new OperatorError(`The webhook ${place.id} has no delivery of ${event}`);
  return { sent: bodies.get(event) ?? null, answer: delivery.lastAnswer ?? null };
};

/** Sends an event again, or all that failed. */
export const resendDeliveries = async (
  deployment: Deployment,
  place: WebhookPlace,
  { event, failed }: { readonly event?: string | undefined; readonly failed?: boolean | undefined },
): Promise<{ readonly resent: number }> => {
  if ((event === undefined) === !failed) throw new UsageError('Give either --event EVT or --failed');
  await find(deployment, place);
  const { deliveries } = deployment.stores;
  const one = event === undefined ? undefined : await deliveries.ofEvent(place, event);
  if (event !== undefined && !one)
    throw new OperatorError(`The webhook ${place.id} has no delivery of ${event}`);
  const chosen = one ? [one] : await deliveries.list(place, 'failed');
  let resent = 0;
  for (const delivery of chosen) if (await deliveries.again(delivery, new Date())) resent += 1;
  if (resent > 0) await wake(deployment, place);
  return { resent };
};

/** A delivery as operators see it. */
const showDelivery = ({ event, type, createdAt, state, attempts, ...rest }: KnownDelivery) => ({
  ...{ event, type, createdAt, status: state, attempts },
  lastStatus: rest.lastStatus ?? null,
  lastError: rest.lastError ?? null,
  nextAttemptAt: rest.due === undefined ? null : new Date(rest.due).toISOString(),
});
