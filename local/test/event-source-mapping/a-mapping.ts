import type { EventSourceMapping } from '../../assembly/assembly.ts';

/** A mapping of a table's stream that doesn't wait for more records. */
export const aMapping = (changes: Partial<EventSourceMapping> = {}): EventSourceMapping => ({
  id: 'Mapping',
  functionId: 'Function',
  tableId: 'Table',
  filters: [],
  batchSize: 100,
  batchingWindowSeconds: 0,
  tumblingWindowSeconds: 0,
  startingPosition: 'TRIM_HORIZON',
  bisectBatchOnError: false,
  reportBatchItemFailures: false,
  maximumRetryAttempts: -1,
  maximumRecordAgeSeconds: -1,
  ...changes,
});
