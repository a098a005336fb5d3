import * as z from 'zod';
import { limits } from '../base/limits.ts';
import { faultMessage } from '../base/messages.ts';
import { platforms } from '../base/platform.ts';
import { webAddress } from '../destinations/web-address-schema.ts';
import { timestamp } from '../fields/time-schema.ts';
import { countryMeant, isCountry, isLanguage, languageMeant } from './registered-codes.ts';

/** Names that analytics use for clicks without a rule, and for names beyond an item's limit. */
const takenNames = ['none', 'other'];

const name = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,32}$/, faultMessage('ruleName'))
  .refine((text) => !takenNames.includes(text), faultMessage('ruleNameTaken'));

const country = z
  .string()
  .regex(/^[A-Za-z]{2}$/, faultMessage('country'))
  .transform((code) => code.toUpperCase())
  .superRefine((code, context) => {
    if (isCountry(code)) return;
    const meant = countryMeant(code);
    const message = meant ? faultMessage('notCountry', { meant }) : faultMessage('country');
    context.addIssue({ code: 'custom', message });
  });

const language = z
  .string()
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/, { error: faultMessage('languageRange'), abort: true })
  .superRefine((range, context) => {
    if (isLanguage(range)) return;
    const meant = languageMeant(range);
    const message = meant ? faultMessage('notLanguage', { meant }) : faultMessage('languageRange');
    context.addIssue({ code: 'custom', message });
  });

const hasRepeats = (values: readonly unknown[]): boolean => new Set(values).size < values.length;

/** Reports each item whose name is a repetition. */
const uniqueNames = (items: readonly { readonly name: string }[], context: z.RefinementCtx): void => {
  const known = new Set<string>();
  for (const [index, item] of items.entries()) {
    if (known.has(item.name))
      context.addIssue({ code: 'custom', path: [index, 'name'], message: faultMessage('repeatedName') });
    known.add(item.name);
  }
};

const splitEntry = z.strictObject({
  name: name,
  percent: z.int().min(1).max(100),
  link: webAddress,
});

export type SplitEntry = Readonly<z.output<typeof splitEntry>>;

const split = z
  .array(splitEntry)
  .min(1)
  .max(limits.rules.entries)
  .superRefine(uniqueNames)
  .refine(
    (entries) => entries.reduce((sum, { percent }) => sum + percent, 0) <= 100,
    faultMessage('overFull'),
  );

const conditions = {
  countries: z.array(country).min(1).max(limits.rules.countries).optional(),
  languages: z.array(language).min(1).max(limits.rules.languages).optional(),
  platforms: z
    .array(z.enum(platforms))
    .min(1)
    .max(platforms.length)
    .refine((given) => !hasRepeats(given), faultMessage('repeatedItem'))
    .optional(),
  from: timestamp.optional(),
  until: timestamp.optional(),
};

const conditionNames = Object.keys(conditions) as (keyof typeof conditions)[];

type Unchanging<Value> = Value extends readonly (infer One)[] ? readonly One[] : Value;

export type Conditions = {
  readonly [Name in keyof typeof conditions]: Unchanging<NonNullable<z.output<(typeof conditions)[Name]>>>;
};

/** A rule's conditions. All of them must match; absent ones always do. */
export type RuleConditions = { readonly [Name in keyof Conditions]?: Conditions[Name] | undefined };

/** A rule sends visitors who match its conditions to its `link` or to an entry of its `split`. It has exactly one of both. */
export interface Rule extends RuleConditions {
  readonly name: string;
  readonly link?: string | undefined;
  readonly split?: readonly SplitEntry[] | undefined;
}

const rule = z
  .strictObject({
    name,
    ...conditions,
    link: webAddress.optional(),
    split: split.optional(),
  })
  .superRefine((given, context) => {
    const refuse = (message: string, path: string[] = []) =>
      context.addIssue({ code: 'custom', path, message });
    const { from, until } = given;
    if ((given.link === undefined) === (given.split === undefined)) refuse(faultMessage('linkOrSplit'));
    else if (!given.split && conditionNames.every((one) => given[one] === undefined))
      refuse(faultMessage('noCondition', { names: conditionNames.join(', ') }));
    if (from !== undefined && until !== undefined && from >= until)
      refuse(faultMessage('fromUntil'), ['from']);
  });

/** The rules of a request. An empty list means null. */
export const requestedRules: z.ZodType<Rule[] | null> = z
  .array(rule)
  .max(limits.rules.count)
  .superRefine(uniqueNames)
  .refine(
    (rules) => Buffer.byteLength(JSON.stringify(rules)) <= limits.rules.bytes,
    faultMessage('rulesTooLarge', { bytes: limits.rules.bytes }),
  )
  // Only addresses full of quotes or backslashes grow so much in a response.
  .refine(
    (rules) => Buffer.byteLength(JSON.stringify(JSON.stringify(rules))) <= limits.rules.answerBytes,
    faultMessage('rulesTooQuoted', { bytes: limits.rules.answerBytes }),
  )
  .transform((rules) => (rules.length === 0 ? null : rules));
