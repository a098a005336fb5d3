import { isRecord } from '../../base/json-values.ts';
import { compareNumbers, normalNumber } from './numbers.ts';
import { invalid, wrongValue } from './rejected.ts';

/** A value as DynamoDB's JSON writes it: one type and its value. */
export type Value = Readonly<Record<string, unknown>>;
export type Item = Readonly<Record<string, Value>>;

/** DynamoDB's limits. */
export const mostItemBytes = 400 * 1024;
/** Maps and lists around a value, the item included. */
const deepest = 32;

/** An own attribute of an item: its name may be `constructor`. */
export const attributeOf = (item: Item, name: string): Value | undefined =>
  Object.hasOwn(item, name) ? item[name] : undefined;

export function typeOf(value: Value): string {
  for (const type in value) return type;
  return '';
}

/** An item as stored, with numbers in one spelling. Throws if it is invalid. */
export function keptItem(item: unknown, depth = 1): Item {
  if (!isRecord(item)) throw invalid('Supplied AttributeValue is not an item');
  if (depth > deepest) throw tooDeep();
  const changed: [string, Value][] = [];
  for (const name in item) {
    const fault = nameFault(name);
    if (fault) throw invalid(fault);
    const value = item[name];
    const kept = keptValue(value, depth);
    if (kept !== value) changed.push([name, kept]);
  }
  // All values have been checked.
  const all = item as Item;
  return changed.length > 0 ? Object.fromEntries([...Object.entries(all), ...changed]) : all;
}

export function nameFault(name: string): string | undefined {
  if (name === '') return 'Empty attribute name';
  return name.length > 65_535 ? 'Attribute name is too large, must be less than 65536 bytes' : undefined;
}

const tooDeep = () => invalid('Nesting Levels have exceeded supported limits');

/** Throws if a value is nested too deep for its place, inside of `depth` maps and lists, with the item. */
export function mustNest({ L: list, M: map }: Value, depth: number): void {
  if (list === undefined && map === undefined) return;
  if (depth >= deepest) throw tooDeep();
  for (const one of list ? (list as Value[]) : Object.values(map as Item)) mustNest(one, depth + 1);
}

/** A value as stored. `depth` is the number of maps and lists around it, with the item. */
export function keptValue(value: unknown, depth = 0): Value {
  let [type, count] = ['', 0];
  if (isRecord(value)) for (const name in value) if (count++ === 0) type = name;
  const keep = count === 1 ? types.get(type) : undefined;
  if (!keep || !isRecord(value)) {
    const much =
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes';
    const little = 'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes';
    throw invalid(count > 1 ? much : little);
  }
  const content = value[type];
  const kept = keep(content, depth + 1);
  return kept === content ? value : { [type]: kept };
}

const malformed = () => invalid('Unexpected type in a value');

function keptText(text: unknown): string {
  if (typeof text !== 'string') throw malformed();
  return text;
}

const keptNumber = (number: unknown) => normalNumber(keptText(number));

function keptBytes(text: unknown): string {
  const bytes = keptText(text);
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(bytes)) throw malformed();
  return bytes;
}

const keptSet = (kind: string, keep: (one: unknown) => string) => (all: unknown) => {
  if (!Array.isArray(all)) throw malformed();
  if (all.length === 0) throw wrongValue(`An ${kind} set  may not be empty`);
  const kept = all.map(keep);
  if (new Set(kept).size < kept.length)
    throw kind === 'number'
      ? invalid('Input collection contains duplicates')
      : wrongValue(
          `Input collection [${all.join(', ')}]${kind === 'binary' ? 'of type BS' : ''} contains duplicates.`,
        );
  return kept;
};

function keptTruth(truth: unknown): boolean {
  if (typeof truth !== 'boolean') throw malformed();
  return truth;
}

function keptList(all: unknown, depth: number): unknown {
  if (!Array.isArray(all)) throw malformed();
  if (depth > deepest) throw tooDeep();
  const kept = all.map((one) => keptValue(one, depth));
  return kept.some((one, i) => one !== all[i]) ? kept : all;
}

