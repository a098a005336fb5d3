/** Longer names become `other`. */
const longest = 100;

/**
 * A visitor's origin by the `Referer` header: a host, an app's package, `direct` or `other`. Pages of the same host,
 * such as the busy page, count as `direct`.
 */
export const referrerOf = (referer = '', asked = ''): string => {
  const text = referer.trim();
  if (text === '') return 'direct';
  const url = URL.parse(text);
  if (url && asked && [url.host, url.hostname].includes(asked.toLowerCase())) return 'direct';
  const name = url ? nameOf(url) : '';
  return name === '' || name.length > longest ? 'other' : name;
};

const nameOf = ({ protocol, hostname }: URL): string => {
  if (protocol === 'http:' || protocol === 'https:')
    return hostname.replace(/^www\.(?=.)/, '').replace(/\.$/, '');
  if (protocol !== 'android-app:') return '';
  return /^[A-Za-z]\w*(\.\w+)*$/.test(hostname) ? hostname : '';
};
