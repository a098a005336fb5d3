import { forClients, repeater } from '../table/patience.ts';
import type { Transport } from '../table/port.ts';
import { webhookIdPattern } from './webhook.ts';

/** What the sender is told: to look at a webhook, or to try it with a test. */
export interface Wake {
  readonly project: string;
  readonly webhook: string;
  /** Names a test. It says nothing of what is sent: whoever may send messages can't choose what is signed. */
  readonly test?: string | undefined;
}

/** Puts a message into the sender's queue, which hands it over after whole seconds. Throws if it may not have succeeded. */
export type SendWake = (wake: Wake, delaySeconds?: number) => Promise<void>;

/** SQS delays a message no longer. */
export const longestDelaySeconds = 900;

export const wakeQueue = (send: Transport<string>, queueUrl: string): SendWake => {
  const repeat = repeater({ patience: forClients });
  return async (wake, delaySeconds = 0) => {
    const input = { QueueUrl: queueUrl, MessageBody: messageOf(wake), DelaySeconds: delaySeconds };
    await repeat((manner) => send({ action: 'SendMessage', input, ...manner }));
  };
};

/** A sender of version 1.1.0 drops a test of the second form: it would look for a body. */
export const messageOf = (wake: Wake): string => JSON.stringify({ v: wake.test ? 2 : 1, ...wake });

/** A message's content. Throws if it is none. */
export const wakeOf = (message: string): Wake => {
  const { v, project, webhook, test, ...more } = JSON.parse(message);
  const isNamed = typeof project === 'string' && webhookIdPattern.test(webhook);
  const isTest = typeof test === 'string' && /^[\w-]{1,50}$/.test(test);
  const isForm = v === 1 ? test === undefined : v === 2 && isTest;
  if (!isForm || !isNamed || Object.keys(more).length > 0)
    throw new Error('A message to the sender has a form that it should not have');
  return { project, webhook, test };
};
