import type { ClickRecord } from '../../../core/analytics/click-record.ts';
import { noValues } from '../../../core/analytics/dimensions.ts';
import { packedPosition } from '../../../core/analytics/positions.ts';
import { type Crowd, showcaseLinks } from './links.ts';

const day = 86_400;

/** Names by their shares, which add up to one. */
type Shares = Readonly<Record<string, number>>;

const audiences: Readonly<Record<Crowd['audience'], Shares>> = {
  dach: { DE: 0.58, AT: 0.14, CH: 0.12, FR: 0.04, NL: 0.04, IT: 0.03, PL: 0.03, other: 0.02 },
  world: { DE: 0.24, US: 0.18, FR: 0.12, GB: 0.1, BR: 0.09, ES: 0.08, IN: 0.08, JP: 0.06, other: 0.05 },
  us: { US: 0.55, CA: 0.12, GB: 0.11, DE: 0.08, MX: 0.05, AU: 0.05, other: 0.04 },
};

const sources: Readonly<Record<Crowd['source'], Shares>> = {
  social: {
    'instagram.com': 0.3,
    'l.facebook.com': 0.16,
    'tiktok.com': 0.16,
    't.co': 0.08,
    'youtube.com': 0.06,
    direct: 0.24,
  },
  mail: { direct: 0.72, 'mail.google.com': 0.16, 'outlook.live.com': 0.07, 'gmx.net': 0.05 },
  print: { direct: 1 },
  search: { 'google.com': 0.46, 'bing.com': 0.08, 'news.example.com': 0.12, direct: 0.34 },
};

const devices: Shares = { iphone: 0.41, android: 0.34, windows: 0.13, mac: 0.1, linux: 0.02 };

const systems: Readonly<Record<string, { platform: string; os: string; browsers: Shares }>> = {
  iphone: { platform: 'ios', os: 'ios', browsers: { safari: 0.86, chrome: 0.14 } },
  android: {
    platform: 'android',
    os: 'android',
    browsers: { chrome: 0.8, 'samsung-internet': 0.16, firefox: 0.04 },
  },
  windows: { platform: 'web', os: 'windows', browsers: { chrome: 0.6, edge: 0.31, firefox: 0.09 } },
  mac: { platform: 'web', os: 'macos', browsers: { safari: 0.55, chrome: 0.39, firefox: 0.06 } },
  linux: { platform: 'web', os: 'linux', browsers: { firefox: 0.6, chrome: 0.4 } },
};

/** Browsers inside apps, by referrer. */
const inApps: Readonly<Record<string, string>> = {
  'instagram.com': 'instagram',
  'l.facebook.com': 'facebook',
  'tiktok.com': 'tiktok',
};

/** Numbers from 0 to 1 that are the same for the same seed (mulberry32). */
const dice = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
};

const drawn = (shares: Shares, roll: () => number): string => {
  let left = roll();
  for (const [name, share] of Object.entries(shares)) {
    left -= share;
    if (left < 0) return name;
  }
  return Object.keys(shares)[0] ?? '';
};

/** A crowd's clicks on a day this many days ago; `at` is its start in epoch seconds. */
const expected = (
  { clicks, from, to = 0, peak, atLeisure, season }: Crowd,
  back: number,
  at: number,
): number => {
  if (back > from || back < to) return 0;
  const date = new Date(at * 1000);
  const isWeekend = [0, 6].includes(date.getUTCDay());
  const week = isWeekend ? (atLeisure ? 1.45 : 0.4) : atLeisure ? 0.85 : 1.2;
  const months = season === undefined ? 0 : 6 - Math.abs(((date.getUTCMonth() - season + 18) % 12) - 6);
  const year = season === undefined ? 1 + 0.3 * (1 - back / 365) : 0.25 + 1.9 * (months / 6) ** 2;
  const rush = peak ? 1 + peak.times * Math.exp(-(((back - peak.day) / 3) ** 2)) : 1;
  return clicks * week * year * rush;
};

