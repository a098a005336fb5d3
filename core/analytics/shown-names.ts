import { type DimensionName, dimensions, isIncluded } from './dimensions.ts';

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });

const country = (code: string): string => {
  if (!/^[A-Z]{2}$/.test(code)) return code === 'other' ? 'Unknown' : code;
  try {
    return regions.of(code) ?? code;
  } catch {
    return code;
  }
};

/** A name of analytics in words, as consoles and commands show it. */
export const shownName = (group: DimensionName | 'tags' | 'links', name: string): string => {
  if (group === 'tags' || group === 'links') return name;
  if (group === 'countries') return country(name);
  if (dimensions[group].storesAll) return names.get(name) ?? name;
  // Names that users chose aren't translated.
  if (!isIncluded(dimensions[group], name)) return `No ${dimensions[group].field}`;
  return name === 'other' ? 'Other' : name;
};

/** Why visits don't count, in words. */
export const excludedName = (name: string): string => names.get(name) ?? name;

// A map, because visitors choose names of referrers: `constructor` is one, too.
const names: ReadonlyMap<string, string> = new Map([
  ['ios', 'iOS'],
  ['android', 'Android'],
  ['web', 'Web'],
  ['other', 'Other'],
  ['direct', 'Direct or unknown'],
  ['link', 'Link'],
  ['qr', 'QR code'],
  ['windows', 'Windows'],
  ['macos', 'macOS'],
  ['linux', 'Linux'],
  ['chromeos', 'ChromeOS'],
  ['chrome', 'Chrome'],
  ['safari', 'Safari'],
  ['firefox', 'Firefox'],
  ['edge', 'Edge'],
  ['samsung-internet', 'Samsung Internet'],
  ['instagram', 'Instagram'],
  ['facebook', 'Facebook'],
  ['tiktok', 'TikTok'],
  ['debug', 'Views of the debug page'],
  ['head', 'HEAD requests'],
  ['prefetch', 'Browser prefetches'],
  ['social-crawler', 'Crawlers of social networks'],
  ['bot', 'Bots and scripts'],
]);
