import type { SQSEvent } from 'aws-lambda';
import { eachOf } from '../../core/base/each-of.ts';
import { eventOf } from '../../core/events/event.ts';
import type { PendingDelivery } from '../../core/webhooks/delivery-store.ts';
import type { openReceiver, SendResult } from '../../core/webhooks/receiver.ts';
import { announcedAfterMs, mostAttempts } from '../../core/webhooks/retry-schedule.ts';
import { sendEvent, type Ways } from '../../core/webhooks/send.ts';
import type { Turn } from '../../core/webhooks/turns.ts';
import { longestDelaySeconds, type SendWake, type Wake, wakeOf } from '../../core/webhooks/wake.ts';
import { countMetric, logError } from '../frame/log.ts';
import { settleDelivery } from './settle.ts';
import { type SenderStores, WebhookStanding } from './standing.ts';

export interface SenderProps {
  readonly stores: SenderStores;
  readonly wake: SendWake;
  readonly secret: string;
  readonly version: string;
  readonly put: Ways['put'];
  /** Opens connections for one turn. */
  readonly open: () => ReturnType<typeof openReceiver>;
  /** Time in which a turn begins deliveries, in milliseconds; other webhooks wait meanwhile. */
  readonly turnMs?: number;
  /** Deliveries in one read. */
  readonly pageSize?: number;
}

/** Concurrent requests of one webhook. */
export const requestsAtOnce = 10;
/** A turn waits this long for the next delivery, rather than send another message. */
const shortWaitMs = 1500;
/** A message due this soon may have arrived already, because clocks differ. */
const unsureMs = 1000;
/** Operators' changes apply within this time. */
const rememberedMs = 1000;

/** Sends due deliveries of the webhooks that messages name. A message is redelivered if that fails. */
export const eventSender =
  (props: SenderProps) =>
  async ({ Records }: Pick<SQSEvent, 'Records'>): Promise<void> => {
    for (const { body, messageId } of Records) {
      const wake = read(body);
      if (!wake) continue;
      const receiver = props.open();
      const sending = { ...props, ways: { ...props, post: receiver.post } };
      try {
        await (wake.test ? test(wake, wake.test, sending) : take({ ...wake, message: messageId }, sending));
      } finally {
        receiver.close();
      }
    }
  };

const read = (body: string) => {
  try {
    return wakeOf(body);
  } catch (error) {
    // It would be redelivered for two weeks.
    logError('A message to the sender could not be read', error);
    return undefined;
  }
};

type Sending = SenderProps & { readonly ways: Ways };

const take = async (turn: Turn, sending: Sending): Promise<void> => {
  const { stores, wake, turnMs = 5000 } = sending;
  const { project, webhook } = turn;
  const begun = await stores.turns.begin(turn, new Date());
  if (!begun) return;
  const until = Date.now() + turnMs;
  let { nextMessageAt } = begun;
  for (;;) {
    // The webhook is read anew, because a message may have announced an operator's change.
    const next = await sendDue({ ...sending, until, standing: standingOf(stores, turn) });
    const now = Date.now();
    const hasMore = next !== undefined && next <= now;
    if (next !== undefined && !hasMore && !isPlanned(nextMessageAt, next)) {
      // A slowly sent message may arrive before the call returns.
      const delay = Math.min(longestDelaySeconds, Math.floor((next - now) / 1000));
      await wake({ project, webhook }, delay);
      nextMessageAt = now + delay * 1000;
    }
    const end = await begun.end({ hasMore, nextMessageAt, now: Date.now() });
    if (end === 'again') continue;
    if (end.wake !== undefined) await wake({ project, webhook: end.wake });
    return;
  }
};

/** Whether a delayed message will arrive in time. */
const isPlanned = (messageAt: number, due: number): boolean =>
  messageAt > Date.now() + unsureMs &&
  messageAt <= Math.min(due, Date.now() + longestDelaySeconds * 1000) + 1000;

/** A turn's webhook, at most a second old; undefined if nothing may be sent to it. */
const standingOf = ({ webhooks, webhookStates }: SenderStores, { project, webhook }: Turn) => {
  let known: Promise<WebhookStanding | undefined> | undefined;
  let readAt = 0;
  return async (): Promise<WebhookStanding | undefined> => {
    if (Date.now() - readAt >= rememberedMs) {
      readAt = Date.now();
      known = webhooks
        .find(project, webhook)
        .then((found) => found && new WebhookStanding(found, webhookStates));
    }
    const found = await known;
    return found?.isStopped ? undefined : found;
  };
};

