import { hash, randomUUID } from 'node:crypto';
import type { Key } from '../../core/table/keys.ts';
import { type QueueAccess, queueCalls } from '../deployment/queue-calls.ts';

const atOnce = 16;

/** Sends keys to the copier's queue. */
export const sendKeys = async (queue: QueueAccess, keys: readonly Key[]): Promise<void> => {
  const call = await queueCalls(queue);
  for (let index = 0; index < keys.length; index += atOnce)
    await Promise.all(
      keys.slice(index, index + atOnce).map(({ PK, SK }) =>
        call('SendMessage', {
          MessageBody: JSON.stringify({ PK, SK }),
          MessageGroupId: hash('sha256', `${PK}#${SK}`).slice(0, 32),
          MessageDeduplicationId: randomUUID(),
        }),
      ),
    );
};
