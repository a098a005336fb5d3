import { partitions } from '../../core/table/keys.ts';
import type { EventSourceMapping } from '../../local/assembly/assembly.ts';
import { aMapping as plainMapping } from '../../local/test/event-source-mapping/a-mapping.ts';

/** A mapping of the table's stream as lib/clicks.ts makes them, which doesn't wait for more records. */
export const aMapping = (fields: Partial<EventSourceMapping>): EventSourceMapping =>
  plainMapping({ bisectBatchOnError: true, reportBatchItemFailures: true, ...fields });

export const aggregation = aMapping({
  filters: [
    { eventName: ['INSERT', 'MODIFY'], dynamodb: { Keys: { PK: { S: [{ prefix: partitions.visitor }] } } } },
  ],
  batchSize: 1000,
  tumblingWindowSeconds: 900,
});
