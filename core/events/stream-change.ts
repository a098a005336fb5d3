import type { VisitorChange } from '../analytics/click-record.ts';
import type { Item } from '../table/table.ts';
import { itemOfWire, type WireItem } from '../table/wire-values.ts';
import { shortHash } from './event.ts';

/** A record of the table's stream, with the fields that events use. */
export interface StreamRecord {
  readonly eventID?: string | undefined;
  readonly eventName?: string | undefined;
  readonly eventSourceARN?: string | undefined;
  readonly dynamodb?: VisitorChange | undefined;
}

/** A stream record in plain values. */
export interface StreamChange {
  readonly key: Item;
  readonly after: Item | undefined;
  readonly before: Item | undefined;
  /** The last millisecond of the second in which the stream recorded the change; it has no finer time. */
  readonly takenIn: number;
  /** The record's id, the same in every delivery. It contains nothing about visitors, whose hashes are in sort keys. */
  readonly name: string;
}

export const changeOf = ({ eventSourceARN = '', dynamodb = {} }: StreamRecord): StreamChange => {
  const plain = (image: object | undefined) => image && itemOfWire(image as WireItem);
  const key = plain(dynamodb.Keys) ?? {};
  return {
    key,
    after: plain(dynamodb.NewImage),
    before: plain(dynamodb.OldImage),
    takenIn: Math.trunc(Number(dynamodb.ApproximateCreationDateTime ?? 0)) * 1000 + 999,
    name: shortHash(eventSourceARN, String(key.PK), dynamodb.SequenceNumber ?? ''),
  };
};
