import type { ServiceEvent } from '../events/event.ts';
import type { openBuses } from './event-bus.ts';
import type { openReceiver, SendResult } from './receiver.ts';
import { secretsOf, signatureOf } from './secret.ts';
import { busOf, type Webhook } from './webhook.ts';

export interface Ways {
  /** The deployment's secret, from which each webhook's is derived. */
  readonly secret: string;
  readonly version: string;
  readonly post: ReturnType<typeof openReceiver>['post'];
  readonly put: ReturnType<typeof openBuses>;
}

/** Makes one attempt to send an event to a webhook: by Standard Webhooks 1.0.0, or to its event bus. */
export const sendEvent = (
  webhook: Webhook,
  { id, body }: Pick<ServiceEvent, 'id' | 'body'>,
  { secret, version, post, put }: Ways,
): Promise<SendResult> => {
  const bus = busOf(webhook.url);
  if (bus !== undefined) return put(bus, body);
  const now = new Date();
  const timestamp = Math.floor(now.getTime() / 1000);
  return post({
    url: webhook.url,
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': `dynamic-link-service/${version}`,
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signatureOf({ id, timestamp, body }, secretsOf(secret, webhook, now)),
    },
  });
};

export const isTaken = ({ status = 0 }: SendResult): boolean => status >= 200 && status < 300;
