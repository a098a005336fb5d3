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
  /** How long a turn begins something, in milliseconds: others wait for theirs. */
  readonly turnMs?: number;
  /** Deliveries that are read at once. */
  readonly pageSize?: number;
}

/** Requests at once of one webhook. */
export const requestsAtOnce = 10;
/** A turn waits so long for what is due next, rather than send another message. */
const shortWaitMs = 1500;
/** A message that is to come so soon may have come already: clocks differ. */
const unsureMs = 1000;
/** What operators change acts so soon. */
const rememberedMs = 1000;

/** Sends the deliveries of a webhook that are due. A message says which webhook to look at; it comes again if that fails. */
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
    // It would come again for two weeks.
    logError('A message to the sender could not be read', error);
    return undefined;
  }
};

type Sending = SenderProps & { readonly ways: Ways };

/** One turn at a webhook. */
const take = async (turn: Turn, sending: Sending): Promise<void> => {
  const { stores, wake, turnMs = 5000 } = sending;
  const { project, webhook } = turn;
  const begun = await stores.turns.begin(turn, new Date());
  if (!begun) return;
  const until = Date.now() + turnMs;
  let { nextMessageAt } = begun;
  for (;;) {
    // Read anew: a message that came meanwhile may say that operators have changed something.
    const next = await sendDue({ ...sending, until, standing: standingOf(stores, turn) });
    const now = Date.now();
    const hasMore = next !== undefined && next <= now;
    if (next !== undefined && !hasMore && !isPlanned(nextMessageAt, next)) {
      // A message that takes long to send may come before its sending ends.
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

/** Whether a message is on its way that comes in time. */
const isPlanned = (messageAt: number, due: number): boolean =>
  messageAt > Date.now() + unsureMs &&
  messageAt <= Math.min(due, Date.now() + longestDelaySeconds * 1000) + 1000;

/** The webhook of a turn as it is now, give or take a second; nothing if nothing may be sent to it. */
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
  /** When the turn begins nothing more, in epoch milliseconds. */
  readonly until: number;
  readonly standing: () => Promise<WebhookStanding | undefined>;
}

/** Sends until nothing is due or the turn is over. Resolves to when another turn is needed, in epoch milliseconds. */
const sendDue = async (sending: SendingOfTurn): Promise<number | undefined> => {
  const { until, standing } = sending;
  const announce = announcer();
  for (;;) {
    if (Date.now() >= until) return Date.now();
    const known = await standing();
    if (!known) return undefined;
    // Also if it throws: the message comes again, perhaps for days.
    const { done, next } = await passOver(known, sending).finally(() => announce(known));
    // A turn whose time is up before it sends anything leaves what it has read.
    if (done > 0 || Date.now() >= until) continue;
    if (next === undefined) return undefined;
    if (next > Date.now() + shortWaitMs) return Math.min(next, announce(known));
    await new Promise((resolve) => setTimeout(resolve, next - Date.now()));
  }
};

/** Counts once that a webhook has failed for long. Returns when that is due, in epoch milliseconds; Infinity if it isn't. */
const announcer = () => {
  let isSaid = false;
  return ({ webhook: { project, id }, failingSince }: WebhookStanding): number => {
    if (failingSince === undefined) return Number.POSITIVE_INFINITY;
    const at = Date.parse(failingSince) + announcedAfterMs;
    if (at > Date.now()) return at;
    if (!isSaid) countMetric('WebhookFailing', { project, webhook: id, since: failingSince });
    isSaid = true;
    return Number.POSITIVE_INFINITY;
  };
};

/**
 * One pass over what waits for a webhook, in the order in which it is due. Resolves to how many were dealt with, and to when
 * the first one is due that it left, in epoch milliseconds.
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
      // After a page that is all due, more may be.
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

/** Tries a webhook once. */
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
