import { type Key, keyIn, partitions } from './keys.ts';

/* Keys of webhooks, their deliveries and their events. */

/** Partitions of a project's webhooks, and of their states. */
export const webhookPartition = (project: string): string => partitions.webhook + project;
export const webhookStatesOf = (project: string): string => partitions.webhookState + project;

/** What operators say of a webhook. */
export const webhookKey = (project: string, webhook: string): Key => keyIn('webhook', project, webhook);

/** What becomes of a webhook: a kind of its own, so that the sender can't change where it leads. */
export const webhookStateKey = (project: string, webhook: string): Key =>
  keyIn('webhookState', project, webhook);

/** The turns of the sender at a project's webhooks. */
export const turnsKey = (project: string): Key => keyIn('webhookTurns', project, 'TURNS');

/** What is sent of an event. */
export const eventKey = (project: string, event: string): Key =>
  keyIn('event', `${project}#${event}`, 'EVENT');

/** `attempted` marks an event whose first attempt failed, wherever its delivery waits now. */
const deliveryStarts = { pending: 'P#', delivered: 'D#', failed: 'F#', attempted: 'A#', test: 'T#' } as const;
export type DeliveryState = keyof typeof deliveryStarts;

/** Deliveries of a webhook: those that wait by the time when they are due, the others by their events, which sort by time. */
export const deliveryKey = (
  { project, id }: { readonly project: string; readonly id: string },
  state: DeliveryState,
  { event = '', due }: { readonly event?: string; readonly due?: number | undefined } = {},
): Key => {
  const waiting = due === undefined ? '' : `${String(due).padStart(15, '0')}#`;
  return keyIn('delivery', `${project}#${id}`, deliveryStarts[state] + waiting + event);
};
