import type { SQSEvent } from 'aws-lambda';
import type { ServiceEvent } from '../../core/events/event.ts';
import type { openReceiver } from '../../core/webhooks/receiver.ts';
import { announcedAfterMs, mostAttempts } from '../../core/webhooks/retries.ts';
import { isTaken, send, type Ways } from '../../core/webhooks/send.ts';
import type { Turn } from '../../core/webhooks/turns.ts';
import {
  longestDelaySeconds,
  type SendWake,
  testEvent,
  type Wake,
  wakeOf,
} from '../../core/webhooks/wake.ts';
import { countMetric, logError } from '../log.ts';
import { type Pass, passOver } from './due-deliveries.ts';
import { settle } from './settle.ts';
import { type SenderStores, type Standing, standingOf } from './standing.ts';

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
/** Deliveries that were taken, and are stored so while others are sent. */
const settledAtOnce = 50;
/** A turn waits so long for what is due next, rather than send another message. */
const shortWaitMs = 1500;
/** A message that is to come so soon may have come already: clocks differ. */
const unsureMs = 1000;

/** Sends the deliveries of a webhook that are due. A message says which webhook to look at; it comes again if that fails. */
export const eventSender =
  (props: SenderProps) =>
  async ({ Records }: Pick<SQSEvent, 'Records'>): Promise<void> => {
    for (const { body, messageId } of Records) {
      const wake = read(body);
      if (!wake) continue;
      const turn = { project: wake.project, webhook: wake.webhook, message: messageId };
      const receiver = props.open();
      const ways = { ...props, post: receiver.post };
      try {
        await (wake.test
          ? test(wake, testEvent(wake, wake.test), { ...props, ways })
          : take(turn, { ...props, ways }));
      } finally {
        receiver.close();
      }
    }
  };

const read = (body: string): Wake | undefined => {
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
  const lane = await stores.lanes.begin(turn, new Date());
  if (!lane) return;
  const until = Date.now() + turnMs;
  let { nextMessageAt } = lane;
  for (;;) {
    // Read anew: a message that came meanwhile may say that operators have changed something.
    const next = await sendDue(turn, standingOf(stores, turn), { ...sending, until });
    const now = Date.now();
    const hasMore = next !== undefined && next <= now;
    if (next !== undefined && !hasMore && !isPlanned(nextMessageAt, next)) {
      // A message that takes long to send may come before its sending ends.
      const delay = Math.min(longestDelaySeconds, Math.floor((next - now) / 1000));
      await wake({ project, webhook }, delay);
      nextMessageAt = now + delay * 1000;
    }
    const end = await lane.end({ hasMore, nextMessageAt, now: Date.now() });
    if (end === 'again') continue;
    if (end.wake !== undefined) await wake({ project, webhook: end.wake });
    return;
  }
};

/** Whether a message is on its way that comes in time. */
const isPlanned = (messageAt: number, due: number): boolean =>
  messageAt > Date.now() + unsureMs &&
  messageAt <= Math.min(due, Date.now() + longestDelaySeconds * 1000) + 1000;

/** Sends until nothing is due or the turn is over. Resolves to when another turn is needed, in epoch milliseconds. */
const sendDue = async (
  { project, webhook: id }: Turn,
  standing: () => Promise<Standing | undefined>,
  sending: Sending & { readonly until: number },
): Promise<number | undefined> => {
  const { stores, pageSize = 100 } = sending;
  const announce = announcer();
  for (;;) {
    if (Date.now() >= sending.until) return Date.now();
    const known = await standing();
    if (!known) return undefined;
    const pass = passOver({ project, id }, { stores, pageSize });
    const done = await sendAll(pass.due, standing, sending).catch((error) => {
      // The message comes again, perhaps for days.
      announce(known);
      throw error;
    });
    // A turn whose time is up before it sends anything leaves what it has read.
    if (done > 0 || Date.now() >= sending.until) continue;
    const next = pass.next();
    if (next === undefined) return undefined;
    if (next > Date.now() + shortWaitMs) return Math.min(next, announce(known));
    await new Promise((resolve) => setTimeout(resolve, next - Date.now()));
  }
};

/** Counts once that a webhook has failed for long. Returns when that is due, in epoch milliseconds; Infinity if it isn't. */
const announcer = () => {
  let isSaid = false;
  return ({ webhook: { project, id }, state: { failingSince } }: Standing): number => {
    if (failingSince === undefined) return Number.POSITIVE_INFINITY;
    const at = Date.parse(failingSince) + announcedAfterMs;
    if (at > Date.now()) return at;
    if (!isSaid) countMetric('WebhookFailing', { project, webhook: id, since: failingSince });
    isSaid = true;
    return Number.POSITIVE_INFINITY;
  };
};

/** Resolves to how many were dealt with. */
const sendAll = async (
  due: Pass['due'],
  standing: () => Promise<Standing | undefined>,
  { stores, ways, until }: Sending & { readonly until: number },
): Promise<number> => {
  let done = 0;
  const successes = new Set<Promise<unknown>>();
  const worker = async () => {
    for await (const { delivery, body } of due) {
      const known = await standing();
      if (known?.state.status !== 'ACTIVE' || Date.now() >= until) return;
      done += 1;
      const isOver =
        body === undefined || delivery.ttl * 1000 <= Date.now() || delivery.attempts >= mostAttempts;
      if (isOver) {
        await stores.deliveries.drop(delivery);
        continue;
      }
      const outcome = await send(known.webhook, { id: delivery.event, body }, ways);
      const settled = settle(delivery, outcome, { stores, known });
      // A receiver that took an event gets its next request meanwhile.
      if (isTaken(outcome) && successes.size < settledAtOnce) {
        const success: Promise<unknown> = settled.then(() => successes.delete(success));
        // One that fails stays, and ends the turn below.
        success.catch(() => undefined);
        successes.add(success);
      } else await settled;
    }
  };
  // If one throws, what others have sent is stored first: the end of a turn would end their requests.
  const workers = await Promise.allSettled(Array.from({ length: requestsAtOnce }, worker));
  const failed = [...workers, ...(await Promise.allSettled(successes))].find(
    ({ status }) => status === 'rejected',
  );
  if (failed?.status === 'rejected') throw failed.reason;
  return done;
};

/** Tries a webhook once. */
const test = async (
  { project, webhook: id }: Wake,
  event: ServiceEvent,
  { stores, ways }: Sending,
): Promise<void> => {
  const named = { project, id };
  if (!(await stores.webhookTests.begin(named, event.id, new Date()))) return;
  const [known, isSuspended] = await Promise.all([
    stores.webhooks.find(project, id),
    stores.webhooks.isSuspended(project),
  ]);
  if (!known) return;
  const outcome = isSuspended
    ? { error: `The project ${project} is suspended`, ms: 0 }
    : await send(known.webhook, event, ways);
  const { retryAfter, ...shown } = { retryAfter: undefined, ...outcome };
  await stores.webhookTests.end(named, event.id, { ...shown, now: new Date() });
};
