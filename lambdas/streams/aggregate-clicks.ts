import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { ClickRecord } from '../../core/clicks/click.ts';
import type { DeliverClicks } from '../../core/clicks/click-delivery.ts';
import { readClick } from '../../core/clicks/click-record.ts';
import type { CountedClicks } from '../../core/clicks/click-rows.ts';
import { type ItemRecords, itemsOf } from '../../core/clicks/figure-items.ts';
import type { UsesOf } from '../../core/functions.ts';
import type { Granted } from '../../core/stores.ts';
import { countMetric, logError } from '../log.ts';

/** A stream event with a tumbling window; only these name the shard. */
interface WindowedEvent extends Pick<DynamoDBStreamEvent, 'Records'> {
  readonly shardId?: string;
}

interface WindowedResponse {
  readonly state: Record<string, never>;
  readonly batchItemFailures: { readonly itemIdentifier: string }[];
}

/**
 * With fewer, figures fall behind while the local stack is saturated with clicks on many links: with 48, the last of
 * 20,000 was visible after 5 s, with 96 after 0.3 s.
 */
const updatesAtOnce = 96;

export interface AggregatorProps {
  readonly stores: Granted<UsesOf<'aggregate-clicks'>>;
  /** For how many days figures over time are kept; for ever if nothing is said. */
  readonly retentionDays?: number | undefined;
  /** Puts counted clicks into the export, if there is one. */
  readonly deliver?: DeliverClicks | undefined;
}

/**
 * Adds a batch to every item of figures, and puts the counted clicks into the export. Fails only if the table
 * or the export can't be reached.
 */
export const aggregator =
  ({ stores, retentionDays, deliver }: AggregatorProps) =>
  async ({ shardId, Records }: WindowedEvent): Promise<WindowedResponse> => {
    if (shardId === undefined) throw new Error('The event source mapping must have a tumbling window');
    const shard = `${Records[0]?.eventSourceARN}/${shardId}`;
    const records = Records.flatMap(click);
    const items = itemsOf({ shard, records, retentionDays });
    const failed = await addAll(stores.figures, items);
    // Records that aren't counted yet are delivered again, and get their rows then.
    const counted = failed ? records.filter(({ position }) => position < failed.position) : records;
    const left = deliver ? await undelivered(deliver, { shard, records: counted }) : [];
    const again = first([...left, ...(failed ? [failed] : [])]);
    // Lambda counts such an invocation as a success.
    if (again) countMetric('BatchFailed', { shard, position: again.sequenceNumber });
    return {
      state: {},
      batchItemFailures: again ? [{ itemIdentifier: again.sequenceNumber }] : [],
    };
  };

const first = (records: readonly ClickRecord[]): ClickRecord | undefined =>
  records.toSorted((one, other) => (one.position < other.position ? -1 : 1))[0];

/** The clicks whose rows have to be sent again. */
const undelivered = async (
  deliver: DeliverClicks,
  clicks: CountedClicks,
): Promise<readonly ClickRecord[]> => {
  try {
    const left = await deliver(clicks);
    if (left.length > 0) logError(notExported, new Error('Firehose has refused them'), whereOf(clicks));
    return left;
  } catch (error) {
    logError(notExported, error, whereOf(clicks));
    return clicks.records;
  }
};

const notExported = 'Clicks were not exported yet';
const whereOf = ({ shard, records }: CountedClicks) => ({ shard, position: records[0]?.sequenceNumber });

/** The first record that must be delivered again, if any. Items that were done by then skip what comes again. */
const addAll = async (
  figures: AggregatorProps['stores']['figures'],
  items: readonly ItemRecords[],
): Promise<ClickRecord | undefined> => {
  const failed: ClickRecord[] = [];
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) {
      try {
        await figures.add(item);
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
  return first(failed);
};

const click = (record: DynamoDBRecord): ClickRecord[] => {
  const read = readClick(record.dynamodb);
  if (read) return [read];
  // Malformed content never fails a batch: it would hold up every click behind it.
  countMetric('ClickRecordSkipped', { event: record.eventID });
  return [];
};
