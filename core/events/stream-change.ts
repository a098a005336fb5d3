import type { VisitorChange } from '../figures/click-record.ts';
import type { Item } from '../table/table.ts';
import { itemOfWire, type WireItem } from '../table/wire-values.ts';
import { shortHash } from './event.ts';

/** A record of the table's stream, as far as events read it. */
export interface StreamRecord {
  readonly eventName?: string | undefined;
  readonly eventSourceARN?: string | undefined;
  readonly dynamodb?: VisitorChange | undefined;
}

/** What a record says, in plain values. */
export interface StreamChange {
  readonly key: Item;
  readonly after: Item | undefined;
  readonly before: Item | undefined;
  /** The last millisecond of the second in which the stream took the record in: it says no more of the time. */
  readonly takenIn: number;
  /** The same in every delivery of a record, and of no other. It has nothing of a visitor: their hash is in the sort key. */
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
