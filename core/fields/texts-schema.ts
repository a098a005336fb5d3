import * as z from 'zod';
import type { Fault } from '../base/failure.ts';
import { limits } from '../base/limits.ts';
import { fault, faultMessage } from '../base/messages.ts';
import { isRecord } from '../base/record.ts';
import { textWithControls } from '../base/schema.ts';
import type { Texts } from './field.ts';
import { shownName } from './near-misses.ts';
import { schemaFault } from './schema-faults.ts';

const { names, name: longest, value: longestValue, bytes } = limits.texts;
const namePattern = new RegExp(`^(?!__proto__$)[A-Za-z0-9_.-]{1,${longest}}$`);
const value = textWithControls(longestValue).nullable();

export const textsFaults = (field: string, texts: object): Fault[] => [
  ...(Object.keys(texts).length > names ? [fault(field, 'tooManyNames', { count: names })] : []),
  ...(Buffer.byteLength(JSON.stringify(texts)) > bytes ? [fault(field, 'bytesAsJson', { bytes })] : []),
];

const given = (texts: object): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== null));

/** Texts in a patch, in any number; null removes one. The validator's own records would skip `__proto__`. */
export const patchedTexts = ({ about }: Texts): z.ZodType =>
  z
    .unknown()
    .superRefine((texts, context) => {
      if (!isRecord(texts))
        return context.addIssue({ code: 'invalid_type', expected: 'record', input: texts });
      for (const [name, text] of Object.entries(texts)) {
        const path = [shownName(name)];
        if (!namePattern.test(name))
          context.addIssue({ code: 'custom', path, message: faultMessage('textName') });
        for (const issue of value.safeParse(text, { error: schemaFault }).error?.issues ?? [])
          context.addIssue({ ...issue, path });
      }
    })
    .meta({
      ...{ description: about, type: 'object', maxProperties: names },
      propertyNames: { pattern: namePattern.source },
      additionalProperties: { ...z.toJSONSchema(value), $schema: undefined },
    });

/** Texts in a request, without null values; null if none is left. */
export const requestedTexts = (field: Texts): z.ZodType =>
  patchedTexts(field)
    .superRefine((texts, context) => {
      for (const { message } of isRecord(texts) ? textsFaults('', given(texts)) : [])
        context.addIssue({ code: 'custom', message });
    })
    .transform((texts) => (Object.keys(given(texts as object)).length > 0 ? given(texts as object) : null));
