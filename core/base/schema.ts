import * as z from 'zod';
import { faultMessage } from './messages.ts';
import { isRecord } from './record.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for them
const controls = /[\x00-\x1f\x7f-\x9f]/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, but for tabs and line breaks
const controlsButBreaks = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/;

/** Embeddings, overrides and isolates: they show `exe.jpg` for what is `gpj.exe` to everybody who judges a report. */
const directionMarks = /[\u202a-\u202e\u2066-\u2069]/;

/** Half a character pair, which JSON can carry, is refused: the table can't store it. */
export const wellFormed = (max: number) =>
  z
    .string()
    .max(max)
    .refine((value) => value.isWellFormed(), faultMessage('notWellFormed'));

/** The characters of a pattern that is one class. */
const classOf = ({ source }: RegExp): string => source.slice(1, -1);

/** Text of a request without the characters of a pattern that is one class. */
export const textWithout = (max: number, refused: RegExp, message: string) =>
  wellFormed(max)
    .refine((value) => !refused.test(value), message)
    .refine((value) => !directionMarks.test(value), faultMessage('directionMarks'))
    // For the description alone: as a check it would speak in its own words.
    .meta({ pattern: `^[^${classOf(refused)}${classOf(directionMarks)}]*$` });

/** Text of a request that nobody but a program reads. */
export const textWithControls = (max: number) =>
  wellFormed(max)
    .refine((value) => !controlsButBreaks.test(value), faultMessage('controls'))
    .meta({ pattern: `^[^${classOf(controlsButBreaks)}]*$` });

/** Text of a request, in one line or with line breaks. */
export const text = (max: number, { lines = false }: { readonly lines?: boolean | undefined } = {}) =>
  textWithout(max, lines ? controlsButBreaks : controls, faultMessage('controls'));

/** For refinements of objects that run although other fields have faults. */
export const isObject = ({ value }: { readonly value: unknown }): boolean => isRecord(value);