interface SendingOfTurn extends Sending {
  /** Time after which the turn begins no delivery, in epoch milliseconds. */
  readonly until: number;
  readonly standing: () => Promise<WebhookStanding | undefined>;
}

/** Sends deliveries until none is due or the turn is over. Resolves to the time of the next turn, in epoch milliseconds. */
const sendDue = async (sending: SendingOfTurn): Promise<number | undefined> => {
  const { until, standing } = sending;
  const announce = announcer();
  for (;;) {
    if (Date.now() >= until) return Date.now();
    const known = await standing();
    if (!known) return undefined;
    // Also after an error, because the message may be redelivered for days.
    const { done, next } = await passOver(known, sending).finally(() => announce(known));
    // If the time is up before anything is sent, the next turn sends it.
    if (done > 0 || Date.now() >= until) continue;
    if (next === undefined) return undefined;
    if (next > Date.now() + shortWaitMs) return Math.min(next, announce(known));
    await new Promise((resolve) => setTimeout(resolve, next - Date.now()));
  }
};

/** Counts a webhook once if it has failed for long. Returns the time when that is due, in epoch milliseconds, or Infinity. */
const announcer = () => {
  let isIncluded = false;
  return ({ webhook: { project, id }, failingSince }: WebhookStanding): number => {
    if (failingSince === undefined) return Number.POSITIVE_INFINITY;
    const at = Date.parse(failingSince) + announcedAfterMs;
    if (at > Date.now()) return at;
    if (!isIncluded) countMetric('WebhookFailing', { project, webhook: id, since: failingSince });
    isIncluded = true;
    return Number.POSITIVE_INFINITY;
  };
};

/**
 * Makes one pass over a webhook's due deliveries, in order. Resolves to the number of handled ones, and to the due time
 * of the first remaining one, in epoch milliseconds.
 */
const passOver = async (
  { webhook }: WebhookStanding,
  { stores, ways, until, standing, pageSize = 100 }: SendingOfTurn,
): Promise<{ readonly done: number; readonly next: number | undefined }> => {
  const { deliveries } = stores;
  let [done, next] = [0, undefined as number | undefined];
  const due = async function* () {
    let after: PendingDelivery | undefined;
    do {
      const page = await deliveries.pending(webhook, { limit: pageSize, after });
      const now = Date.now();
      const ready = page.filter((delivery) => delivery.due <= now);
      next = page[ready.length]?.due;
      const bodies = await deliveries.bodies(
        webhook.project,
        ready.map(({ event }) => event),
      );
      for (const delivery of ready) yield { delivery, body: bodies.get(delivery.event) };
      // If all of a page is due, further ones may be.
      after = ready.length === pageSize ? ready.at(-1) : undefined;
    } while (after && Date.now() < until && (await standing()));
  };
  await eachOf(due(), requestsAtOnce, async ({ delivery, body }) => {
    const known = await standing();
    if (!known || Date.now() >= until) return;
    done += 1;
    const isOver =
      body === undefined || delivery.ttl * 1000 <= Date.now() || delivery.attempts >= mostAttempts;
    if (isOver) return deliveries.drop(delivery);
    const outcome = await sendEvent(known.webhook, { id: delivery.event, body }, ways);
    await settleDelivery(delivery, outcome, { deliveries, standing: known });
  });
  return { done, next };
};

const test = async (
  { project, webhook }: Wake,
  name: string,
  { stores: { deliveries, webhooks }, ways }: Sending,
): Promise<void> => {
  const place = { project, id: webhook };
  if (!(await deliveries.noteTest(place, name))) return;
  const known = await webhooks.find(project, webhook);
  if (!known) return;
  const at = Date.now();
  const what = { type: 'webhook.test', project, at, takenIn: at } as const;
  const event = eventOf({ ...what, of: [webhook, name], data: { project, webhook } });
  const { status, error, ms }: SendResult = known.isSuspended
    ? { error: `The project ${project} is suspended`, ms: 0 }
    : await sendEvent(known.webhook, event, ways);
  await deliveries.noteTest(place, name, { id: event.id, status, error, ms });
};
