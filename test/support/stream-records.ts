import type { DynamoDBRecord } from 'aws-lambda';
import type { StreamRecord } from '../../core/events/stream-change.ts';
import { visitorKey } from '../../core/table/analytics-keys.ts';
import { startEventSourceMapping } from '../../local/event-source-mapping/mapping.ts';
import type { TestTable } from './engine.ts';
import { aMapping } from './stream-mappings.ts';

export interface RecordedStream {
  /** Records written since the last call. */
  take(): Promise<StreamRecord[]>;
  stop(): Promise<void>;
}

/** Reads a table's stream as Lambda does. */
export const recordStream = ({ resource, streamArn, endpoint }: TestTable): RecordedStream => {
  let records: StreamRecord[] = [];
  const mapping = startEventSourceMapping({
    mapping: aMapping({
      filters: [
        { dynamodb: { Keys: { PK: { S: [{ prefix: 'VISITOR#' }] } } } },
        { dynamodb: { Keys: { SK: { S: ['LINK'] } } } },
      ],
    }),
    table: resource,
    streamArn,
    endpoint,
    pollMs: 10,
    invoke: async (event) => {
      records.push(...(event.Records as unknown as StreamRecord[]));
      return { ok: true, payload: { batchItemFailures: [] } };
    },
  });
  return {
    take: async () => {
      await mapping.idle();
      const taken = records;
      records = [];
      return taken;
    },
    stop: () => mapping.stop(),
  };
};

let visitors = 1000;

/** A new visitor's click, as the stream has it. */
export const aVisitRecord = (code: string, visit: Readonly<Record<string, string>> = {}): DynamoDBRecord => {
  visitors += 1;
  const { PK, SK } = visitorKey('acme', code, `visitor-${visitors}`);
  const now = Math.floor(Date.now() / 1000);
  const texts = Object.entries({ platform: 'ios', country: 'DE', ...visit });
  return {
    eventID: `event-${visitors}`,
    eventName: 'INSERT',
    eventSourceARN: 'arn:aws:dynamodb:eu-central-1:123456789012:table/Links/stream/label',
    dynamodb: {
      Keys: { PK: { S: PK }, SK: { S: SK } },
      NewImage: {
        hits: { N: '1' },
        visit: {
          M: { ...Object.fromEntries(texts.map(([name, S]) => [name, { S }])), seen: { N: String(now) } },
        },
      },
      SequenceNumber: String(visitors).padStart(21, '0'),
      ApproximateCreationDateTime: now,
    },
  };
};
