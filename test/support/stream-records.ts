import type { StreamRecord } from '../../core/events/stream-change.ts';
import { startEventSourceMapping } from '../../local/event-source-mapping/mapping.ts';
import type { TestTable } from './engine.ts';

export interface RecordedStream {
  /** Records written since the last call. */
  take(): Promise<StreamRecord[]>;
  stop(): Promise<void>;
}

/** Reads a table's stream as Lambda does. */
export const recordStream = ({ resource, streamArn, endpoint }: TestTable): RecordedStream => {
  let records: StreamRecord[] = [];
  const mapping = startEventSourceMapping({
    mapping: {
      id: 'Mapping',
      functionId: 'Function',
      tableId: 'Table',
      filters: [
        { dynamodb: { Keys: { PK: { S: [{ prefix: 'VISITOR#' }] } } } },
        { dynamodb: { Keys: { SK: { S: ['LINK'] } } } },
      ],
      batchSize: 100,
      batchingWindowSeconds: 0,
      tumblingWindowSeconds: 0,
      startingPosition: 'TRIM_HORIZON',
      bisectBatchOnError: true,
      reportBatchItemFailures: true,
      maximumRetryAttempts: -1,
      maximumRecordAgeSeconds: -1,
    },
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