/** Hours in which people open links, in UTC. */
const busyHours = [6, 7, 8, 10, 11, 12, 13, 15, 16, 17, 18, 18, 19, 19, 20, 20, 21];

/** Busy hours with a few clicks in every hour, so that today has clicks from its start. */
const wholeDay = [...Array(24).keys(), ...busyHours, ...busyHours, ...busyHours];

/** A number as long as a stream's sequence number. */
const sequenceNumber = (daysIn: number, place: number): string =>
  `1${String(daysIn).padStart(6, '0')}${String(place).padStart(15, '0')}`;

export const showcaseDays = 365;

/**
 * Clicks and app opens on a day of the showcase's year, as records of the table's stream, in order. `daysIn` counts
 * from 0; the last day is that of `now`, in epoch seconds, with clicks in past hours, or at midnight.
 */
export const clicksOfDay = (project: string, now: number, daysIn: number): ClickRecord[] => {
  const back = showcaseDays - 1 - daysIn;
  const today = Math.floor(now / day) * day;
  const start = today - back * day;
  const over = back === 0 ? wholeDay.filter((hour) => today + (hour + 1) * 3600 <= now) : busyHours;
  const isMidnight = over.length === 0;
  const records: ClickRecord[] = [];
  const ofDay = dice(daysIn);
  // A few hours of the day, because each is an item per link; more on the last days, which are shown by the hour.
  const hoursOfDay = back === 0 ? over : Array.from({ length: back < 3 ? 16 : 6 }, () => oneOf(over, ofDay));
  for (const [place, { code, crowd, payload, tags = [] }] of showcaseLinks.entries()) {
    const names = payload.campaign ?? {};
    const roll = dice(daysIn * 1009 + place);
    const share = back === 0 ? Math.max(0.1, over.length / wholeDay.length) : 0.8 + 0.4 * roll();
    const count = Math.floor(expected(crowd, back, start) * share + roll());
    const hours = Array.from({ length: back < 3 ? 12 : 2 }, () => oneOf(hoursOfDay, roll));
    for (let i = 0; i < count; i += 1) {
      const at = isMidnight
        ? start
        : start + (hours[i % hours.length] ?? 0) * 3600 + Math.floor(roll() * 3600);
      const number = sequenceNumber(daysIn, records.length);
      const visit = visitOf(crowd, roll);
      const isOpened = visit.platform !== 'web' && roll() < 0.3;
      records.push({
        ...{ project, code, isGrouped: false },
        ...{ sequenceNumber: number, position: packedPosition(number), created: at, at },
        ...visit,
        ...{ campaign: names.utm_campaign ?? 'none', source: names.utm_source ?? 'none' },
        ...{ own: 'g#s#', tags: [...tags] },
        ...{ clicks: 1, unique: roll() < 0.72 },
        ...{ opens: isOpened ? 1 : 0, firstOpens: isOpened && roll() < 0.2 ? 1 : 0 },
      });
    }
  }
  return records;
};

const oneOf = (hours: readonly number[], roll: () => number): number =>
  hours[Math.floor(roll() * hours.length)] ?? 0;

const visitOf = ({ audience, source, rule }: Crowd, roll: () => number) => {
  const { platform, os, browsers } = systems[drawn(devices, roll)] as (typeof systems)[string];
  const referrer = drawn(sources[source], roll);
  const inApp = platform === 'web' ? undefined : inApps[referrer];
  const decides = rule !== undefined && platform === 'web' && roll() < rule[1] * 2;
  return {
    ...noValues,
    platform,
    country: drawn(audiences[audience], roll),
    referrer,
    browser: inApp ?? drawn(browsers, roll),
    os,
    trigger: source === 'print' && roll() < 0.85 ? 'qr' : 'link',
    rule: (decides && rule[0][Math.floor(roll() * rule[0].length)]) || 'none',
  };
};
