import { dayMs } from '../../../core/base/durations.ts';
import type { Campaign } from '../../../core/links/campaign.ts';

/** How a link's clicks come over the year. */
export interface Crowd {
  /** Clicks of an ordinary day. */
  readonly clicks: number;
  /** Days before today, from its creation to its last click. */
  readonly from: number;
  readonly to?: number;
  /** A campaign's day, in days before today, and its factor of clicks. */
  readonly peak?: { readonly day: number; readonly times: number };
  /** Whether people come mostly at weekends. */
  readonly atLeisure?: boolean;
  /** The month of the year with the most clicks, from 0. */
  readonly season?: number;
  readonly audience: 'dach' | 'world' | 'us';
  readonly source: 'social' | 'mail' | 'print' | 'search';
  /** A rule or the entries of its split, on the web, and the share of all visitors for which it decides. */
  readonly rule?: readonly [names: readonly string[], share: number];
}

const shop = 'https://shop.example.com';
const iosApp = '5e0ca5e0-0000-4000-8000-000000000001';
const androidApp = '5e0ca5e0-0000-4000-8000-000000000002';
const inApp = { iosAppId: iosApp, androidAppId: androidApp };

export const showcaseApps = [
  {
    id: iosApp,
    name: 'Shop for iOS',
    platform: 'IOS',
    bundleId: 'com.example.shop',
    appStoreId: '123456789',
    iosMinVersion: '16.0',
  },
  {
    id: androidApp,
    name: 'Shop for Android',
    platform: 'ANDROID',
    packageName: 'com.example.shop',
    androidMinVersion: '28',
  },
] as const;

interface ShowcaseLink {
  readonly code: string;
  readonly name: string;
  readonly payload: { readonly campaign?: Campaign; readonly [setting: string]: unknown };
  readonly status?: 'PAUSED';
  /** Days before today. */
  readonly expired?: number;
  readonly tags?: readonly string[];
  readonly crowd: Crowd;
}

const campaign = (utm_source: string, utm_medium: string, utm_campaign: string) => ({
  campaign: { utm_source, utm_medium, utm_campaign },
});
const preview = (title: string) => ({
  social: { title, description: 'From the shop of the showcase', image: `${shop}/preview.png` },
});

const print = { audience: 'dach', source: 'print' } as const;
const social = { audience: 'world', source: 'social', atLeisure: true } as const;
const mail = { audience: 'dach', source: 'mail' } as const;
const search = { audience: 'us', source: 'search' } as const;

