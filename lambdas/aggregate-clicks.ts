import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { byLink, type ClickRecord, isNewVisitor, positionOf, type VisitorImage } from '../core/click.ts';
import { addClicks } from '../core/store/click-figures.ts';
import { linkOfVisitor } from '../core/store/keys.ts';
import { openTable, tableClient } from '../core/store/table.ts';
import { countMetric, logError } from './log.ts';

/** A stream event with a tumbling window, which alone tells the shard. */
interface WindowedEvent extends DynamoDBStreamEvent {
  readonly shardId?: string;
}

interface WindowedResponse {
  readonly state: Record<string, never>;
  readonly batchItemFailures: { readonly itemIdentifier: string }[];
}

const updatesAtOnce = 16;

const table = openTable(tableClient(), process.env.TABLE_NAME ?? '');

/** Adds visitors' clicks to their links' figures. Only a table that can't be reached makes it fail. */
export const handler = async (event: WindowedEvent): Promise<WindowedResponse> => {
  if (event.shardId === undefined) throw new Error('The event source mapping must have a tumbling window');
  const stream = event.Records[0]?.eventSourceARN;
  const shard = `${stream}/${event.shardId}`;
  const links = byLink(event.Records.flatMap(clickRecord));
  const failed = await addAll(links, shard, new Date());
  return { state: {}, batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
};

/** The lowest position that must be delivered again, or none. Links that were done by then skip themselves. */
const addAll = async (links: ClickRecord[][], shard: string, now: Date): Promise<string[]> => {
  const failed: string[] = [];
  const queue = links.values();
  const worker = async () => {
    for (const records of queue) {
      try {
        await addClicks(table, shard, records, now);
      } catch (error) {
        logError('Clicks were not added yet', error, { shard, position: records[0]?.position });
        failed.push(records[0]?.position ?? '');
      }
    }
  };
  await Promise.all(Array.from({ length: updatesAtOnce }, worker));
  const lowest = failed.sort()[0];
  return lowest === undefined ? [] : [lowest.replace(/^0+/, '')];
};

const clickRecord = (record: DynamoDBRecord): ClickRecord[] => {
  const click = readRecord(record);
  if (click) return [click];
  // Content never fails: it would hold up every click behind it.
  countMetric('ClickRecordSkipped', { event: record.eventID });
  return [];
};

const readRecord = ({ dynamodb }: DynamoDBRecord): ClickRecord | undefined => {
  const link = linkOfVisitor(dynamodb?.Keys?.PK?.S ?? '');
  const after = imageOf(dynamodb?.NewImage);
  if (!link || !after || !dynamodb?.SequenceNumber) return undefined;
  const before = imageOf(dynamodb.OldImage);
  const clicks = after.hits - (before?.hits ?? 0);
  if (!(clicks > 0)) return undefined;
  return {
    ...link,
    position: positionOf(dynamodb.SequenceNumber),
    clicks,
    unique: isNewVisitor(after, before),
    platform: after.platform,
    country: after.country,
  };
};

type Image = NonNullable<DynamoDBRecord['dynamodb']>['NewImage'];

const imageOf = (image: Image): VisitorImage | undefined => {
  if (!image) return undefined;
  const { hits, platform, country, seen, ttl } = unmarshall(image as Parameters<typeof unmarshall>[0]);
  const sound =
    [hits, seen, ttl].every(Number.isInteger) && typeof platform === 'string' && typeof country === 'string';
  return sound ? ({ hits, platform, country, seen, ttl } as VisitorImage) : undefined;
};
