import type { Transport } from '../table/items.ts';
import type { AttemptOptions } from '../table/retry-policy.ts';

/** Puts records into a stream in one call. Resolves to whether each was accepted; throws if the whole call failed. */
export type PutRecords = (records: readonly string[], attempt: AttemptOptions) => Promise<readonly boolean[]>;

interface Answer {
  readonly RequestResponses?: readonly { readonly ErrorCode?: string }[];
}

export const firehoseStream =
  (send: Transport<string>, stream: string): PutRecords =>
  async (records, attempt) => {
    const input = {
      DeliveryStreamName: stream,
      Records: records.map((data) => ({ Data: Buffer.from(data).toString('base64') })),
    };
    const answer = (await send({ action: 'PutRecordBatch', input, ...attempt })) as Answer;
    const results = answer.RequestResponses ?? [];
    // A record that the response doesn't mention was not accepted.
    return records.map((_, i) => results[i] !== undefined && !results[i].ErrorCode);
  };
