import * as z from 'zod';
import { faultMessage, type faultMessages } from './messages.ts';
import { isRecord } from './record.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
const controls = /[\x00-\x1f\x7f-\x9f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, but for tabs and line breaks
const controlsButBreaks = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/** Embeddings, overrides and isolates: they show `exe.jpg` for what is `gpj.exe` to everybody who judges a report. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/;

/**
 * A check that JSON Schema has no words for, as the description states it for programs that judge a link before they send
 * it: the name of what is said, and when. A schema names its checks in `x-checks`. They are for values whose parts have
 * their types, unless `if` says otherwise.
 */
export type Check =
  | { readonly says: keyof typeof faultMessages; readonly [rule: string]: unknown }
  /** Of these the first that fails is told; one that `ends` leaves what it is part of unjudged. */
  | { readonly first: readonly Check[]; readonly ends?: true };

/** Half a character pair, which JSON can carry, is refused: the table can't store it. */
export const wellFormed = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed(), faultMessage('notWellFormed'));

/** The characters of a pattern that is one class. */
const classOf = ({ source }: RegExp): string => source.slice(1, -1);

export const withoutChecks = (says: keyof typeof faultMessages, refused: RegExp): Check[] => [
  { says, not: refused.source },
  { says: 'directionMarks', not: directionMarks.source },
];

/** What the description says of texts, by the names in their schemas. */
export const textChecks = {
  line: withoutChecks('controls', controls),
  lines: withoutChecks('controls', controlsButBreaks),
} as const;

/** Text of a request without the characters of a pattern that is one class. */
export const textWithout = (max: number, refused: RegExp, message: string) =>
  wellFormed(max)
    .refine((value) => !refused.test(value), message)
    .refine((value) => !directionMarks.test(value), faultMessage('directionMarks'))
    // For the description alone: as a check it would speak in its own words.
    .meta({ pattern: `^[^${classOf(refused)}${classOf(directionMarks)}]*$` });

/** Text of a request, in one line or with line breaks. */
export const text = (max: number, { lines = false }: { readonly lines?: boolean | undefined } = {}) =>
  textWithout(max, lines ? controlsButBreaks : controls, faultMessage('controls')).meta({
    'x-checks': lines ? 'lines' : 'line',
  });

/** For refinements of objects that run although other fields have faults. */
export const isObject = ({ value }: { readonly value: unknown }): boolean => isRecord(value);
