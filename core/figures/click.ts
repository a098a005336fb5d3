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
export const packedPosition = (sequenceNumber: string): string => packNumber(BigInt(sequenceNumber));
