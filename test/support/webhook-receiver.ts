import type { IncomingHttpHeaders } from 'node:http';
import { listen } from './listen.ts';
import { eventually } from './local-stack.ts';

// biome-ignore lint/suspicious/noExplicitAny: events are checked by what tests expect of them
type Event = any;

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: Event;
}

export interface WebhookReceiver {
  readonly url: string;
  /** Received events in order. */
  readonly received: readonly Received[];
  /** Resolves to the events of a type once there are `count`. */
  events(type: string, count?: number): Promise<Event[]>;
  stop(): Promise<void>;
}

/** A receiver of webhooks; `hangs` never answers. */
export const startReceiver = async ({ hangs = false, afterMs = 0 } = {}): Promise<WebhookReceiver> => {
  const received: Received[] = [];
  const { endpoint, stop } = await listen(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    received.push({ headers: request.headers, body, event: JSON.parse(body) });
    if (hangs) return;
    if (afterMs > 0) setTimeout(() => response.end(), afterMs);
    else response.end();
  });
  return {
    url: `${endpoint}/hook`,
    received,
    events: (type, count = 1) =>
      eventually(
        async () => received.map(({ event }) => event).filter((event) => event.type === type),
        ({ length }) => length >= count,
      ),
    stop,
  };
};
