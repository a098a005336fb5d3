import { hash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { TableResource } from '../assembly.ts';
import { isRecord } from '../json-values.ts';

type AttributeValue = Readonly<Record<string, unknown>>;
export type Image = Readonly<Record<string, AttributeValue>>;

interface Change {
  readonly ApproximateCreationDateTime: number;
  readonly Keys: Image;
  readonly NewImage?: Image | undefined;
  readonly OldImage?: Image | undefined;
  readonly SequenceNumber: string;
  readonly SizeBytes: number;
  readonly StreamViewType: string;
}

type EventName = 'INSERT' | 'MODIFY' | 'REMOVE';

/** As GetRecords returns it. */
export interface EngineRecord {
  readonly eventName: EventName | 'UNKNOWN_TO_SDK_VERSION';
  readonly userIdentity?: object;
  readonly dynamodb: Omit<Change, 'SizeBytes'>;
}

/** As a function receives it. */
export interface StreamRecord {
  readonly eventID: string;
  readonly eventName: EventName;
  readonly eventVersion: '1.1';
  readonly eventSource: 'aws:dynamodb';
  readonly awsRegion: string;
  readonly dynamodb: Change;
  readonly eventSourceARN: string;
  /** On a removal by TTL. */
  readonly userIdentity?: typeof service;
}

export const service = { type: 'Service', principalId: 'dynamodb.amazonaws.com' } as const;

/** The ARN that functions see: the table's own, with the engine's name for the stream. */
export function eventSourceArn(table: TableResource, engineStreamArn: string): string {
  return `${table.arn}/stream/${engineStreamArn.split('/stream/')[1]}`;
}

/** DynamoDB writes no record for a write that changes nothing; engines do. Most records pass no filter, so ask that first. */
export function isChange({ eventName, dynamodb: { NewImage, OldImage } }: StreamRecord): boolean {
  return eventName !== 'MODIFY' || !NewImage || !OldImage || !isDeepStrictEqual(NewImage, OldImage);
}

/** Makes a shard's records as functions receive them. */
export function streamRecords(sourceArn: string, shardId: string): (record: EngineRecord) => StreamRecord {
  // A record's id is 32 hexadecimal digits: the shard's hash and its number.
  const idOfShard = hash('md5', `${sourceArn} ${shardId}`).slice(0, 14);
  return (record) => streamRecord(record, sourceArn, idOfShard);
}

function streamRecord(record: EngineRecord, sourceArn: string, idOfShard: string): StreamRecord {
  const { dynamodb } = record;
  const { ApproximateCreationDateTime, Keys, SequenceNumber, StreamViewType } = dynamodb;
  // DynamoDB Local's name for a deletion by its own TTL.
  const isUnnamed = record.eventName === 'UNKNOWN_TO_SDK_VERSION';
  return {
    // Computed when asked for, as images are: most records pass no filter, and these take most of the time.
    get eventID() {
      return idOfShard + BigInt(SequenceNumber).toString(16).padStart(18, '0');
    },
    eventName: isUnnamed ? 'REMOVE' : record.eventName,
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: sourceArn.split(':')[3] ?? '',
    dynamodb: {
      ApproximateCreationDateTime: Math.floor(ApproximateCreationDateTime),
      Keys,
      get NewImage() {
        return dynamodb.NewImage;
      },
      get OldImage() {
        return dynamodb.OldImage;
      },
      SequenceNumber: SequenceNumber.padStart(21, '0'),
      get SizeBytes() {
        return imageSize(Keys) + imageSize(dynamodb.NewImage) + imageSize(dynamodb.OldImage);
      },
      StreamViewType,
    },
    eventSourceARN: sourceArn,
    ...((isUnnamed || record.userIdentity) && { userIdentity: service }),
  };
}

const texts = new WeakMap<StreamRecord, string>();

/** The JSON of a record, made once for all who measure or send it. */
export function jsonOf(record: StreamRecord): string {
  const known = texts.get(record);
  if (known !== undefined) return known;
  const text = JSON.stringify(record);
  texts.set(record, text);
  return text;
}

/** How DynamoDB counts the size of an item: names and values, numbers at two digits a byte. */
function imageSize(image: Image | undefined): number {
  let size = 0;
  for (const [name, value] of Object.entries(image ?? {})) size += Buffer.byteLength(name) + valueSize(value);
  return size;
}

function valueSize(attribute: unknown): number {
  const [[type, value] = ['', undefined]] = Object.entries(isRecord(attribute) ? attribute : {});
  if (type === 'N') return numberSize(String(value));
  if (type === 'B') return Buffer.byteLength(String(value), 'base64');
  if (type === 'BOOL' || type === 'NULL') return 1;
  if (type === 'M' && isRecord(value)) {
    return Object.entries(value).reduce(
      (sum, [name, part]) => sum + Buffer.byteLength(name) + valueSize(part) + 1,
      3,
    );
  }
  if (!Array.isArray(value)) return Buffer.byteLength(String(value));
  if (type === 'L') return value.reduce<number>((sum, part) => sum + valueSize(part) + 1, 3);
  return value.reduce<number>((sum, part) => sum + valueSize({ [type.slice(0, 1)]: part }), 0);
}

function numberSize(value: string): number {
  const digits = value
    .replace(/[eE].*$/, '')
    .replace(/[-+.]/g, '')
    .replace(/^0+|0+$/g, '');
  return Math.ceil(digits.length / 2) + (value.startsWith('-') ? 2 : 1);
}
