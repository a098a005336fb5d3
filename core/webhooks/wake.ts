import { forOperators, forQueue, repeater } from '../table/patience.ts';
import type { Transport } from '../table/port.ts';

/** What the sender is told: to look at a webhook, or to try it with a test. */
export interface Wake {
  readonly project: string;
  readonly webhook: string;
  /** A test's event. */
  readonly test?: { readonly id: string; readonly body: string } | undefined;
}

/** Puts a message into the sender's queue, which hands it over after a delay. Throws if it may not have succeeded. */
export type SendWake = (wake: Wake, delaySeconds?: number) => Promise<void>;

/** SQS delays a message no longer. */
export const longestDelaySeconds = 900;

export const wakeQueue = (send: Transport<string>, queueUrl: string): SendWake => {
  const repeat = repeater({
    patience: { ...forOperators, deadlineMs: 8000, attempts: forQueue.attempts + 2 },
  });
  return async (wake, delaySeconds = 0) => {
    const input = {
      QueueUrl: queueUrl,
      MessageBody: JSON.stringify({ v: 1, ...wake }),
      ...(delaySeconds > 0 && { DelaySeconds: Math.min(longestDelaySeconds, Math.floor(delaySeconds)) }),
    };
    await repeat((manner) => send({ action: 'SendMessage', input, ...manner }));
  };
};

/** A message's content. Throws if it is none. */
export const wakeOf = (body: string): Wake => {
  const { v, ...wake } = JSON.parse(body);
  if (v !== 1) throw new Error(`A message has the form ${v}`);
  return wake as Wake;
};
