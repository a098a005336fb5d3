import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { EventSourceMapping, TableResource } from '../assembly/assembly.ts';
import type { StreamRecord } from './stream-record.ts';

export interface Discarded {
  readonly shardId: string;
  readonly records: readonly StreamRecord[];
  readonly condition: 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
  readonly invokeCount: number;
  readonly functionError: 'Unhandled' | null;
}

export interface InvocationRecord {
  readonly bucket: string;
  readonly key: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The object that an on-failure destination in S3 receives. */
export function invocationRecord(
  { records, shardId, condition, invokeCount, functionError }: Discarded,
  mapping: EventSourceMapping,
  table: TableResource,
): InvocationRecord {
  const [, , , region = '', account = ''] = table.arn.split(':');
  const now = new Date().toISOString();
  const [day = '', time = ''] = now.split('T');
  const [first, last] = [records[0], records.at(-1)];
  return {
    bucket: mapping.onFailure?.split(':').at(-1) ?? '',
    key: `aws/lambda/${mapping.id}/${shardId}/${day.replaceAll('-', '/')}/${day}T${time.slice(0, 8).replaceAll(':', '.')}-${randomUUID()}`,
    body: {
      requestContext: {
        requestId: randomUUID(),
        functionArn: `arn:aws:lambda:${region}:${account}:function:${mapping.functionId}`,
        condition,
        approximateInvokeCount: invokeCount,
      },
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError },
      version: '1.0',
      timestamp: now,
      DDBStreamBatchInfo: {
        shardId,
        startSequenceNumber: first?.dynamodb.SequenceNumber,
        endSequenceNumber: last?.dynamodb.SequenceNumber,
        approximateArrivalOfFirstRecord: arrival(first),
        approximateArrivalOfLastRecord: arrival(last),
        batchSize: records.length,
        streamArn: first?.eventSourceARN,
      },
      payload: JSON.stringify({ Records: records }),
    },
  };
}

/** Writes the object; buckets are folders in the data folder. */
export function writeInvocationRecord(data: string, { bucket, key, body }: InvocationRecord): void {
  const file = join(data, bucket, `${key}.json`);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, JSON.stringify(body));
}

function arrival(record: StreamRecord | undefined): string {
  const seconds = record?.dynamodb.ApproximateCreationDateTime ?? 0;
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
