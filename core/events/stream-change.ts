import type { Item } from '../table/table.ts';
import { itemOfWire, type WireItem } from '../table/wire-values.ts';
import { shortHash } from './event.ts';

/** A record of the table's stream, as far as events read it. */
export interface StreamRecord {
  readonly eventName?: string | undefined;
  readonly eventSourceARN?: string | undefined;
  readonly dynamodb?:
    | {
        readonly Keys?: object | undefined;
        readonly NewImage?: object | undefined;
        readonly OldImage?: object | undefined;
        readonly SequenceNumber?: string | undefined;
        readonly ApproximateCreationDateTime?: number | undefined;
      }
    | undefined;
}

/** The last millisecond of the second in which the stream took a record in: it says no more of the time. */
export const takenInAt = ({ dynamodb }: StreamRecord): number =>
  Math.trunc(Number(dynamodb?.ApproximateCreationDateTime ?? 0)) * 1000 + 999;

/** The same in every delivery of a record, and of no other. It has nothing of a visitor: their hash is in the sort key. */
export const nameOfRecord = ({ eventSourceARN = '', dynamodb }: StreamRecord): string => {
  const { PK } = itemOfWire((dynamodb?.Keys ?? {}) as WireItem);
  return shortHash(eventSourceARN, String(PK), dynamodb?.SequenceNumber ?? '');
};

/** An image in plain values; nothing if there was none. */
export const imageOf = (image: object | undefined): Item | undefined =>
  image === undefined ? undefined : itemOfWire(image as WireItem);
