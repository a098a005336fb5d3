import { isRecord } from '../../base/json-values.ts';

/** A value as DynamoDB's JSON writes it: one type and its value. */
export type Value = Readonly<Record<string, unknown>>;
export type Item = Readonly<Record<string, Value>>;

/** What only the engine decides. */
export class Unsure extends Error {}

/** Only its own: an attribute may be named `constructor`. */
export const attributeOf = (item: Item, name: string): Value | undefined =>
  Object.hasOwn(item, name) ? item[name] : undefined;

export function sure<Given>(given: Given | undefined, what: string): Given {
  if (given === undefined) throw new Unsure(what);
  return given;
}

/** Engines take less deep ones than these, and more. */
const deepest = 20;

/**
 * The size of an item as DynamoDB counts it. Throws Unsure unless the engine takes all of it, and keeps it exactly as it is
 * written here.
 */
export function plainBytes(item: unknown, depth = 0): number {
  if (!isRecord(item) || depth > deepest) throw new Unsure('an item');
  let bytes = 0;
  for (const [name, value] of Object.entries(item)) {
    mustBeName(name);
    bytes += Buffer.byteLength(name) + valueBytes(value, depth);
  }
  return bytes;
}

function valueBytes(value: unknown, depth: number): number {
  const [[type, content] = [''], second] = Object.entries(isRecord(value) ? value : {});
  const bytes = second ? undefined : byType.get(type)?.(content, depth + 1);
  return sure(bytes, `a value of the type ${type}`);
}

/** Undefined for what isn't plain. */
type Bytes = (content: unknown, depth: number) => number | undefined;

/** No object, which would have a `constructor`, too. */
const byType: ReadonlyMap<string, Bytes> = new Map<string, Bytes>([
  ['S', (text) => (typeof text === 'string' && text.isWellFormed() ? Buffer.byteLength(text) : undefined)],
  [
    'N',
    (number) => (typeof number === 'string' && wholeNumber.test(number) ? numberBytes(number) : undefined),
  ],
  ['BOOL', (truth) => (typeof truth === 'boolean' ? 1 : undefined)],
  ['NULL', (truth) => (truth === true ? 1 : undefined)],
  [
    'M',
    (item, depth) => (isRecord(item) ? plainBytes(item, depth) + partsBytes(Object.keys(item)) : undefined),
  ],
  [
    'L',
    (values, depth) => {
      if (!Array.isArray(values) || depth > deepest) return undefined;
      return values.reduce((sum, value) => sum + valueBytes(value, depth), partsBytes(values));
    },
  ],
]);

/** What a list or a map takes beside its parts. */
const partsBytes = (parts: readonly unknown[]) => 3 + parts.length;

/** Two digits take a byte, but for zeros at the end. */
const numberBytes = (number: string) =>
  Math.ceil(number.replace(/^-|0+$/g, '').length / 2) + (number.startsWith('-') ? 2 : 1);

/** Names of attributes. `__proto__` would set an object's prototype. */
export function mustBeName(name: unknown): void {
  const isPlain = typeof name === 'string' && name !== '' && name.length <= 255 && name.isWellFormed();
  if (!isPlain || name === '__proto__') throw new Unsure(`the name ${name}`);
}

/** As DynamoDB writes it back, and exact in JavaScript. */
const wholeNumber = /^(?:0|-?[1-9]\d{0,14})$/;

export function numberOf({ N: number }: Value): number {
  if (typeof number !== 'string' || !wholeNumber.test(number)) throw new Unsure('a number');
  return Number(number);
}

export function numeral(number: number): Value {
  if (!wholeNumber.test(String(number))) throw new Unsure('a number');
  return { N: String(number) };
}

export function textOf({ S: text }: Value): string {
  if (typeof text !== 'string') throw new Unsure('no text');
  return text;
}

/** Undefined for what has no order: something that is missing, or of another type. */
export function orderOf(one: Value | undefined, other: Value | undefined): number | undefined {
  if (one === undefined || other === undefined) return undefined;
  if (one.S !== undefined && other.S !== undefined) return textOrder(textOf(one), textOf(other));
  if (one.N !== undefined && other.N !== undefined) return numberOf(one) - numberOf(other);
  if (Object.keys(one)[0] === Object.keys(other)[0]) throw new Unsure('an order of this type');
  return undefined;
}

/** By bytes of UTF-8. */
const textOrder = (one: string, other: string): number =>
  one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));
