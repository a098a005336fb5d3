import { type EventType, eventTypes } from '../../core/events/event.ts';
import { receiverFault } from '../../core/webhooks/receiver-address.ts';
import { busOf } from '../../core/webhooks/webhook.ts';
import { OperatorError, UsageError } from '../base/operator-error.ts';
import type { WebhookAccess } from '../deployment/webhook-access.ts';

/** Reads types with commas between them; `all` is everything. Throws UsageError for one that doesn't exist. */
export const readEvents = (text: string): readonly EventType[] =>
  text === 'all'
    ? eventTypes
    : [...new Set(text.split(','))].map((name) => {
        const type = eventTypes.find((one) => one === name.trim());
        if (type) return type;
        throw new UsageError(`There is no event '${name}'; the events are ${eventTypes.join(', ')}, or all`);
      });

/** Checks a webhook's address. Its messages don't contain the address, which may hold a secret. */
export const checkUrl = (url: string, { eventBuses, isLocal }: WebhookAccess): void => {
  const bus = busOf(url);
  if (bus !== undefined) {
    if (eventBuses.includes(bus)) return;
    const known = eventBuses.length > 0 ? eventBuses.join(', ') : 'none';
    throw new OperatorError(`The context key eventBuses doesn't name the bus '${bus}'; it names ${known}`);
  }
  const fault = receiverFault(url, { isLocal });
  if (fault !== undefined) throw new UsageError(`Events can't be sent to that address: ${fault}`);
};
