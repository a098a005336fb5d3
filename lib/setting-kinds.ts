import * as z from 'zod';
import { ConfigError } from './config-error.ts';
import { logoUrl } from './console-bundle.ts';

/** A setting's checked value; the kind's description completes the message. Throws ConfigError. */
export const checked = <Kind extends z.ZodType>(key: string, kind: Kind, given: unknown): z.output<Kind> => {
  const { success, data } = kind.safeParse(given);
  if (success) return data;
  throw new ConfigError(`${key} must be ${kind.description}, not '${given}'`);
};

/** A value or its text, checked by a pattern of the text. */
const written = (pattern: RegExp) => z.preprocess(String, z.string().regex(pattern));
const digits = written(/^\d+$/).transform(Number);

const truth = (yes: string, no: string) =>
  z
    .union([z.boolean(), z.stringbool({ truthy: [yes], falsy: [no], case: 'sensitive' })])
    .describe(`${yes} or ${no}`);

export const onOrOff = truth('on', 'off');
export const trueOrFalse = truth('true', 'false');

export const oneOf = <const Value extends string>(...values: readonly Value[]) =>
  z.enum(values).describe(values.join(' or '));

export const integerFrom = (min: number, max: number) =>
  digits.pipe(z.number().min(min).max(max)).describe(`a whole number from ${min} to ${max}`);

export const oneOfNumbers = <const Value extends number>(...numbers: readonly Value[]) =>
  digits.pipe(z.literal(numbers)).describe(`one of ${numbers.join(', ')}`);

/** An amount of US dollars with up to two decimals. */
export const dollars = written(/^\d{1,9}(\.\d{1,2})?$/)
  .transform(Number)
  .pipe(z.number().positive())
  .describe('an amount of US dollars above 0, such as 50');

export const matching = (pattern: RegExp, must: string) => z.string().regex(pattern).describe(must);

/** A list, as an array or as text separated by commas. */
export const commaList = (kind: z.ZodType<string>, must: string) =>
  z
    .preprocess(
      (given) =>
        Array.isArray(given)
          ? given
          : String(given)
              .trim()
              .split(/\s*,\s*/),
      z.array(kind).readonly(),
    )
    .describe(must);

/** Two whole numbers, from the groups of a pattern, with their minimums. */
const pair = (pattern: RegExp, first: number, second: number) =>
  z.preprocess(
    (given) => pattern.exec(String(given))?.slice(1).map(Number),
    z.tuple([z.int().min(first), z.int().min(second)]),
  );

export const pairFrom = (first: number, second: number) =>
  pair(/^(\d+), ?(\d+)$/, first, second).describe(`two whole numbers from ${first},${second} on`);

const units = z.int().min(1).max(9_999_999);

/** The table's capacity: on demand, or provisioned reads and writes a second. */
export const capacity = z
  .union([
    z.literal('on-demand'),
    z.object({ reads: units, writes: units }),
    pair(/^provisioned:(\d{1,7}), ?(\d{1,7})$/, 1, 1).transform(([reads, writes]) => ({ reads, writes })),
  ])
  .describe('on-demand, or provisioned: with reads and writes a second, such as provisioned:500,1500');

export type Provisioned = Exclude<z.output<typeof capacity>, string>;

/** Whether a contact is an https or mailto address without quotes, brackets and the like. */
const isContact = (given: string): boolean =>
  !/["'<>\\^`{|}]/.test(given) &&
  (given.startsWith('mailto:')
    ? /^mailto:[^@?]+@[^@?]+\.[^@?]+(\?.*)?$/.test(given)
    : URL.canParse(given) && new URL(given).hostname.includes('.'));

/** A contact: a web page or a mail address. */
export const contact = z
  .string()
  // The edge function contains it, and CloudFront limits a function's size.
  .max(500)
  .regex(/^(https:\/\/|mailto:)\S+$/)
  .refine(isContact)
  .describe('an https or mailto address of at most 500 characters, such as mailto:abuse@example.com');

/** Microsoft's tenants that are open to everybody; the last is the id of `consumers`. */
const ofMany = /^\/+(common|organizations|consumers|9188040d-6c67-4c5b-b112-36a304b66dad)(\/|$)/i;

/** Whether an address can be one organisation's OpenID Connect issuer. Shared ones don't prove who owns an e-mail address. */
const isIssuer = (given: string): boolean => {
  const url = URL.parse(given);
  if (!url || url.search || url.hash || url.username || url.password) return false;
  const isLoopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback)) return false;
  const isMicrosoft = /(^|\.)(microsoftonline\.(com|us)|windows\.net)$/.test(url.hostname);
  return !(isMicrosoft && ofMany.test(url.pathname));
};

export const issuer = z
  .string()
  .refine(isIssuer)
  .describe(
    "an https address of one organisation's issuer, without query, such as https://accounts.google.com",
  );

export const logo = z
  .string()
  .refine((file) => logoUrl(file) !== undefined)
  .describe('a PNG, SVG or JPEG file of at most 20 KB');
