import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Granted } from '../../core/stores.ts';
import type { batchSender } from '../../core/table/queue-batches.ts';
import { logError } from '../frame/log.ts';

/**
 * Sends clicks that the second region kept to the first one's queue, unchanged. After the first failure it returns the
 * rest of the batch at once, because the first region is probably still away.
 */
export const clickForwarder =
  ({ standby }: Granted<'standby.home'>, send: ReturnType<typeof batchSender>) =>
  async ({ Records }: Pick<SQSEvent, 'Records'>): Promise<SQSBatchResponse> => {
    const waiting = new Set(Records);
    try {
      const home = await standby.home();
      if (!home) throw new Error('Nothing has been copied yet');
      const messages = Records.map(({ body }) => ({ MessageBody: body }));
      await send(home.clickQueueUrl, messages, (from, to) => {
        for (const record of Records.slice(from, to)) waiting.delete(record);
      });
    } catch (error) {
      logError('Clicks still wait for the first region', error, { clicks: waiting.size });
    }
    return { batchItemFailures: [...waiting].map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
