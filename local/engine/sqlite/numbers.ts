import { invalid } from './rejected.ts';

/** digits × 10^exponent, without trailing zeros in the digits. */
interface Decimal {
  readonly digits: bigint;
  readonly exponent: number;
}

const written = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/;
/** Whether a number is in DynamoDB's own spelling and exact in JavaScript: an integer of at most 15 digits. */
function isSmall(text: string): boolean {
  const start = text.charCodeAt(0) === 45 ? 1 : 0;
  const digits = text.length - start;
  const first = text.charCodeAt(start);
  if (digits < 1 || digits > 15 || (first === 48 && text !== '0')) return false;
  for (let i = start; i < text.length; i += 1) {
    const code = text.charCodeAt(i);
    if (code < 48 || code > 57) return false;
  }
  return true;
}

const mostDigits = 38;

/** A number in the spelling that DynamoDB returns. */
export const normalNumber = (text: string): string => (isSmall(text) ? text : textOf(decimalOf(text)));

export function addNumbers(one: string, other: string, sign: 1 | -1): string {
  if (isSmall(one) && isSmall(other)) return String(Number(one) + sign * Number(other));
  const [a, b] = [decimalOf(one), decimalOf(other)];
  const exponent = Math.min(a.exponent, b.exponent);
  const scaled = ({ digits, exponent: own }: Decimal) => digits * 10n ** BigInt(own - exponent);
  return textOf(trimmed(scaled(a) + BigInt(sign) * scaled(b), exponent));
}

export function compareNumbers(one: string, other: string): number {
  if (isSmall(one) && isSmall(other)) return Number(one) - Number(other);
  const [a, b] = [orderedNumber(one), orderedNumber(other)];
  return a < b ? -1 : Number(a > b);
}

/** A string that sorts like the number: sign, magnitude, digits. */
export function orderedNumber(text: string): string {
  const { digits, exponent } = decimalOf(text);
  if (digits === 0n) return '1';
  const plain = String(digits < 0n ? -digits : digits);
  const magnitude = String(plain.length + exponent + 500).padStart(4, '0');
  if (digits > 0n) return `2${magnitude}${plain}`;
  return `0${`${magnitude}${plain}`.replace(/\d/g, (digit) => String(9 - Number(digit)))}~`;
}

function decimalOf(text: string): Decimal {
  const [, sign = '', whole = '', fraction = '', power = '0'] = written.exec(text) ?? [];
  if (whole + fraction === '') throw invalid('The parameter cannot be converted to a numeric value');
  return trimmed(BigInt(whole + fraction) * (sign === '-' ? -1n : 1n), Number(power) - fraction.length);
}

function trimmed(digits: bigint, exponent: number): Decimal {
  if (digits === 0n) return { digits, exponent: 0 };
  const text = String(digits);
  const kept = text.replace(/0+$/, '');
  const count = kept.replace('-', '').length;
  const power = exponent + text.length - kept.length;
  if (power + count > 126) throw outOfRange('overflow', 'larger');
  if (power + count < -129) throw outOfRange('underflow', 'smaller');
  if (count > mostDigits) throw invalid('Attempting to store more than 38 significant digits in a Number');
  return { digits: BigInt(kept), exponent: power };
}

const outOfRange = (what: string, than: string) =>
  invalid(`Number ${what}. Attempting to store a number with magnitude ${than} than supported range`);

function textOf({ digits, exponent }: Decimal): string {
  if (exponent >= 0) return String(digits) + '0'.repeat(digits === 0n ? 0 : exponent);
  const plain = String(digits < 0n ? -digits : digits).padStart(1 - exponent, '0');
  return `${digits < 0n ? '-' : ''}${plain.slice(0, exponent)}.${plain.slice(exponent)}`;
}
