import { partitions } from '../../core/table/keys.ts';
import type { EventSourceMapping } from '../../local/assembly/assembly.ts';

/** The settings of lib/clicks.ts. */
export const aggregation: EventSourceMapping = {
  id: 'Mapping',
  functionId: 'Function',
  tableId: 'Table',
  filters: [
    { eventName: ['INSERT', 'MODIFY'], dynamodb: { Keys: { PK: { S: [{ prefix: partitions.visitor }] } } } },
  ],
  batchSize: 1000,
  batchingWindowSeconds: 0,
  tumblingWindowSeconds: 900,
  startingPosition: 'TRIM_HORIZON',
  bisectBatchOnError: true,
  reportBatchItemFailures: true,
  maximumRetryAttempts: -1,
  maximumRecordAgeSeconds: -1,
};
