import { isRecord } from '../base/json-values.ts';

type Json = Readonly<Record<string, unknown>>;
type Test = (value: unknown) => boolean;

/**
 * Compiles event patterns as an event source mapping applies them: a record passes if one pattern
 * matches, every field of a pattern must match, and a field matches one of its listed values. DynamoDB's
 * numbers are text in a record (`{"N": "42"}`), so `numeric` never matches them, on AWS as here.
 */
export function compileFilters(patterns: readonly Json[]): (record: object) => boolean {
  if (patterns.length === 0) return () => true;
  const tests = patterns.map(compilePattern);
  return (record) => tests.some((test) => test(record));
}

function compilePattern(pattern: Json): Test {
  const tests = Object.entries(pattern).map(([field, expected]): Test => {
    if (field === '$or') return anyOf(list(expected).map((part) => compilePattern(object(part))));
    if (Array.isArray(expected)) return compileField(field, anyOf(expected.map(compileLeaf)));
    return compileField(field, compilePattern(object(expected)));
  });
  return (value) => tests.every((test) => test(value));
}

function compileField(field: string, test: Test): Test {
  return (value) => test(isRecord(value) ? value[field] : undefined);
}

/** A listed value: a literal or a single operator. Operators look at leaves, never at objects. */
function compileLeaf(expected: unknown): Test {
  if (!isRecord(expected)) return leaf((value) => value === expected);
  const [[operator, operand] = ['']] = Object.entries(expected);
  const test = operators[operator]?.(operand);
  if (!test) throw new Error(`Invalid filter pattern definition: ${JSON.stringify(expected)}`);
  return test;
}

const operators: Readonly<Record<string, (operand: unknown) => Test>> = {
  exists: (operand) => (value) => isLeaf(value) === operand,
  prefix: (operand) => affix(operand, (value, prefix) => value.startsWith(prefix)),
  suffix: (operand) => affix(operand, (value, suffix) => value.endsWith(suffix)),
  'equals-ignore-case': (operand) =>
    textual((value) => value.toLowerCase() === String(operand).toLowerCase()),
  'anything-but': (operand) => {
    const excluded = anyOf((Array.isArray(operand) ? operand : [operand]).map(compileLeaf));
    return leaf((value) => !excluded(value));
  },
  numeric: (operand) => {
    const bounds = list(operand);
    const tests = bounds.flatMap((comparator, index) =>
      index % 2 === 0 ? [compare(String(comparator), Number(bounds[index + 1]))] : [],
    );
    return leaf((value) => typeof value === 'number' && tests.every((test) => test(value)));
  },
};

function affix(operand: unknown, test: (value: string, affix: string) => boolean): Test {
  const folded = isRecord(operand) ? operand['equals-ignore-case'] : undefined;
  if (folded !== undefined) {
    return textual((value) => test(value.toLowerCase(), String(folded).toLowerCase()));
  }
  return textual((value) => test(value, String(operand)));
}

function compare(comparator: string, bound: number): (value: number) => boolean {
  switch (comparator) {
    case '=':
      return (value) => value === bound;
    case '<':
      return (value) => value < bound;
    case '<=':
      return (value) => value <= bound;
    case '>':
      return (value) => value > bound;
    case '>=':
      return (value) => value >= bound;
    default:
      throw new Error(`Invalid filter pattern definition: numeric ${comparator}`);
  }
}

const anyOf =
  (tests: readonly Test[]): Test =>
  (value) =>
    tests.some((test) => test(value));

/** A list in a record matches if one of its elements does. */
const leaf =
  (test: Test): Test =>
  (value) =>
    Array.isArray(value) ? value.some(leaf(test)) : isLeaf(value) && test(value);

const textual = (test: (value: string) => boolean): Test =>
  leaf((value) => typeof value === 'string' && test(value));

const isLeaf = (value: unknown) =>
  value !== undefined && (value === null || typeof value !== 'object' || Array.isArray(value));

function object(value: unknown): Json {
  if (isRecord(value)) return value;
  throw new Error(`Invalid filter pattern definition: ${JSON.stringify(value)}`);
}

function list(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  throw new Error(`Invalid filter pattern definition: ${JSON.stringify(value)}`);
}
