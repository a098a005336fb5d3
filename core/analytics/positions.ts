/** Base-64 digits in the order of their character codes. */
const digits = '-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';

/** A whole number in base 64 with a fixed width, so that numbers compare as text. */
export const writeDigits = (number: bigint | number, width: number): string => {
  let text = '';
  for (let rest = BigInt(number); text.length < width; rest >>= 6n)
    text = `${digits[Number(rest & 63n)]}${text}`;
  return text;
};

export const readDigits = (text: string): bigint =>
  [...text].reduce((number, digit) => (number << 6n) | BigInt(digits.indexOf(digit)), 0n);

/** A whole number in few characters. Its width comes first, so that numbers compare as text. */
const packNumber = (number: bigint): string => {
  const width = Math.ceil(number.toString(2).length / 6);
  return writeDigits(width, 1) + writeDigits(number, width);
};

/** A short form of a sequence number; DynamoDB's have 21 to 40 digits. */
export const packedPosition = (sequenceNumber: string): string => packNumber(BigInt(sequenceNumber));
