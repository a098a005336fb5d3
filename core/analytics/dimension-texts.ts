import type { DimensionName } from './dimensions.ts';

interface DimensionTexts {
  /** Title of its list in the consoles and the commands. */
  readonly title: string;
  /** Description for readers of the API, events and the export. */
  readonly says: string;
}

/** Apart from the dimensions' rows, because the redirect loads those. */
export const dimensionTexts: Readonly<Record<DimensionName, DimensionTexts>> = {
  platforms: { title: 'Platforms', says: 'ios, android or web' },
  countries: { title: 'Countries', says: 'Two letters of ISO 3166, or other' },
  referrers: { title: 'Referrers', says: 'Host of the referring page, direct or other' },
  browsers: { title: 'Browsers', says: 'Name of the browser, in lower case' },
  os: { title: 'Systems', says: 'Name of the operating system, in lower case' },
  triggers: { title: 'By link or QR code', says: 'qr for a scanned QR code, else link' },
  rules: { title: 'By rule', says: 'RULE or RULE/ENTRY of the link that decided, or none' },
  campaigns: {
    title: 'Campaigns',
    says: 'utm_campaign of the destination with what the visit adds, none or other',
  },
  sources: {
    title: 'Sources',
    says: 'utm_source of the destination with what the visit adds, none or other',
  },
};
