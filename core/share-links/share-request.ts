import * as z from 'zod';
import { type Fault, refuseFaults } from '../base/failure.ts';
import { fault, faultMessage } from '../base/messages.ts';
import { text } from '../base/schema.ts';
import { hostnameOf, parseHttpUrl } from '../destinations/web-address.ts';
import { webAddress } from '../destinations/web-address-schema.ts';
import { requestedTexts } from '../fields/texts-schema.ts';
import { wholeFaults } from '../links/link-schema.ts';
import { type LinkPayload, payloadFields } from '../links/payload-fields.ts';
import { type AddressAllowance, addressBelow } from './share-address.ts';
import { allowedParameter } from './share-allowances.ts';
import { shareLimits } from './share-limits.ts';
import type { ShareTemplate } from './share-template.ts';
import { hasLineBreak, hasWebAddress } from './share-words.ts';

const { title, description } = shareLimits;

const words = (max: number) =>
  text(max, { lines: true })
    .refine((given) => !hasLineBreak(given), faultMessage('lineBreak'))
    .refine((given) => !hasWebAddress(given), faultMessage('addressInText'));

const campaign = Object.fromEntries(
  Object.entries(payloadFields.campaign.fields).map(([name, { max, about }]) => [
    name,
    text(max).nullish().describe(about),
  ]),
);

/** A request as parsed; null means that a field is left out. */
export interface ShareRequest {
  readonly link?: string | null | undefined;
  readonly social?: Texts | undefined;
  readonly data?: Texts | undefined;
  readonly campaign?: Texts | undefined;
}

type Texts = Readonly<Record<string, string | null | undefined>> | null;

/** A request for a share link. What it may contain follows from the key's template. */
export const shareRequest: z.ZodType<ShareRequest> = z
  .strictObject({
    link: webAddress.nullish().describe("The destination: the template's, or a URL below it."),
    social: z
      .strictObject({
        title: words(title).nullish().describe(payloadFields.social.fields.title.about),
        description: words(description).nullish().describe(payloadFields.social.fields.description.about),
        image: webAddress.nullish().describe(payloadFields.social.fields.image.about),
      })
      .nullish()
      .describe(payloadFields.social.about),
    data: requestedTexts(payloadFields.data).nullish(),
    campaign: z.strictObject(campaign).nullish().describe(payloadFields.campaign.about),
  })
  .meta({ id: 'ShareRequest' }) as z.ZodType<ShareRequest>;

/** The texts that a request sets, with their names after `start`. */
const given = (texts: Texts | undefined, start = ''): [path: string, value: string][] =>
  Object.entries(texts ?? {}).flatMap(([name, value]): [string, string][] =>
    value === null || value === undefined ? [] : [[start + name, value]],
  );

const addressAllowance = (allow: readonly string[]): AddressAllowance => ({
  path: allow.includes('link.path'),
  query: allow.includes('link.query') || allow.flatMap((field) => allowedParameter(field) ?? []),
  fragment: allow.includes('link.fragment'),
});

const imageFaults = (image: string | undefined, hosts: readonly string[]): Fault[] => {
  const url = image === undefined ? undefined : parseHttpUrl(image);
  if (!url) return [];
  const host = hostnameOf(url);
  const isAllowed = hosts.some((one) =>
    one.startsWith('*.') ? host === one.slice(2) || host.endsWith(one.slice(1)) : host === one,
  );
  if (isAllowed && url.protocol === 'https:' && url.port === '') return [];
  return [fault('social.image', 'imageHost', { hosts: hosts.join(', ') })];
};

/**
 * The payload that a template and a request make together. Throws VALIDATION_ERROR with every fault of the request.
 * A request never replaces the template's data, and its address stays below the template's.
 */
export const sharedPayload = (
  { payload, allow, imageHosts }: ShareTemplate,
  request: ShareRequest,
): LinkPayload => {
  const added = request.data ?? {};
  // By their paths; `data` is one field.
  const fields = [
    ...given({ link: request.link }),
    ...given(request.social, 'social.'),
    ...given({ data: Object.keys(added).length > 0 ? '' : null }),
    ...given(request.campaign, 'campaign.'),
  ];
  const values = new Map(fields);
  const refused = fields.filter(([path]) => path !== 'link' && !allow.includes(path));
  const below = addressBelow(payload.link, values.get('link'), addressAllowance(allow));
  const link = 'fault' in below ? payload.link : below.address;
  const section = (name: 'social' | 'campaign') => {
    const merged = { ...payload[name], ...Object.fromEntries(given(request[name])) };
    return Object.keys(merged).length > 0 ? { [name]: merged } : {};
  };
  const merged = {
    ...payload,
    link,
    ...section('social'),
    ...section('campaign'),
    ...(values.has('data') && { data: { ...added, ...payload.data } }),
  } as LinkPayload;
  const tooLong = webAddress.safeParse(link).error?.issues ?? [];
  refuseFaults([
    ...('fault' in below ? [fault('link', below.fault, { name: below.name || '""' })] : []),
    ...tooLong.map(({ message }) => ({ field: 'link', message })),
    ...refused.map(([path]) => fault(path, 'notAllowed')),
    ...imageFaults(values.get('social.image'), imageHosts),
    ...Object.keys(added)
      .filter((name) => Object.hasOwn(payload.data ?? {}, name))
      .map((name) => fault(`data.${name}`, 'fixedData')),
    ...wholeFaults(merged).map(({ field, message }) => ({ field: field.replace('payload.', ''), message })),
  ]);
  return merged;
};
