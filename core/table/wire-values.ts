import type { Item } from './table.ts';

/** An attribute value in DynamoDB's JSON: one type and its value. */
export type WireValue = Readonly<Record<string, unknown>>;
export type WireItem = Readonly<Record<string, WireValue>>;

/**
 * An item in DynamoDB's JSON, for the types that the service stores: strings, numbers, booleans, null, lists, plain
 * objects and sets of strings. Undefined values are left out. Throws on other types.
 */
export const wireItem = (item: object): WireItem =>
  Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) => (value === undefined ? [] : [[name, wireValue(value)]])),
  );

const wireValue = (value: unknown): WireValue => {
  if (typeof value === 'string') return { S: value };
  if (typeof value === 'number' && Number.isFinite(value)) return { N: String(value) };
  if (typeof value === 'boolean') return { BOOL: value };
  if (value === null) return { NULL: true };
  if (Array.isArray(value)) return { L: value.filter((one) => one !== undefined).map(wireValue) };
  if (value instanceof Set && [...value].every(isText)) return { SS: [...value] };
  if (isPlain(value)) return { M: wireItem(value) };
  throw new TypeError(`The table can't keep ${Object.prototype.toString.call(value)}`);
};

const isText = (value: unknown): boolean => typeof value === 'string';

const isPlain = (value: unknown): value is Item =>
  typeof value === 'object' &&
  value !== null &&
  [Object.prototype, null].includes(Object.getPrototypeOf(value));

/** An item from DynamoDB's JSON. Throws on types that the service doesn't store. */
export const itemOfWire = (item: WireItem): Item =>
  Object.fromEntries(Object.entries(item).map(([name, value]) => [name, valueOfWire(value)]));

const readers: Readonly<Record<string, (value: never) => unknown>> = {
  S: (text: string) => text,
  N: (digits: string) => Number(digits),
  BOOL: (truth: boolean) => truth,
  NULL: () => null,
  L: (values: readonly WireValue[]) => values.map(valueOfWire),
  M: (item: WireItem) => itemOfWire(item),
  SS: (texts: readonly string[]) => new Set(texts),
};

const valueOfWire = (value: WireValue): unknown => {
  for (const type in value) {
    const read = readers[type];
    if (read) return read(value[type] as never);
  }
  throw new TypeError(`The table has a value of the type ${Object.keys(value).join()}`);
};
