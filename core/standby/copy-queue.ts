import type { Transport } from '../table/items.ts';
import type { Key } from '../table/keys.ts';
import { batchSender } from '../table/queue-batches.ts';
import { forClients } from '../table/retry-policy.ts';

// An import would evaluate every export of the module, which slows cold starts.
const { hash } = process.getBuiltinModule('node:crypto');

/** A key whose item the second region may not have as it is now. */
export interface ChangedKey {
  readonly key: Key;
  /** Identifies the change: SQS drops a message with the same id for five minutes. */
  readonly id: string;
}

export type SendKeys = ReturnType<typeof copyQueue>;

/** A key's message group, in which SQS keeps the order; a hash, because a group's name is shorter than a key. */
const copyGroupOf = ({ PK, SK }: Key): string => hash('sha256', `${PK}#${SK}`).slice(0, 32);

/** A key as a message. All messages of a key are equal. */
const copyMessage = ({ PK, SK }: Key): string => JSON.stringify({ PK, SK });

/** Sends changed keys to the copier's queue. Throws if one may not have been sent. */
export const copyQueue = (send: Transport<string>, queueUrl: string) => {
  const sendAll = batchSender(send, { policy: forClients, callsAtOnce: 16 });
  return (keys: readonly ChangedKey[]): Promise<void> =>
    sendAll(
      queueUrl,
      keys.map(({ key, id }) => ({
        MessageBody: copyMessage(key),
        MessageGroupId: copyGroupOf(key),
        MessageDeduplicationId: id,
      })),
    );
};
