import { serviceAccess, type TableAccess } from '../table/connection.ts';
import { signedHeaders } from '../table/signature.ts';
import type { PutRecords } from './click-delivery.ts';

/** Firehose's address and credentials, from the environment like those of every AWS client. */
export const firehoseAccess = (environment: Readonly<Record<string, string | undefined>>): TableAccess =>
  serviceAccess(environment, 'firehose');

export interface Firehose {
  readonly access: TableAccess;
  /** The delivery stream's name. */
  readonly stream: string;
  /** For one call, in milliseconds. */
  readonly deadlineMs: number;
}

interface Answer {
  readonly RequestResponses: readonly { readonly ErrorCode?: string }[];
}

/** PutRecordBatch. Throws for every response except success, and after the deadline. */
export const firehose =
  ({ access, stream, deadlineMs }: Firehose): PutRecords =>
  async (records) => {
    const { endpoint, region, credentials } = access;
    const body = JSON.stringify({
      DeliveryStreamName: stream,
      Records: records.map((data) => ({ Data: Buffer.from(data).toString('base64') })),
    });
    const target = 'Firehose_20150804.PutRecordBatch';
    const call = { host: endpoint.host, region, target, body, service: 'firehose' } as const;
    const { host: _, ...headers } = signedHeaders(call, credentials());
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers,
      body,
      signal: AbortSignal.timeout(deadlineMs),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Firehose answered ${answer.status}: ${text.slice(0, 300)}`);
    const { RequestResponses } = JSON.parse(text) as Answer;
    // A record that the response doesn't mention was not accepted.
    return records.map((_, i) => RequestResponses[i] !== undefined && !RequestResponses[i].ErrorCode);
  };
