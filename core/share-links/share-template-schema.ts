import * as z from 'zod';
import { type Fault, refuseFaults } from '../base/failure.ts';
import { fault, faultMessage } from '../base/messages.ts';
import { isRecord } from '../base/record.ts';
import { parseHttpUrl } from '../destinations/web-address.ts';
import { nearMisses } from '../fields/near-misses.ts';
import { schemaFault } from '../fields/schema-faults.ts';
import { requestedTags, templatePayload, wholeFaults } from '../links/link-schema.ts';
import type { LinkPayload } from '../links/payload-fields.ts';
import { allowances, allowedParameter } from './share-allowances.ts';
import { shareLimits } from './share-limits.ts';
import type { ShareTemplate } from './share-template.ts';

const { days, parameters, parameter, imageHosts, tags, perHour, maxLinks, bytes } = shareLimits;

const isAllowance = (field: string): boolean => {
  const name = allowedParameter(field);
  if (name === undefined) return (allowances as readonly string[]).includes(field);
  return name.length <= parameter && !/\p{Cc}/u.test(name);
};

/** A host name as addresses write it, perhaps with `*.` in front. */
const imageHost = z.string().refine((host) => {
  const name = host.replace(/^\*\./, '');
  return parseHttpUrl(`https://${name}/`)?.hostname === name && name.includes('.') && !name.endsWith('.');
}, faultMessage('imageHostName'));

const between = ({ min, max }: { readonly min: number; readonly max: number }) => z.int().min(min).max(max);

const schema = z.strictObject({
  payload: templatePayload,
  allow: z
    .array(z.string().refine(isAllowance, faultMessage('allowance', { names: allowances.join(', ') })))
    .refine(
      (fields) => new Set(fields.filter((field) => allowedParameter(field) !== undefined)).size <= parameters,
      faultMessage('tooManyParameters', { count: parameters }),
    )
    .nullish(),
  imageHosts: z.array(imageHost).max(imageHosts).nullish(),
  expiresInDays: between(days).nullish(),
  tags: requestedTags
    .refine((names) => names.length <= tags, faultMessage('tooManyItems', { count: tags }))
    .nullish(),
  perHour: between(perHour).nullish(),
  maxLinks: between(maxLinks).nullish(),
});

/**
 * Reads a template as an operator wrote it. Throws VALIDATION_ERROR with every fault, by its path: templates are
 * written by hand, so unknown names are refused.
 */
export const readShareTemplate = (given: unknown): ShareTemplate => {
  const { data, error } = schema.safeParse(given, { error: schemaFault });
  const size = Buffer.byteLength(JSON.stringify(given) ?? '');
  const payload = isRecord(given) && isRecord(given.payload) ? given.payload : {};
  refuseFaults(
    [
      ...(size > bytes ? [fault('', 'bytesAsJson', { bytes })] : []),
      ...(error?.issues ?? [])
        .filter(({ code }) => code !== 'unrecognized_keys')
        .map(({ path, message }): Fault => ({ field: path.join('.'), message })),
      ...nearMisses(schema, given),
      ...(error ? [] : wholeFaults(payload)),
    ],
    'VALIDATION_ERROR',
    'template',
  );
  if (!data) throw new Error('A template without faults was not read');
  const own = data.payload as LinkPayload;
  return {
    payload: { ...own, query: own.query ?? 'append' },
    allow: data.allow ?? [],
    imageHosts: data.imageHosts ?? [parseHttpUrl(own.link)?.hostname ?? ''],
    expiresInDays: data.expiresInDays ?? days.default,
    tags: data.tags ?? [],
    perHour: data.perHour ?? perHour.default,
    maxLinks: data.maxLinks ?? maxLinks.default,
  };
};
