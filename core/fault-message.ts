import type * as z from 'zod';

/** What a value is expected to be, in words that a client can act on. */
const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  record: 'an object',
};

const units: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
};

const counted = (count: number | bigint, origin: string): string => {
  const unit = units[origin];
  return unit ? `${count} ${unit[Number(count) === 1 ? 0 : 1]}` : String(count);
};

const list = (values: readonly unknown[]): string =>
  values.length < 2 ? String(values[0]) : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;

const mustBe = (input: unknown, what: string): string => {
  if (input === undefined) return 'is required';
  return `must be ${what}${input === null ? ', not null' : ''}`;
};

/**
 * Why a value doesn't meet its schema, in the API's words. For every schema without a message of its own; the validator's
 * wording would name types that no client knows.
 */
export const faultMessage: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return mustBe(issue.input, kinds[issue.expected] ?? `a valid ${issue.expected}`);
    case 'invalid_value':
      return mustBe(issue.input, list(issue.values));
    case 'too_big':
      return units[issue.origin]
        ? `must have at most ${counted(issue.maximum, issue.origin)}`
        : `must be at most ${issue.maximum}`;
    case 'too_small':
      if (!units[issue.origin]) return `must be at least ${issue.minimum}`;
      return Number(issue.minimum) === 1
        ? 'must not be empty'
        : `must have at least ${counted(issue.minimum, issue.origin)}`;
    default:
      return 'is not valid';
  }
};
