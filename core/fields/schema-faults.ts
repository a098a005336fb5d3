import type * as z from 'zod';
import { faultMessage } from '../base/messages.ts';

/** Expected types in clients' words. */
const kinds: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  record: 'an object',
};

const mustBe = (input: unknown, kind: string): string => {
  if (input === undefined) return faultMessage('required');
  return faultMessage(input === null ? 'notNull' : 'kind', { kind });
};

const list = (values: readonly unknown[]): string =>
  values.length < 2 ? String(values[0]) : `${values.slice(0, -1).join(', ')} or ${values.at(-1)}`;

const tooBig = ({ origin, maximum }: z.core.$ZodIssueTooBig): string => {
  if (origin === 'string') return faultMessage('tooLong', { count: maximum });
  return origin === 'array'
    ? faultMessage('tooManyItems', { count: maximum })
    : faultMessage('tooLarge', { limit: maximum });
};

const tooSmall = ({ origin, minimum }: z.core.$ZodIssueTooSmall): string => {
  if (origin !== 'string' && origin !== 'array') return faultMessage('tooSmall', { limit: minimum });
  if (Number(minimum) === 1) return faultMessage('empty');
  return faultMessage(origin === 'string' ? 'tooFewCharacters' : 'tooFewItems', { count: minimum });
};

/** The API's messages for schemas without one of their own; the validator's would name types that clients don't know. */
export const schemaFault: z.core.$ZodErrorMap = (issue) => {
  switch (issue.code) {
    case 'invalid_type':
      return mustBe(issue.input, kinds[issue.expected] ?? `a valid ${issue.expected}`);
    case 'invalid_value':
      return mustBe(issue.input, list(issue.values));
    case 'too_big':
      return tooBig(issue as z.core.$ZodIssueTooBig);
    case 'too_small':
      return tooSmall(issue as z.core.$ZodIssueTooSmall);
    case 'invalid_format':
      return faultMessage(issue.format === 'guid' ? 'notId' : 'invalid');
    default:
      return faultMessage('invalid');
  }
};
