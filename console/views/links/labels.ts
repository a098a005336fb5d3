/** Names of a payload's sections. */
export const titles: Readonly<Record<string, string>> = {
  android: 'Android',
  ios: 'iPhone and iPad',
  social: 'Social card',
  campaign: 'Campaign (UTM)',
};

const labels: Readonly<Record<string, string>> = {
  interstitial: 'Interstitial page',
  query: 'Query parameters',
};

/** `store_fallback` and `storeFallback` as people write it; names that others gave stay as they are. */
export const labelOf = (name: string): string => {
  if (name.startsWith('utm_')) return name;
  const known = labels[name];
  if (known !== undefined) return known;
  const words = name.replaceAll('_', ' ').replace(/([a-z])([A-Z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`);
  return (words.charAt(0).toUpperCase() + words.slice(1))
    .replace(/\bid\b/, 'id')
    .replace('App store', 'App Store')
    .replace(/^Ios\b/, 'iOS');
};
