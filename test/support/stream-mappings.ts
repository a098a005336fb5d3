import { partitions } from '../../core/table/keys.ts';
import type { EventSourceMapping } from '../../local/assembly/assembly.ts';

/** A mapping of the table's stream as lib/clicks.ts makes them, which doesn't wait for more records. */
export const aMapping = (fields: Partial<EventSourceMapping>): EventSourceMapping => ({
  id: 'Mapping',
  functionId: 'Function',
  tableId: 'Table',
  filters: [],
  batchSize: 100,
  batchingWindowSeconds: 0,
  tumblingWindowSeconds: 0,
  startingPosition: 'TRIM_HORIZON',
  bisectBatchOnError: true,
  reportBatchItemFailures: true,
  maximumRetryAttempts: -1,
  maximumRecordAgeSeconds: -1,
  ...fields,
});

export const aggregation = aMapping({
  filters: [
    { eventName: ['INSERT', 'MODIFY'], dynamodb: { Keys: { PK: { S: [{ prefix: partitions.visitor }] } } } },
  ],
  batchSize: 1000,
  tumblingWindowSeconds: 900,
});
