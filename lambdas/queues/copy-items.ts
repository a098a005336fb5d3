import type { SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { Granted } from '../../core/stores.ts';
import { errorKindOf } from '../../core/table/errors.ts';
import type { Transport } from '../../core/table/items.ts';
import type { Key } from '../../core/table/keys.ts';
import { countMetric, logError } from '../frame/log.ts';

/** The beat's event has no records. */
type CopierEvent = Partial<Pick<SQSEvent, 'Records'>>;

/** Copies the items of changed keys. A key that wasn't copied is delivered again, before later changes of it. */
export const copyItems =
  (copies: Granted<'copies.beat'>['copies'], copyItem: (key: Key) => Promise<void>) =>
  async ({ Records }: CopierEvent): Promise<SQSBatchResponse> => {
    if (!Records) {
      await copies.beat(Date.now());
      return { batchItemFailures: [] };
    }
    const failed: string[] = [];
    const copy = async (message: string, ids: readonly string[]): Promise<void> => {
      try {
        await copyItem(JSON.parse(message));
      } catch (error) {
        logError('An item was not copied yet', error, { messages: ids });
        failed.push(...ids);
      }
    };
    // A key's messages are equal, and mean its present item.
    const byKey = Map.groupBy(Records, ({ body }) => body);
    await Promise.all(
      [...byKey].map(([body, of]) =>
        copy(
          body,
          of.map(({ messageId }) => messageId),
        ),
      ),
    );
    // Lambda counts an invocation with failed items as a success.
    if (failed.length > 0) countMetric('CopyFailed', {}, { times: failed.length });
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };

/**
 * A transport for copies: a write without a response isn't repeated, because it could still be carried out after a later
 * one. Its key is delivered again when that is no longer possible.
 */
export const withoutOverlap =
  (send: Transport): Transport =>
  async (sent) => {
    try {
      return await send(sent);
    } catch (error) {
      const isUnanswered = ['timeout', 'lost'].includes(errorKindOf(error));
      throw isUnanswered ? new Error('A copy may or may not be written', { cause: error }) : error;
    }
  };