/** Parsers by type; a map, because an object would also have `constructor`. */
const types: ReadonlyMap<string, (content: unknown, depth: number) => unknown> = new Map<
  string,
  (content: unknown, depth: number) => unknown
>([
  ['S', keptText],
  ['N', keptNumber],
  ['B', keptBytes],
  ['SS', keptSet('string', keptText)],
  ['NS', keptSet('number', keptNumber)],
  ['BS', keptSet('binary', keptBytes)],
  ['BOOL', keptTruth],
  [
    'NULL',
    (truth) => {
      if (truth !== true) throw wrongValue('Null attribute value types must have the value of true');
      return truth;
    },
  ],
  ['M', keptItem],
  ['L', keptList],
]);

export const isType = (name: string): boolean => types.has(name);

/** The size of an item as DynamoDB counts it. */
export function itemBytes(item: Item): number {
  let bytes = 0;
  for (const name in item) bytes += Buffer.byteLength(name) + valueBytes(item[name] as Value);
  return bytes;
}

export function valueBytes(value: Value): number {
  const type = typeOf(value);
  const content = value[type];
  switch (type) {
    case 'S':
      return Buffer.byteLength(content as string);
    case 'N':
      return numberBytes(content as string);
    case 'B':
      return Buffer.byteLength(content as string, 'base64');
    case 'M':
      return itemBytes(content as Item) + 3 + Object.keys(content as Item).length;
    case 'L':
      return (content as Value[]).reduce((sum, one) => sum + valueBytes(one) + 1, 3);
    case 'SS':
    case 'NS':
    case 'BS':
      return (content as string[]).reduce((sum, one) => sum + valueBytes({ [type.charAt(0)]: one }), 0);
    default:
      return 1;
  }
}

/** Digits take a byte in pairs from the decimal point on, except pairs of zeros at both ends. */
function numberBytes(number: string): number {
  if (number === '0') return 1;
  const sign = number.startsWith('-') ? 1 : 0;
  const point = number.indexOf('.');
  if (point < 0) {
    let end = number.length;
    while (number.endsWith('00', end)) end -= 2;
    return 1 + sign + Math.ceil((end - sign) / 2);
  }
  const part = number.slice(point + 1);
  if (!number.startsWith('0.', sign))
    return 1 + sign + Math.ceil((point - sign) / 2) + Math.ceil(part.length / 2);
  return 1 + sign + Math.ceil(part.replace(/^(?:00)+/, '').length / 2);
}

/** Compares two values; undefined if one is missing, their types differ, or the type has no order. */
export function orderOf(one: Value | undefined, other: Value | undefined): number | undefined {
  if (one === undefined || other === undefined) return undefined;
  const type = typeOf(one);
  if (type !== typeOf(other)) return undefined;
  const [a, b] = [one[type], other[type]] as [string, string];
  if (type === 'S') return a === b ? 0 : Buffer.compare(Buffer.from(a), Buffer.from(b));
  if (type === 'N') return compareNumbers(a, b);
  if (type === 'B') return Buffer.compare(Buffer.from(a, 'base64'), Buffer.from(b, 'base64'));
  return undefined;
}

export function isSame(one: Value | undefined, other: Value | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  // Values that an update leaves unchanged are identical.
  if (one === other) return true;
  const type = typeOf(one);
  if (type !== typeOf(other)) return false;
  const [a, b] = [one[type], other[type]];
  if (a === b) return true;
  if (type === 'L') return sameLists(a as Value[], b as Value[]);
  if (type === 'M') return isSameItem(a as Item, b as Item);
  if (!isSet(type)) return false;
  const [some, others] = [new Set(a as string[]), new Set(b as string[])];
  return some.size === others.size && [...some].every((one) => others.has(one));
}

const sameLists = (one: Value[], other: Value[]) =>
  one.length === other.length && one.every((value, i) => isSame(value, other[i]));

export function isSameItem(one: Item, other: Item): boolean {
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => isSame(attributeOf(one, name), attributeOf(other, name)))
  );
}

export const isSet = (type: string): boolean => type === 'SS' || type === 'NS' || type === 'BS';
