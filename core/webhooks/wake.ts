import type { Transport } from '../table/items.ts';
import { forClients, retrier } from '../table/retry-policy.ts';
import { webhookIdPattern } from './webhook.ts';

/** A message to the webhook sender: send a webhook's deliveries, or a test. */
export interface Wake {
  readonly project: string;
  readonly webhook: string;
  /** A test's id. Messages carry no content, so that nobody who may send them can choose what is signed. */
  readonly test?: string | undefined;
}

/** Sends a message to the sender's queue, with a delay in whole seconds. Throws if it may have failed. */
export type SendWake = (wake: Wake, delaySeconds?: number) => Promise<void>;

/** The longest delay of SQS, in seconds. */
export const longestDelaySeconds = 900;

export const wakeQueue = (send: Transport<string>, queueUrl: string): SendWake => {
  const repeat = retrier({ policy: forClients });
  return async (wake, delaySeconds = 0) => {
    const input = { QueueUrl: queueUrl, MessageBody: messageOf(wake), DelaySeconds: delaySeconds };
    await repeat((attempt) => send({ action: 'SendMessage', input, ...attempt }));
  };
};

/** Serializes a message. Tests have version 2, which a sender of 1.1.0 drops, because it would look for a body. */
export const messageOf = (wake: Wake): string => JSON.stringify({ v: wake.test ? 2 : 1, ...wake });

/** Parses a message. Throws if it is invalid. */
export const wakeOf = (message: string): Wake => {
  const { v, project, webhook, test, ...more } = JSON.parse(message);
  const isNamed = typeof project === 'string' && webhookIdPattern.test(webhook);
  const isTest = typeof test === 'string' && /^[\w-]{1,50}$/.test(test);
  const isForm = v === 1 ? test === undefined : v === 2 && isTest;
  if (!isForm || !isNamed || Object.keys(more).length > 0)
    throw new Error('A message to the sender has an unknown form');
  return { project, webhook, test };
};
