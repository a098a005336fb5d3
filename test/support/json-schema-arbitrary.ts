import fc from 'fast-check';
import { anyAddress } from './any-address.ts';
import { anyCharacter } from './any-character.ts';

// biome-ignore lint/suspicious/noExplicitAny: a schema is whatever the description holds
type Schema = any;

/** Fixed values of some fields by name. */
type Known = Readonly<Record<string, fc.Arbitrary<unknown>>>;

/** Values that fit a JSON Schema of the description; rules that it only describes may be violated. */
export const fitting = (schema: Schema, root: Schema, known: Known = {}): fc.Arbitrary<unknown> => {
  const {
    $ref,
    anyOf,
    const: only,
    enum: choices,
    examples,
    type,
    format,
    pattern,
    minLength,
    maxLength,
  } = schema;
  if ($ref) return fitting(deref($ref, root), root, known);
  if (anyOf) return fc.oneof(...anyOf.map((one: Schema) => fitting(one, root, known)));
  if (only !== undefined) return fc.constant(only);
  if (choices) return fc.constantFrom(...choices);
  if (type === 'object') return objects(schema, root, known);
  if (type === 'array')
    return fc.array(fitting(schema.items, root, known), { minLength: schema.minItems ?? 0, maxLength: 4 });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'integer') return fc.integer({ min: schema.minimum ?? 0, max: schema.maximum ?? 1000 });
  if (format === 'uri') return anyAddress;
  // Requests may write times in more ways than the format has.
  if (format === 'date-time' || examples?.includes('2030-01-31')) {
    const [min, max] = [new Date('2027-01-01'), new Date('2090-01-01')];
    return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString());
  }
  if (pattern)
    return fc.stringMatching(new RegExp(pattern)).filter(({ length }) => length >= (minLength ?? 0));
  return textOf(minLength ?? 0, Math.min(maxLength ?? 40, 40));
};

const texts = new Map<string, fc.Arbitrary<string>>();
/** A shared arbitrary per pair of limits, because fast-check takes milliseconds to prepare each. */
const textOf = (minLength: number, maxLength: number): fc.Arbitrary<string> => {
  const limits = `${minLength} ${maxLength}`;
  const known = texts.get(limits) ?? fc.string({ minLength, maxLength, unit: 'grapheme' });
  texts.set(limits, known);
  return known;
};

const objects = ({ properties = {}, required }: Schema, root: Schema, known: Known) => {
  const fields = Object.fromEntries(
    Object.entries(properties).map(([name, property]) => [
      name,
      known[name] ?? fitting(property, root, known),
    ]),
  );
  return fc.record(fields, { requiredKeys: required ?? [] });
};

export const deref = ($ref: string, root: Schema): Schema =>
  $ref
    .split('/')
    .slice(1)
    .reduce((node, name) => node[name], root);

/** Strings that have broken other services. */
const nasty = fc.constantFrom(
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\udc00x',
  '\u202e\u2066',
  '\ufeff',
  '👩‍👩‍👧‍👦'.repeat(20),
  'İ'.repeat(300),
  'x'.repeat(3000),
  'x'.repeat(70_000),
  '__proto__',
  'constructor',
  '{{7*7}}',
  "'; DROP TABLE links; --",
  '<script>alert(1)</script>',
  '../../etc/passwd',
  'javascript:alert(1)',
  'http://127.0.0.1/',
  'https://example.com/\r\nSet-Cookie: a=b',
  '9999-12-31T23:59:59.999-23:59',
  '0000-01-01T00:00:00+23:59',
  '2030-02-30T00:00:00Z',
);

/** Any JSON value. */
const anything = fc.oneof(
  { weight: 3, arbitrary: nasty },
  fc.constantFrom(null, true, false, 0, -1, 1.5, 1e308, Number.MAX_SAFE_INTEGER + 1, [], {}, [[]], [null]),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: anyCharacter }),
);

/** Wrappers that convert to the value's text, and one that fails to convert. */
const wraps = [(value: unknown) => [value], (value: unknown) => [[value]], () => ({ toString: 1 })] as const;

/** A mutation of a value: something in it replaced, wrapped, left out or added. */
export const mutated = (value: unknown): fc.Arbitrary<unknown> => {
  const places = placesIn(value);
  return fc
    .tuple(
      fc.constantFrom(...places),
      fc.constantFrom('replace', 'wrap', 'remove', 'add'),
      fc.string(),
      anything,
      fc.constantFrom(...wraps),
    )
    .map(([place, how, name, other, wrap]) => change(value, place, { how, name, other, wrap }));
};

const placesIn = (value: unknown, place: readonly string[] = []): (readonly string[])[] => [
  place,
  ...(value !== null && typeof value === 'object'
    ? Object.entries(value).flatMap(([name, part]) => placesIn(part, [...place, name]))
    : []),
];

interface Mutation {
  readonly how: string;
  readonly name: string;
  readonly other: unknown;
  readonly wrap: (value: unknown) => unknown;
}

const change = (value: unknown, [name, ...rest]: readonly string[], mutation: Mutation): unknown => {
  if (name === undefined) {
    if (mutation.how === 'wrap') return mutation.wrap(value);
    const isObject = value !== null && typeof value === 'object' && !Array.isArray(value);
    return mutation.how === 'add' && isObject
      ? { ...value, [mutation.name]: mutation.other }
      : mutation.other;
  }
  const parts = Object.entries(value as object).flatMap(([one, part]) => {
    if (one !== name) return [[one, part] as const];
    return rest.length === 0 && mutation.how === 'remove'
      ? []
      : [[one, change(part, rest, mutation)] as const];
  });
  return Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
};
