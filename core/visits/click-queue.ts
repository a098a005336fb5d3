import type { Transport } from '../table/items.ts';
import { forClicks, retrier } from '../table/retry-policy.ts';
import type { LateWrite } from './late-click-store.ts';

/** Queues a click or an open that the table didn't take. Throws if it may have failed. */
export type EnqueueClick = (late: LateWrite) => Promise<void>;

/** Sends to SQS. The connection is opened with the first message, so that it doesn't slow cold starts. */
export const clickQueue = (openConnection: () => Transport<string>, queueUrl: string): EnqueueClick => {
  const repeat = retrier({ policy: { ...forClicks, deadlineMs: 500, whileBusy: 'count' } });
  let send: Transport<string> | undefined;
  return async (late) => {
    send ??= openConnection();
    const connection = send;
    const input = { QueueUrl: queueUrl, MessageBody: JSON.stringify({ v: 1, ...late }) };
    await repeat((attempt) => connection({ action: 'SendMessage', input, ...attempt }));
  };
};

/** Parses a message. Throws if it has another version. */
export const lateWriteOf = (body: string): LateWrite => {
  const { v, ...late } = JSON.parse(body);
  if (v !== 1) throw new Error(`A message has the form ${v}`);
  return late as LateWrite;
};
