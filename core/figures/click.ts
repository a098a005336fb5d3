import type { LinkId } from '../table/keys.ts';
import type { SplitValues } from './splits.ts';

/** What one record of the table's stream says about clicks or app opens. */
export interface ClickRecord extends LinkId, SplitValues {
  /** Whether the link's visitors are in groups, so that any shard may carry its clicks. */
  readonly isGrouped: boolean;
  /** As the stream spells it. */
  readonly sequenceNumber: string;
  /** Position in its shard, written so that positions compare as text. */
  readonly position: string;
  /** When the stream took it in, in epoch seconds. */
  readonly created: number;
  /** When it happened, in epoch seconds. */
  readonly at: number;
  readonly clicks: number;
  readonly unique: boolean;
  readonly opens: number;
  readonly firstOpens: number;
}

/** Digits of base 64 in the order of their character codes. */
const digits = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';

/** A whole number in so many digits of base 64. Numbers of equal width compare as text. */
export const writeDigits = (number: bigint | number, width: number): string => {
  let text = '';
  for (let rest = BigInt(number); text.length < width; rest >>= 6n)
    text = `${digits[Number(rest & 63n)]}${text}`;
  return text;
};

export const readDigits = (text: string): bigint =>
  [...text].reduce((number, digit) => (number << 6n) | BigInt(digits.indexOf(digit)), 0n);

/** A whole number in few characters, written so that numbers compare as text: their count comes first. */
const packNumber = (number: bigint): string => {
  const width = Math.ceil(number.toString(2).length / 6);
  return writeDigits(width, 1) + writeDigits(number, width);
};

/** DynamoDB's sequence numbers are numbers of 21 to 40 digits, in text. */
export const positionOf = (sequenceNumber: string): string => packNumber(BigInt(sequenceNumber));
