import type { SQSEvent } from 'aws-lambda';
import { eventOf } from '../../core/events/event.ts';
import type { openReceiver, SendResult } from '../../core/webhooks/receiver.ts';
import { sendEvent, type Ways } from '../../core/webhooks/send.ts';
import type { Turn } from '../../core/webhooks/turns.ts';
import { longestDelaySeconds, type SendWake, type Wake, wakeOf } from '../../core/webhooks/wake.ts';
import { logError } from '../frame/log.ts';
import { type TurnProps, WebhookTurn } from './webhook-turn.ts';

export interface SenderProps extends Omit<TurnProps, 'ways'> {
  readonly wake: SendWake;
  readonly secret: string;
  readonly version: string;
  readonly put: Ways['put'];
  /** Opens connections for one turn. */
  readonly open: () => ReturnType<typeof openReceiver>;
}

/** A message due this soon may have arrived already, because clocks differ. */
const unsureMs = 1000;
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

type Sending = TurnProps & Pick<SenderProps, 'wake'>;

/** Takes a turn at a webhook, and plans the next one. */
const take = async (turn: Turn, sending: Sending): Promise<void> => {
  const { stores, wake } = sending;
  const { project, webhook } = turn;
  const begun = await stores.turns.begin(turn, new Date());
  if (!begun) return;
  const taken = new WebhookTurn(turn, sending);
  let { nextMessageAt } = begun;
  for (;;) {
    const next = await taken.sendDue();
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
