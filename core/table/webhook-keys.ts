import { type Key, keyIn, partitions } from './keys.ts';

/* Keys of webhooks, their deliveries and their events. */

export const webhookPartition = (project: string): string => partitions.webhook + project;
export const webhookStatesOf = (project: string): string => partitions.webhookState + project;

/** A webhook as operators set it up. */
export const webhookKey = (project: string, webhook: string): Key => keyIn('webhook', project, webhook);

/** A webhook's state. It has its own kind, so that the webhook sender can't change a webhook's address. */
export const webhookStateKey = (project: string, webhook: string): Key =>
  keyIn('webhookState', project, webhook);

export const turnsKey = (project: string): Key => keyIn('webhookTurns', project, 'TURNS');

export const eventKey = (project: string, event: string): Key =>
  keyIn('event', `${project}#${event}`, 'EVENT');

/** `attempted` marks an event whose first attempt failed, whatever the state of its delivery. */
const deliveryStarts = { pending: 'P#', delivered: 'D#', failed: 'F#', attempted: 'A#', test: 'T#' } as const;
export type DeliveryState = keyof typeof deliveryStarts;

/** A webhook's deliveries: pending ones sort by their due time, others by event ids, which sort by time. */
export const deliveryKey = (
  { project, id }: { readonly project: string; readonly id: string },
  state: DeliveryState,
  { event = '', due }: { readonly event?: string; readonly due?: number | undefined } = {},
): Key => {
  const waiting = due === undefined ? '' : `${String(due).padStart(15, '0')}#`;
  return keyIn('delivery', `${project}#${id}`, deliveryStarts[state] + waiting + event);
};
