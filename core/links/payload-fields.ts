import { appSettings } from '../apps/app-fields.ts';
import { limits } from '../base/limits.ts';
import type { Field, Texts, ValueOf } from '../fields/field.ts';
import type { Rule } from '../rules/rule.ts';

interface Section {
  readonly about: string;
  readonly fields: Readonly<Record<string, Field>>;
}

const campaignValue = (about: string, example: string) =>
  ({ kind: 'text', max: limits.campaignValue, about, example }) as const;

/**
 * Every field of a link's payload. Schemas of requests and stored links, checks of hosts, columns and examples follow
 * from it.
 */
export const payloadFields = {
  link: {
    kind: 'address',
    about: 'Destination URL: absolute, http or https, on a public host.',
    example: 'https://shop.example.com/summer',
  },
  iosAppId: {
    kind: 'text',
    max: limits.identifier,
    about: "Id of a saved iOS app of the project. The app's settings replace those in `ios`.",
    example: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff',
  },
  androidAppId: {
    kind: 'text',
    max: limits.identifier,
    about: "Id of a saved Android app of the project. The app's settings replace those in `android`.",
    example: '1c6f5d0e-53ae-4d0b-9b0a-7e2f8f6f8a11',
  },
  ...appSettings,
  social: {
    about: 'Preview in social networks.',
    fields: {
      title: { kind: 'text', max: limits.socialTitle, about: 'Preview title.', example: 'Summer sale' },
      description: {
        kind: 'text',
        max: limits.socialDescription,
        lines: true,
        about: 'Preview description.',
        example: 'Everything must go',
      },
      image: { kind: 'address', about: 'Preview image URL.', example: 'https://shop.example.com/s.png' },
    },
  },
  campaign: {
    about: 'Campaign parameters, added to the destination and the desktop fallback.',
    fields: {
      utm_source: campaignValue('Where the visitors come from.', 'newsletter'),
      utm_medium: campaignValue('Marketing medium.', 'email'),
      utm_campaign: campaignValue('Name of the campaign.', 'summer'),
      utm_term: campaignValue('Search term.', 'sandals'),
      utm_content: campaignValue('Distinguishes links of one campaign.', 'button'),
    },
  },
  desktop_fallback: {
    kind: 'address',
    about: 'Where desktop browsers go instead of the destination.',
    example: 'https://shop.example.com/desktop',
  },
  interstitial: {
    kind: 'choice',
    values: ['never', 'auto', 'always'],
    about:
      'Whether people get an interstitial page instead of the redirect: `never` (default), `auto` (only where redirects are known to fail: in browsers inside apps, and on iPads that claim to be Macs) or `always`.',
    example: 'auto',
  },
  query: {
    kind: 'choice',
    values: ['merge', 'append', 'ignore'],
    about:
      "What happens to query parameters of the short URL at the destination and the desktop fallback: `merge` (default; they override the link's and the campaign's), `append` (only names that aren't there yet) or `ignore`.",
    example: 'append',
  },
  data: {
    kind: 'texts',
    about: `Data for the app, which appears in no URL: at most ${limits.texts.names} texts, and ${limits.texts.bytes} bytes as JSON. Apps get it in \`link.json\`.`,
    example: { coupon: 'SUMMER20', screen: 'offers' },
  },
} as const satisfies Readonly<Record<string, Field | Texts | Section>>;

type Table = typeof payloadFields;
export type PayloadFieldName = keyof Table;
type SectionOf<Entry> = Entry extends { readonly fields: infer Fields }
  ? { [Name in keyof Fields]?: ValueOf<Fields[Name]> | undefined }
  : ValueOf<Entry>;

/** A link's payload as stored and shown. */
export type LinkPayload = { link: string } & {
  [Name in Exclude<PayloadFieldName, 'link'>]?: SectionOf<Table[Name]> | undefined;
} & {
  /** Rules, evaluated in order before all other fields; absent if empty. */
  rules?: readonly Rule[] | undefined;
};

/** The table's entries with their names, in order. */
export const namedPayloadFields = Object.entries(payloadFields) as readonly (readonly [
  PayloadFieldName,
  Field | Texts | Section,
])[];
