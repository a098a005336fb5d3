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

/** A label for `store_fallback` or `storeFallback`; other names stay as they are. */
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

/** A label for `payload.rules.0.split.1.name`: Rule 1 › Split 2 › Name. */
export const fieldName = (path: string): string => {
  const names: string[] = [];
  for (const part of path.split('.').filter((one, at) => one !== 'payload' || at > 0)) {
    const before = names.at(-1);
    if (/^\d+$/.test(part) && before !== undefined)
      names[names.length - 1] = `${before.replace(/s$/, '')} ${Number(part) + 1}`;
    else if (part === 'link') names.push(names.length === 0 ? 'Destination' : 'Address');
    else names.push(titles[part] ?? labelOf(part));
  }
  return names.join(' › ');
};
