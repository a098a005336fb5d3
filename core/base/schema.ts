import * as z from 'zod';
import { faultMessage } from './messages.ts';
import { isRecord } from './record.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
const controls = /[\x00-\x1f\x7f-\x9f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, but for tabs and line breaks
const controlsButBreaks = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/** Embeddings, overrides and isolates, which would show `gpj.exe` as `exe.jpg` to people who judge a report. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/;

/** Rejects lone surrogates, which JSON allows but the table can't store. */
export const wellFormed = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed(), faultMessage('notWellFormed'));

/** The characters of a pattern that is a single class. */
const classOf = ({ source }: RegExp): string => source.slice(1, -1);

/** A text in a request, without the characters of a pattern that is a single class. */
export const textWithout = (max: number, refused: RegExp, message: string) =>
  wellFormed(max)
    .refine((value) => !refused.test(value), message)
    .refine((value) => !directionMarks.test(value), faultMessage('directionMarks'))
    // Only for the API's description: as a check it would have the validator's message.
    .meta({ pattern: `^[^${classOf(refused)}${classOf(directionMarks)}]*$` });

/** A text in a request that only programs read. */
export const textWithControls = (max: number) =>
  wellFormed(max)
    .refine((value) => !controlsButBreaks.test(value), faultMessage('controls'))
    .meta({ pattern: `^[^${classOf(controlsButBreaks)}]*$` });

/** A text in a request, on one line or with line breaks. */
export const text = (max: number, { lines = false }: { readonly lines?: boolean | undefined } = {}) =>
  textWithout(max, lines ? controlsButBreaks : controls, faultMessage('controls'));

/** Condition for refinements of objects that also run if fields have faults. */
export const isObject = ({ value }: { readonly value: unknown }): boolean => isRecord(value);
