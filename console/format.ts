import { shownAddress } from '../core/base/shown-text.ts';

const numbers = new Intl.NumberFormat('en');
const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' });
/** Undefined is the viewer's own. */
type Zone = string | undefined;
const daysIn = (timeZone: Zone) => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone });
const hoursIn = (timeZone: Zone) =>
  new Intl.DateTimeFormat('en', { timeStyle: 'short', hourCycle: 'h23', timeZone });
const compacts = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const number = (value: number): string => numbers.format(value);
export const compact = (value: number): string => compacts.format(value);
/** Days of viewers in a zone; days without a time are UTC's, as figures are. */
export const dayIn = (zone: Zone) => {
  const [own, utc] = [daysIn(zone), daysIn('UTC')];
  return (iso: string): string => (iso.length === 10 ? utc : own).format(new Date(iso));
};

/** Times of viewers in a zone, with UTC beside, which the API takes and figures are kept in. */
export const momentIn = (zone: Zone) => {
  const [ownDays, ownHours, utcDays, utcHours] = [daysIn(zone), hoursIn(zone), daysIn('UTC'), hoursIn('UTC')];
  return (iso: string): string => {
    const time = new Date(iso);
    const [day, utcDay] = [ownDays.format(time), utcDays.format(time)];
    const [hour, utcHour] = [ownHours.format(time), utcHours.format(time)];
    if (day !== utcDay) return `${day}, ${hour} (${utcDay}, ${utcHour} UTC)`;
    return hour === utcHour ? `${day}, ${hour} UTC` : `${day}, ${hour} (${utcHour} UTC)`;
  };
};

/** Texts of the commands, whose times are UTC, for viewers in a zone. */
export const textIn = (zone: Zone) => {
  const shown = momentIn(zone);
  return (text: string): string =>
    text.replace(/(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/g, (_, date, hour) => shown(`${date}T${hour}Z`));
};

export const day = dayIn(undefined);
export const moment = momentIn(undefined);
export const inOwnTime = textIn(undefined);

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

/** An address that a link leads to, for people to judge. */
export const destination = (url: string): string => address(shownAddress(url));

export const share = (part: number, whole: number): string =>
  whole === 0 ? '' : `${Math.round((part / whole) * 100)} %`;
