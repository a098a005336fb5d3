import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { eachOf } from '../../core/base/each-of.ts';
import type { Granted } from '../../core/stores.ts';
import { type batchSender, mostInCall } from '../../core/table/queue-batches.ts';
import { logError } from '../frame/log.ts';

const callsAtOnce = 8;

/**
 * Sends clicks that the second region kept to the first one's queue, unchanged. After the first failure it returns the
 * rest of the batch at once, because the first region is probably still away.
 */
export const clickForwarder =
  ({ standby }: Granted<'standby.home'>, send: ReturnType<typeof batchSender>) =>
  async ({ Records }: Pick<SQSEvent, 'Records'>): Promise<SQSBatchResponse> => {
    const waiting = new Set(Records.map(({ messageId }) => messageId));
    const calls = Array.from({ length: Math.ceil(Records.length / mostInCall) }, (_, i) =>
      Records.slice(i * mostInCall, (i + 1) * mostInCall),
    );
    try {
      const home = await standby.home();
      if (!home) throw new Error('Nothing has been copied yet');
      await eachOf(calls, callsAtOnce, async (some) => {
        await send(
          home.clickQueueUrl,
          some.map(({ body }) => ({ MessageBody: body })),
        );
        for (const { messageId } of some) waiting.delete(messageId);
      });
    } catch (error) {
      logError('Clicks still wait for the first region', error, { clicks: waiting.size });
    }
    return { batchItemFailures: [...waiting].map((itemIdentifier) => ({ itemIdentifier })) };
  };
