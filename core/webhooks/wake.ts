import { eventOf, type ServiceEvent } from '../events/event.ts';
import { forClients, repeater } from '../table/patience.ts';
import type { Transport } from '../table/port.ts';
import { webhookIdPattern } from './webhook.ts';

/** What the sender is told: to look at a webhook, or to try it with a test. */
export interface Wake {
  readonly project: string;
  readonly webhook: string;
  readonly test?: WebhookTest | undefined;
}

/** Names a test. What is sent follows from it: whoever may send messages can't choose what is signed. */
interface WebhookTest {
  readonly id: string;
  /** In epoch milliseconds. */
  readonly at: number;
}

/** Puts a message into the sender's queue, which hands it over after a delay. Throws if it may not have succeeded. */
export type SendWake = (wake: Wake, delaySeconds?: number) => Promise<void>;

/** SQS delays a message no longer. */
export const longestDelaySeconds = 900;

export const wakeQueue = (send: Transport<string>, queueUrl: string): SendWake => {
  const repeat = repeater({ patience: forClients });
  return async (wake, delaySeconds = 0) => {
    const input = {
      QueueUrl: queueUrl,
      MessageBody: messageOf(wake),
      ...(delaySeconds > 0 && { DelaySeconds: Math.min(longestDelaySeconds, Math.floor(delaySeconds)) }),
    };
    await repeat((manner) => send({ action: 'SendMessage', input, ...manner }));
  };
};

/** A sender of version 1.1.0 drops a test of the second form: it would look for a body. */
export const messageOf = (wake: Wake): string => JSON.stringify({ v: wake.test ? 2 : 1, ...wake });

/** A message's content. Throws if it is none. */
export const wakeOf = (message: string): Wake => {
  const { v, project, webhook, test, ...more } = JSON.parse(message);
  const { id, at, ...others } = test ?? {};
  const isNamed = typeof project === 'string' && webhookIdPattern.test(webhook);
  if (v !== (test ? 2 : 1) || !isNamed || Object.keys({ ...more, ...others }).length > 0)
    throw new Error('A message to the sender has a form that it should not have');
  return { project, webhook, test };
};

/** What a test sends. Throws if its time is none. */
export const testEvent = ({ project, webhook }: Wake, { id, at }: WebhookTest): ServiceEvent =>
  eventOf({
    ...({ type: 'webhook.test', project, at, takenIn: at } as const),
    of: [webhook, id],
    data: { project, webhook },
  });
