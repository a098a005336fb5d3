/** Where a visitor came from: a host, an app's package, `direct` or `other`. */
export type Referrer = string;

/** Longer names don't help anybody to distinguish them. */
const longest = 100;

/** Reads the `Referer` header of a visit. */
export const referrerOf = (referer = ''): Referrer => {
  const text = referer.trim();
  if (text === '') return 'direct';
  const url = URL.parse(text);
  const name = url ? nameOf(url) : '';
  return name === '' || name.length > longest ? 'other' : name;
};

const nameOf = ({ protocol, hostname }: URL): string => {
  if (protocol === 'http:' || protocol === 'https:')
    return hostname.replace(/^www\.(?=.)/, '').replace(/\.$/, '');
  if (protocol !== 'android-app:') return '';
  return /^[A-Za-z]\w*(\.\w+)*$/.test(hostname) ? hostname : '';
};
