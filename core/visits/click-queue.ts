import { forClicks, repeater } from '../table/patience.ts';
import type { Transport } from '../table/port.ts';
import type { LateWrite } from './late-click-store.ts';

/** Puts a click or an open aside that the table did not take. Throws when it may not have succeeded. */
export type PutAside = (late: LateWrite) => Promise<void>;

/** SQS's SendMessage. The connection is opened with the first message, so that starts don't pay for it. */
export const clickQueue = (openConnection: () => Transport<string>, queueUrl: string): PutAside => {
  const repeat = repeater({ patience: { ...forClicks, deadlineMs: 500, whileBusy: 'count' } });
  let send: Transport<string> | undefined;
  return async (late) => {
    send ??= openConnection();
    const connection = send;
    const input = { QueueUrl: queueUrl, MessageBody: JSON.stringify({ v: 1, ...late }) };
    await repeat((manner) => connection({ action: 'SendMessage', input, ...manner }));
  };
};

/** A message's click or open. Throws if it is none. */
export const lateWriteOf = (body: string): LateWrite => {
  const { v, ...late } = JSON.parse(body);
  if (v !== 1) throw new Error(`A message has the form ${v}`);
  return late as LateWrite;
};
