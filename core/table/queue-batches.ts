import { AwsError } from './errors.ts';
import type { Transport } from './port.ts';
import { type RetryPolicy, retrier } from './retry-policy.ts';

/** A message without its place in a batch, as SQS names its parts. */
export interface Message {
  readonly MessageBody: string;
  readonly MessageGroupId?: string;
  readonly MessageDeduplicationId?: string;
}

/** The most messages in one call. */
export const mostInCall = 10;

/** Sends at most ten messages to a queue. Throws if one may have failed. */
export const batchSender = (send: Transport<string>, policy: RetryPolicy) => {
  const repeat = retrier({ policy });
  return async (QueueUrl: string, messages: readonly Message[]): Promise<void> => {
    const Entries = messages.map((message, i) => ({ Id: String(i), ...message }));
    await repeat(async (attempt) => {
      const { Failed = [] } = await send({
        action: 'SendMessageBatch',
        input: { QueueUrl, Entries },
        ...attempt,
      });
      if ((Failed as unknown[]).length > 0) throw new AwsError({ name: 'MessagesFailed', status: 500 });
    });
  };
};
