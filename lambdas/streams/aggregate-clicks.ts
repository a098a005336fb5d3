import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { ClickRecord } from '../../core/clicks/click.ts';
import { readClick } from '../../core/clicks/click-record.ts';
import { type ItemRecords, itemsOf } from '../../core/clicks/figure-items.ts';
import type { UsesOf } from '../../core/functions.ts';
import type { Granted } from '../../core/stores.ts';
import { countMetric, logError } from '../log.ts';

/** A stream event with a tumbling window, which alone tells the shard. */
interface WindowedEvent extends Pick<DynamoDBStreamEvent, 'Records'> {
  readonly shardId?: string;
}

interface WindowedResponse {
  readonly state: Record<string, never>;
  readonly batchItemFailures: { readonly itemIdentifier: string }[];
}

/** With fewer, figures fall behind clicks that are spread over many links. */
const updatesAtOnce = 48;

export interface AggregatorProps {
  readonly stores: Granted<UsesOf<'aggregate-clicks'>>;
  /** For how many days figures over time are kept; for ever if nothing is said. */
  readonly retentionDays?: number | undefined;
}

/** Adds what visitors did to every item of figures. Only a table that can't be reached makes it fail. */
export const aggregator =
  ({ stores, retentionDays }: AggregatorProps) =>
  async ({ shardId, Records }: WindowedEvent): Promise<WindowedResponse> => {
    if (shardId === undefined) throw new Error('The event source mapping must have a tumbling window');
    const shard = `${Records[0]?.eventSourceARN}/${shardId}`;
    const items = itemsOf({ shard, records: Records.flatMap(click), retentionDays });
    const failed = await addAll(stores.figures, items);
    return { state: {}, batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };

/** The first record that must be delivered again, or none. Items that were done by then skip what comes again. */
const addAll = async (
  figures: AggregatorProps['stores']['figures'],
  items: readonly ItemRecords[],
): Promise<string[]> => {
  const failed: ClickRecord[] = [];
  const now = new Date();
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) {
      try {
        await figures.add(item, now);
      } catch (error) {
        logError('Clicks were not added yet', error, {
          shard: item.shard,
          position: item.records[0]?.sequenceNumber,
        });
        failed.push(...item.records.slice(0, 1));
      }
    }
  };
  await Promise.all(Array.from({ length: updatesAtOnce }, worker));
  failed.sort((one, other) => (one.position < other.position ? -1 : 1));
  return failed.slice(0, 1).map(({ sequenceNumber }) => sequenceNumber);
};

const click = (record: DynamoDBRecord): ClickRecord[] => {
  const read = readClick(record.dynamodb);
  if (read) return [read];
  // Content never fails: it would hold up every click behind it.
  countMetric('ClickRecordSkipped', { event: record.eventID });
  return [];
};
