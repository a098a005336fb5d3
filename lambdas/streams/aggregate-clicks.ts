import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { byLink, type ClickRecord } from '../../core/clicks/click.ts';
import { readClick } from '../../core/clicks/click-record.ts';
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

type Stores = Granted<UsesOf<'aggregate-clicks'>>;

/** Adds visitors' clicks to their links' figures. Only a table that can't be reached makes it fail. */
export const aggregator =
  (stores: Stores) =>
  async ({ shardId, Records }: WindowedEvent): Promise<WindowedResponse> => {
    if (shardId === undefined) throw new Error('The event source mapping must have a tumbling window');
    const shard = `${Records[0]?.eventSourceARN}/${shardId}`;
    const failed = await addAll(stores, shard, byLink(Records.flatMap(click)));
    return { state: {}, batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };

/** The first record that must be delivered again, or none. Links that were done by then skip themselves. */
const addAll = async (
  { figures }: Stores,
  shard: string,
  links: readonly ClickRecord[][],
): Promise<string[]> => {
  const failed: ClickRecord[] = [];
  const now = new Date();
  const queue = links.values();
  const worker = async () => {
    for (const records of queue) {
      try {
        await figures.add({ shard, records }, now);
      } catch (error) {
        logError('Clicks were not added yet', error, { shard, position: records[0]?.position });
        failed.push(...records.slice(0, 1));
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
