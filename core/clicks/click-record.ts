import { linkOfVisitor } from '../table/keys.ts';
import { type ClickRecord, knownCountry, knownPlatform, positionOf } from './click.ts';

/** An item's attributes in the wire format. */
type Image = Readonly<
  Record<string, { readonly S?: string; readonly N?: string; readonly M?: Image } | undefined>
>;

/** A change of a visitor's item, as far as counting reads it. */
export interface VisitorChange {
  readonly Keys?: Image | undefined;
  readonly NewImage?: Image | undefined;
  readonly OldImage?: Image | undefined;
  readonly SequenceNumber?: string | undefined;
  readonly ApproximateCreationDateTime?: number | undefined;
}

/**
 * Reads a click off the change that it made. Undefined for what is none; never throws, because a record that makes
 * counting fail would hold up every click behind it.
 */
export const readClick = (change: VisitorChange | undefined): ClickRecord | undefined => {
  const { Keys, NewImage, OldImage, SequenceNumber, ApproximateCreationDateTime: created } = change ?? {};
  const link = linkOfVisitor(textOf(Keys?.PK));
  const hits = wholeOf(NewImage?.hits);
  const before = OldImage ? wholeOf(OldImage.hits) : 0;
  const visit = NewImage?.visit?.M;
  if (!link || !isPosition(SequenceNumber) || hits === undefined || before === undefined) return undefined;
  // Each record carries what it added, so records can be lost to nothing but their own malformation.
  if (hits <= before) return undefined;
  return {
    ...link,
    sequenceNumber: SequenceNumber,
    position: positionOf(SequenceNumber),
    created: Number.isFinite(created) ? Number(created) : 0,
    clicks: hits - before,
    unique: !OldImage || isNewAgain(visit, OldImage.visit?.M),
    platform: knownPlatform(textOf(visit?.platform)),
    country: knownCountry(textOf(visit?.country)),
  };
};

/** The visitor's time had run out before this visit. So the sum does not depend on when expired items are swept. */
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