export const showcaseLinks: readonly ShowcaseLink[] = [
  {
    code: 'launch-week',
    name: 'Launch week',
    payload: { link: `${shop}/launch`, ...inApp, ...campaign('ads', 'social', 'launch-week') },
    tags: ['campaign', 'sale'],
    crowd: { ...social, clicks: 4, from: 150, to: 60, peak: { day: 100, times: 60 } },
  },
  {
    code: 'summer',
    name: 'Summer sale',
    payload: {
      link: `${shop}/summer`,
      ...inApp,
      ...preview('Summer sale'),
      ...campaign('app', 'banner', 'summer'),
    },
    tags: ['sale'],
    crowd: { ...social, clicks: 9, from: 364, season: 6 },
  },
  {
    code: 'winter',
    name: 'Winter collection',
    payload: {
      link: `${shop}/winter`,
      ...inApp,
      rules: [
        { name: 'dach', countries: ['DE', 'AT', 'CH'], platforms: ['web'], link: `${shop}/de/winter` },
        { name: 'teaser', until: '2026-01-01T00:00:00Z', link: `${shop}/soon` },
      ],
    },
    tags: ['sale'],
    crowd: { ...mail, clicks: 8, from: 364, season: 0, rule: [['dach'], 0.35] },
  },
  {
    code: 'newsletter',
    name: 'Newsletter, button',
    payload: { link: `${shop}/news`, ...campaign('newsletter', 'email', 'weekly') },
    crowd: { ...mail, clicks: 10, from: 364 },
  },
  {
    code: 'poster',
    name: 'Poster at the station',
    payload: { link: `${shop}/city`, ...inApp, ...campaign('poster', 'print', 'city') },
    tags: ['print'],
    crowd: { ...print, clicks: 6, from: 300 },
  },
  {
    code: 'get-the-app',
    name: 'Get the app',
    payload: { link: `${shop}/app`, ...inApp, interstitial: 'auto', ...preview('The app') },
    crowd: { ...search, clicks: 9, from: 364 },
  },
  {
    code: 'invite',
    name: 'Invite a friend',
    payload: { link: `${shop}/invite`, ...inApp, ...preview('You are invited') },
    crowd: { ...social, clicks: 5, from: 340 },
  },
  {
    code: 'instagram',
    name: 'Profile on Instagram',
    payload: {
      link: shop,
      ...inApp,
      ...campaign('instagram', 'social', 'profile'),
      rules: [
        {
          name: 'landing',
          platforms: ['web'],
          split: [
            { name: 'new', percent: 50, link: `${shop}/new` },
            { name: 'best', percent: 50, link: `${shop}/bestsellers` },
          ],
        },
      ],
    },
    tags: ['profile'],
    crowd: { ...social, clicks: 7, from: 364, rule: [['landing/new', 'landing/best'], 0.5] },
  },
  {
    code: 'tiktok',
    name: 'Profile on TikTok',
    payload: { link: shop, ...inApp, ...campaign('tiktok', 'social', 'profile') },
    tags: ['profile'],
    crowd: { ...social, clicks: 4, from: 210 },
  },
  {
    code: 'packaging',
    name: 'QR code on the box',
    payload: { link: `${shop}/start`, ...inApp, ...campaign('box', 'print', 'packaging') },
    tags: ['print'],
    crowd: { ...print, clicks: 5, from: 364, atLeisure: true },
  },
  {
    code: 'menu',
    name: 'Menu of the café',
    payload: { link: 'https://cafe.example.com/menu', query: 'ignore' },
    tags: ['print'],
    crowd: { ...print, clicks: 4, from: 330, atLeisure: true },
  },
  {
    code: 'careers',
    name: 'Jobs',
    payload: { link: 'https://jobs.example.com/', ...preview('Work with us') },
    crowd: { ...search, clicks: 2, from: 320 },
  },
  {
    code: 'support',
    name: 'Help pages',
    payload: { link: 'https://help.example.com/', desktop_fallback: 'https://help.example.com/contact' },
    crowd: { ...mail, clicks: 3, from: 364 },
  },
  {
    code: 'podcast',
    name: 'Shown in the podcast',
    payload: { link: `${shop}/podcast`, ...campaign('podcast', 'audio', 'host-read') },
    crowd: { ...search, clicks: 2, from: 180, peak: { day: 150, times: 6 } },
  },
  {
    code: 'press',
    name: 'Press kit',
    payload: { link: 'https://press.example.com/' },
    crowd: { ...search, clicks: 1, from: 364 },
  },
  {
    code: 'webinar',
    name: 'Webinar',
    payload: { link: 'https://events.example.com/webinar', ...campaign('mail', 'email', 'webinar') },
    expired: 39,
    crowd: { ...mail, clicks: 3, from: 120, to: 40, peak: { day: 45, times: 5 } },
  },
  {
    code: 'partner',
    name: 'Partner, contract ended',
    payload: { link: 'https://partner.example.com/' },
    status: 'PAUSED',
    crowd: { ...search, clicks: 2, from: 364, to: 30 },
  },
  {
    // Has no preview image, which the debug page warns of.
    code: 'lottery',
    name: 'Prize draw',
    payload: { link: `${shop}/lottery`, social: { title: 'Win a prize' } },
    crowd: { ...social, clicks: 3, from: 90, peak: { day: 70, times: 4 } },
  },
  {
    code: 'tv-spot',
    name: 'TV spot',
    payload: { link: `${shop}/tv`, ...inApp },
    tags: ['campaign'],
    crowd: { ...print, clicks: 1, from: 75, peak: { day: 55, times: 12 }, atLeisure: true },
  },
  {
    code: 'new-store',
    name: 'New store',
    payload: { link: `${shop}/stores/new`, ...campaign('flyer', 'print', 'opening') },
    tags: ['print'],
    crowd: { ...print, clicks: 3, from: 21 },
  },
];

/** The links as rows of an import. `today` is the start of the day of their creation. */
export const showcaseRows = (today: number): object[] =>
  showcaseLinks.map(({ crowd, expired, ...link }) => ({
    ...link,
    apps: showcaseApps,
    createdAt: new Date(today - crowd.from * dayMs).toISOString(),
    ...(expired !== undefined && { expiresAt: new Date(today - expired * dayMs).toISOString() }),
  }));
