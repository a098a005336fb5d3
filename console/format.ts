const numbers = new Intl.NumberFormat('en');
const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const moments = new Intl.DateTimeFormat('en', {
  dateStyle: 'medium',
  timeStyle: 'short',
  hourCycle: 'h23',
  timeZone: 'UTC',
});
const compacts = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const number = (value: number): string => numbers.format(value);
export const compact = (value: number): string => compacts.format(value);
export const day = (iso: string): string => days.format(new Date(iso));
/** With its zone: figures and expiries are kept in UTC. */
export const moment = (iso: string): string => `${moments.format(new Date(iso))} UTC`;

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;

export const country = (code: string): string => {
  if (!/^[A-Z]{2}$/.test(code)) return code === 'other' ? 'Unknown' : code;
  try {
    return regions.of(code) ?? code;
  } catch {
    return code;
  }
};

/** Without what every address begins with. */
export const address = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/$/, '');

export const share = (part: number, whole: number): string =>
  whole === 0 ? '' : `${Math.round((part / whole) * 100)} %`;
