import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { ClickRecord } from '../../core/analytics/click-record.ts';
import { noValues } from '../../core/analytics/dimensions.ts';
import { packedPosition } from '../../core/analytics/positions.ts';

type Showcase = typeof import('./showcase.json');

/** How a link's clicks come over the year, by days before today. */
interface Crowd {
  /** Clicks of an ordinary day. */
  readonly clicks: number;
  readonly from: number;
  readonly to?: number;
  readonly peak?: { readonly day: number; readonly times: number };
  /** Whether people come mostly at weekends. */
  readonly atLeisure?: boolean;
  readonly audience: keyof Showcase['audiences'];
  readonly source: keyof Showcase['sources'];
  /** Rules that decide on the web, and their share of visits there. */
  readonly rules?: readonly string[];
  readonly ruleShare?: number;
}

interface ShowcaseLink {
  readonly code: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly tags?: readonly string[];
  /** Days before today. */
  readonly expired?: number;
  readonly crowd: Crowd;
}

const file = path.join(import.meta.dirname, 'showcase.json');
export const showcase: Omit<Showcase, 'links'> & { readonly links: readonly ShowcaseLink[] } = JSON.parse(
  readFileSync(file, 'utf8'),
);

export const showcaseDays = 365;
const day = 86_400;

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

/** One of the names, by their shares, which add up to one. */
const drawn = (shares: object, roll: () => number): string => {
  let left = roll();
  for (const [name, share] of Object.entries(shares)) {
    left -= share;
    if (left < 0) return name;
  }
  return '';
};

/** The number of clicks on a day this many days ago, of which a share is over. */
const countOf = ({ clicks, from, to = 0, peak, atLeisure }: Crowd, back: number, start: number): number => {
  if (back > from || back < to) return 0;
  const isWeekend = [0, 6].includes(new Date(start * 1000).getUTCDay());
  const rush = peak ? 1 + peak.times * Math.exp(-(((back - peak.day) / 3) ** 2)) : 1;
  return (
    clicks * (atLeisure ? 0.9 : 1.2) * (isWeekend ? (atLeisure ? 1.6 : 0.35) : 1) * (1.3 - back / 900) * rush
  );
};

/**
 * Clicks and app opens on a day of the showcase's year, as records of the table's stream, in order. `daysIn` counts
 * from 0; the last day is that of `now`, in epoch seconds, with clicks in each of the past hours, or at midnight.
 */
export const clicksOfDay = (project: string, now: number, daysIn: number): ClickRecord[] => {
  const back = showcaseDays - 1 - daysIn;
  const start = Math.floor(now / day) * day - back * day;
  const hours = back > 0 ? 24 : Math.floor((now - start) / 3600);
  // A few hours of the day, because each is an item per link; all of the last days, which are shown by the hour.
  const perLink = back < 3 ? 12 : 1;
  const records: ClickRecord[] = [];
  for (const [place, { code, crowd, payload, tags = [] }] of showcase.links.entries()) {
    const roll = dice(daysIn * 1009 + place);
    const { utm_campaign = 'none', utm_source = 'none' } = (payload.campaign ?? {}) as Record<string, string>;
    const count = Math.floor(countOf(crowd, back, start) * Math.max(0.1, hours / 24) + roll());
    for (let i = 0; i < count; i += 1) {
      const hour =
        back > 0 ? 6 + ((daysIn + place + (i % perLink) * 7) % 16) : (place + i * 7) % Math.max(1, hours);
      const at = hours === 0 ? start : start + hour * 3600 + Math.floor(roll() * 3600);
      const number = `1${String(daysIn).padStart(6, '0')}${String(records.length).padStart(15, '0')}`;
      const visit = visitOf(crowd, roll);
      const isOpened = visit.platform !== 'web' && roll() < 0.3;
      records.push({
        ...{ project, code, isGrouped: false },
        ...{ sequenceNumber: number, position: packedPosition(number), created: at, at },
        ...visit,
        ...{ campaign: utm_campaign, source: utm_source, own: 'g#s#', tags: [...tags] },
        ...{ clicks: 1, unique: roll() < 0.72 },
        ...{ opens: isOpened ? 1 : 0, firstOpens: isOpened && roll() < 0.2 ? 1 : 0 },
      });
    }
  }
  return records;
};

const visitOf = ({ audience, source, rules = [], ruleShare = 0 }: Crowd, roll: () => number) => {
  const [platform = '', os = ''] = drawn(showcase.devices, roll).split(' ');
  const referrer = drawn(showcase.sources[source], roll);
  const browser = drawn(showcase.browsers[os as 'ios'], roll);
  const decides = platform === 'web' && roll() < ruleShare;
  return {
    ...noValues,
    ...{ platform, os, referrer, country: drawn(showcase.audiences[audience], roll) },
    browser: (platform !== 'web' && showcase.inApps[referrer as keyof Showcase['inApps']]) || browser,
    trigger: source === 'print' && roll() < 0.85 ? 'qr' : 'link',
    rule: (decides && rules[Math.floor(roll() * rules.length)]) || 'none',
  };
};
