import { linkOfVisitor } from '../table/analytics-keys.ts';
import { eachField } from './dimensions.ts';
import { packedPosition } from './positions.ts';

/** An item's attributes in the wire format. */
type Image = Readonly<
  Record<string, { readonly S?: string; readonly N?: string; readonly M?: Image } | undefined>
>;

/** A change of a visitor's item, with the fields that counting reads. */
export interface VisitorChange {
  readonly Keys?: Image | undefined;
  readonly NewImage?: Image | undefined;
  readonly OldImage?: Image | undefined;
  readonly SequenceNumber?: string | undefined;
  readonly ApproximateCreationDateTime?: number | undefined;
}

/** A click or an app open in a record of the table's stream. */
export type ClickRecord = NonNullable<ReturnType<typeof readClick>>;

/**
 * Parses a click or an app open from a stream record. Undefined if it is neither. Never throws, because a failing
 * record would block all later clicks.
 */
export const readClick = (change: VisitorChange | undefined) => {
  const { Keys, NewImage, OldImage, SequenceNumber, ApproximateCreationDateTime: created } = change ?? {};
  const link = linkOfVisitor(textOf(Keys?.PK));
  const visit = NewImage?.visit?.M;
  // Each record contains its increments, so only a malformed record can be lost.
  const clicks = addedTo('hits', NewImage, OldImage);
  const opens = addedTo('opens', NewImage, OldImage);
  if (!link || !isPosition(SequenceNumber) || clicks + opens === 0) return undefined;
  const takenIn = Number.isFinite(created) ? Number(created) : 0;
  return {
    ...link,
    /** The sequence number in the stream's form. */
    sequenceNumber: SequenceNumber,
    /** The position in the shard, in a form that compares as text. */
    position: packedPosition(SequenceNumber),
    /** Time at which the stream recorded it, in epoch seconds. */
    created: takenIn,
    /** Time at which it happened, in epoch seconds. */
    at: timeOf(visit?.seen) ?? takenIn,
    clicks,
    unique: clicks > 0 && (!OldImage || isNewAgain(visit, OldImage.visit?.M)),
    ...eachField(({ field, read }) => read(textOf(visit?.[field]))),
    /** Prefixes of the dimensions whose values are the link's own. */
    own: textOf(visit?.own),
    tags: textOf(visit?.tags).split(',').filter(Boolean),
    opens,
    firstOpens: Math.min(opens, addedTo('firstOpens', NewImage, OldImage)),
  };
};

/** The increment of one of an item's numbers. */
const addedTo = (name: string, after: Image | undefined, before: Image | undefined): number => {
  const now = wholeOf(after?.[name]);
  const then = before ? wholeOf(before[name]) : 0;
  return now === undefined || then === undefined ? 0 : Math.max(0, now - then);
};

/** The first second of the year 10000: keys have four digits for the year. */
const endOfTime = 253_402_300_800;

/** A valid time in epoch seconds. */
const timeOf = (value: Image[string]): number | undefined => {
  const seconds = wholeOf(value);
  return seconds !== undefined && seconds < endOfTime ? seconds : undefined;
};

/** Whether the visitor's window had ended before this visit, whether or not TTL has deleted the item. */
const isNewAgain = (visit: Image | undefined, before: Image | undefined): boolean => {
  const [newFrom, seen] = [wholeOf(before?.newFrom), wholeOf(visit?.seen)];
  return newFrom !== undefined && seen !== undefined && newFrom <= seen;
};

const isPosition = (text: unknown): text is string => typeof text === 'string' && /^\d{1,40}$/.test(text);

const textOf = (value: Image[string]): string => (typeof value?.S === 'string' ? value.S : '');

/** A count or a time; undefined for anything else. */
const wholeOf = (value: Image[string]): number | undefined => {
  const number = typeof value?.N === 'string' && value.N !== '' ? Number(value.N) : Number.NaN;
  return Number.isSafeInteger(number) && number >= 0 ? number : undefined;
};
