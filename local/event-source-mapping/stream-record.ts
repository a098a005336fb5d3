import { hash } from 'node:crypto';
import type { TableResource } from '../assembly/assembly.ts';
import { itemBytes } from '../engine/sqlite/values.ts';

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

/** A record as GetRecords returns it. */
export interface EngineRecord {
  readonly eventName: EventName | 'UNKNOWN_TO_SDK_VERSION';
  readonly userIdentity?: object;
  readonly dynamodb: Omit<Change, 'SizeBytes'>;
  /** Keys and images as JSON, if they come from the engine's file. */
  readonly texts?: Texts;
  /** Its size, if the engine has counted it. */
  readonly bytes?: number | null;
}

interface Texts {
  readonly keys: string;
  readonly newImage: string | null;
  readonly oldImage: string | null;
}

/** The JSON of records that have it already. */
const storedTexts = new WeakMap<Change, Texts>();

/** A record as a function receives it. */
export interface StreamRecord {
  readonly eventID: string;
  readonly eventName: EventName;
  readonly eventVersion: '1.1';
  readonly eventSource: 'aws:dynamodb';
  readonly awsRegion: string;
  readonly dynamodb: Change;
  readonly eventSourceARN: string;
  /** Set on a removal by TTL. */
  readonly userIdentity?: typeof service;
}

const service = { type: 'Service', principalId: 'dynamodb.amazonaws.com' } as const;

/** The ARN that functions see: the table's own, with the engine's name for the stream. */
export function eventSourceArn(table: TableResource, engineStreamArn: string): string {
  return `${table.arn}/stream/${engineStreamArn.split('/stream/')[1]}`;
}

/** Converts a shard's records to those that functions receive. */
export function streamRecords(sourceArn: string, shardId: string): (record: EngineRecord) => StreamRecord {
  // A record's id is 32 hexadecimal digits: the shard's hash and its number.
  const idOfShard = hash('md5', `${sourceArn} ${shardId}`).slice(0, 14);
  return (record) => streamRecord(record, sourceArn, idOfShard);
}

function streamRecord(record: EngineRecord, sourceArn: string, idOfShard: string): StreamRecord {
  const { dynamodb, texts } = record;
  const { ApproximateCreationDateTime, Keys, SequenceNumber, StreamViewType } = dynamodb;
  // DynamoDB Local's name for a deletion by its own TTL.
  const isUnnamed = record.eventName === 'UNKNOWN_TO_SDK_VERSION';
  const change: Change = {
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
      return record.bytes ?? sizeOf(dynamodb);
    },
    StreamViewType,
  };
  if (texts) storedTexts.set(change, texts);
  return {
    // Lazy, like images: most records pass no filter, and these take most of the time.
    get eventID() {
      return idOfShard + BigInt(SequenceNumber).toString(16).padStart(18, '0');
    },
    eventName: isUnnamed ? 'REMOVE' : record.eventName,
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: sourceArn.split(':')[3] ?? '',
    dynamodb: change,
    eventSourceARN: sourceArn,
    ...((isUnnamed || record.userIdentity) && { userIdentity: service }),
  };
}

const sizeOf = ({ Keys, NewImage = {}, OldImage = {} }: EngineRecord['dynamodb']): number =>
  itemBytes(Keys) + itemBytes(NewImage) + itemBytes(OldImage);

const jsonTexts = new WeakMap<StreamRecord, string>();

/** The JSON of a record, made once for measuring and sending. */
export function jsonOf(record: StreamRecord): string {
  const known = jsonTexts.get(record);
  if (known !== undefined) return known;
  const texts = storedTexts.get(record.dynamodb);
  const text = texts ? joined(record, texts) : JSON.stringify(record);
  jsonTexts.set(record, text);
  return text;
}

function joined({ dynamodb, ...rest }: StreamRecord, { keys, newImage, oldImage }: Texts): string {
  const { ApproximateCreationDateTime, SequenceNumber, SizeBytes, StreamViewType } = dynamodb;
  const plain = { ApproximateCreationDateTime, SequenceNumber, SizeBytes, StreamViewType };
  const images = [
    `"Keys":${keys}`,
    ...(newImage === null ? [] : [`"NewImage":${newImage}`]),
    ...(oldImage === null ? [] : [`"OldImage":${oldImage}`]),
  ];
  return `${JSON.stringify(rest).slice(0, -1)},"dynamodb":{${JSON.stringify(plain).slice(1, -1)},${images.join(',')}}}`;
}
