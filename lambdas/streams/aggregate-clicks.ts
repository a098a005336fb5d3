import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import {
  analyticsItemsOf,
  type ItemRecords,
  type ShardRecords,
} from '../../core/analytics/analytics-items.ts';
import { type ClickRecord, readClick } from '../../core/analytics/click-record.ts';
import { eachOf } from '../../core/base/each-of.ts';
import type { DeliverClicks } from '../../core/click-export/click-delivery.ts';
import type { UsesOf } from '../../core/functions.ts';
import type { Granted } from '../../core/stores.ts';
import { countMetric, logError } from '../frame/log.ts';

/** A stream event with a tumbling window; only these contain the shard. */
interface WindowedEvent extends Pick<DynamoDBStreamEvent, 'Records'> {
  readonly shardId?: string;
}

/**
 * Concurrent updates. With fewer, analytics fall behind while the local stack is saturated with clicks on many links:
 * with 96, the last of 20,000 was visible after 7 s, with 192 after 1.1 s.
 */
const updatesAtOnce = 192;

export interface AggregatorProps {
  readonly stores: Granted<UsesOf<'aggregate-clicks'>>;
  /** Days for which analytics over time are kept; forever by default. */
  readonly retentionDays?: number | undefined;
  /** Exports counted clicks, if there is an export. */
  readonly deliver?: DeliverClicks | undefined;
}

/** Adds a batch to all items of analytics, and exports the counted clicks. Fails only if the table is unavailable. */
export const aggregator =
  ({ stores, retentionDays, deliver }: AggregatorProps) =>
  async ({ shardId, Records }: WindowedEvent) => {
    if (shardId === undefined) throw new Error('The event source mapping must have a tumbling window');
    const shard = `${Records[0]?.eventSourceARN}/${shardId}`;
    const records = Records.flatMap(click);
    const items = analyticsItemsOf({ shard, records }, retentionDays);
    const failed = await addAll(stores.analytics, items);
    // Records that aren't counted yet are redelivered, and exported then.
    const counted = failed ? records.filter(({ position }) => position < failed.position) : records;
    if (deliver) await exportRows(deliver, { shard, records: counted });
    // Lambda counts an invocation with failed items as a success.
    if (failed) countMetric('BatchFailed', { shard, position: failed.sequenceNumber });
    return {
      state: {},
      batchItemFailures: failed ? [{ itemIdentifier: failed.sequenceNumber }] : [],
    };
  };

const exportRows = async (deliver: DeliverClicks, clicks: ShardRecords): Promise<void> => {
  const { delayed, lost, reason } = await deliver(clicks);
  const where = { shard: clicks.shard, position: clicks.records[0]?.sequenceNumber };
  if (delayed + lost > 0) logError('Clicks were not exported', reason, where);
  if (delayed > 0) countMetric('RowsDelayed', { ...where, rows: delayed });
  if (lost > 0) countMetric('RowsLost', { ...where, rows: lost });
};

/** Adds to all items. Resolves to the first record to redeliver, if any; items that succeeded skip redelivered records. */
const addAll = async (
  analytics: AggregatorProps['stores']['analytics'],
  items: readonly ItemRecords[],
): Promise<ClickRecord | undefined> => {
  const failed: ClickRecord[] = [];
  await eachOf(items, updatesAtOnce, async (item) => {
    try {
      await analytics.add(item);
    } catch (error) {
      logError('Clicks were not added yet', error, {
        shard: item.shard,
        position: item.records[0]?.sequenceNumber,
      });
      failed.push(...item.records.slice(0, 1));
    }
  });
  return failed.toSorted((one, other) => (one.position < other.position ? -1 : 1))[0];
};

const click = (record: DynamoDBRecord): ClickRecord[] => {
  const read = readClick(record.dynamodb);
  if (read) return [read];
  // Malformed content doesn't fail a batch, because it would block all later clicks.
  countMetric('ClickRecordSkipped', { event: record.eventID });
  return [];
};
