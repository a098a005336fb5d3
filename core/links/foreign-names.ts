import type { AppSectionName } from '../apps/app-fields.ts';
import { notOffered, type OtherNames, unchanging } from '../fields/other-names.ts';
import { campaignNames } from './campaign.ts';
import { ownFieldNames } from './own-fields.ts';
import type { PayloadFieldName } from './payload-fields.ts';

/*
 * Other services' names for the fields of a link, and fields in the wrong part of the body. Ignoring them would create
 * links without the code, expiry or tags that the client expects.
 */

const each = (names: readonly string[], here: string): OtherNames => names.map((name) => [name, here]);

const campaign: OtherNames = campaignNames.map((name) => [name, `payload.campaign.${name}`]);
const data = each(['customData', 'metadata', 'deeplink_data'], 'payload.data');
const absent = [
  ...each(['password', 'maxVisits', 'max_clicks', 'domain'], notOffered),
  ...each(['utm_id', 'utm_source_platform', 'utm_creative_format', 'utm_marketing_tactic'], notOffered),
];

/** Names next to `payload`. `code` is the meaning of names for the code; `payloadNames` are fields that belong inside it. */
const besidePayload =
  (code: string) =>
  (payloadNames: readonly PayloadFieldName[]): OtherNames => [
    ...each(['alias', 'slug', 'customSlug', 'shortCode', 'keyword', 'key', 'customCode', 'customUrl'], code),
    ...each(['link', 'url', 'longUrl', 'destination', 'target'], 'payload.link'),
    ...[...payloadNames.filter((name) => name !== 'link'), 'rules'].map(
      (name) => [name, `payload.${name}`] as const,
    ),
    ...each(['tag', 'tagNames', 'labels'], 'tags'),
    ...each(['geo', 'targeting'], 'payload.rules'),
    ['title', 'name'],
    ['description', 'payload.social.description'],
    ...each(['expire', 'expires', 'expiry', 'expiration', 'expirationDate'], 'expiresAt'),
    ...each(['expires_in', 'expire_in', 'validUntil', 'ttl'], 'expiresAt'),
    ...campaign,
    ...data,
    ...absent,
  ];

export const fieldAliases = {
  ofNewLink: besidePayload('code'),
  // A code can only be set at creation.
  ofLink: besidePayload(unchanging),
  ofPayload: [
    ...['code', ...ownFieldNames].map((name) => [name, `${name} beside payload`] as const),
    ...['title', 'description', 'image'].map((name) => [name, `payload.social.${name}`] as const),
    ['og', 'payload.social'],
    ['utm', 'payload.campaign'],
    ...each(['fallback', 'desktop', 'desktop_url'], 'payload.desktop_fallback'),
    ...campaign,
    ...data,
    ...absent,
  ],
} as const;

export const namesOfSections: Partial<Record<PayloadFieldName, OtherNames>> &
  Record<AppSectionName, OtherNames> = {
  social: [['imageUrl', 'image']],
  campaign: ['source', 'medium', 'term', 'content'].map((name) => [name, `utm_${name}`] as const),
  ios: [['appId', 'payload.iosAppId'], ...each(['fallback', 'store_url'], 'app_store_fallback')],
  android: [['appId', 'payload.androidAppId'], ...each(['fallback', 'store_url'], 'store_fallback')],
};
