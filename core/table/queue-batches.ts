import { eachOf } from '../base/each-of.ts';
import { AwsError } from './errors.ts';
import type { Transport } from './items.ts';
import { type RetryPolicy, retrier } from './retry-policy.ts';

/** A message without its place in a call, as SQS names its parts. */
export interface Message {
  readonly MessageBody: string;
  readonly MessageGroupId?: string;
  readonly MessageDeduplicationId?: string;
}

/** The most messages in one call. */
const mostInCall = 10;

/**
 * Sends messages to a queue, and calls `sent` with those that it has taken. After a failure no more calls begin. Throws if
 * a message may not have been sent.
 */
export const batchSender = (
  send: Transport<string>,
  { policy, callsAtOnce }: { readonly policy: RetryPolicy; readonly callsAtOnce: number },
) => {
  const repeat = retrier({ policy });
  return async (
    QueueUrl: string,
    messages: readonly Message[],
    sent: (from: number, to: number) => void = () => undefined,
  ): Promise<void> => {
    const starts = Array.from({ length: Math.ceil(messages.length / mostInCall) }, (_, i) => i * mostInCall);
    await eachOf(starts, callsAtOnce, async (from) => {
      const Entries = messages
        .slice(from, from + mostInCall)
        .map((message, i) => ({ Id: String(i), ...message }));
      const input = { QueueUrl, Entries };
      await repeat(async (attempt) => {
        const { Failed = [] } = await send({ action: 'SendMessageBatch', input, ...attempt });
        if ((Failed as unknown[]).length > 0) throw new AwsError({ name: 'MessagesFailed', status: 500 });
      });
      sent(from, from + Entries.length);
    });
  };
};
