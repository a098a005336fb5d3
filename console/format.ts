import { shownAddress } from '../core/base/shown-text.ts';

const numbers = new Intl.NumberFormat('en');
/** Undefined for the viewer's zone. */
type Zone = string | undefined;
const daysIn = (timeZone: Zone) => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone });
const hoursIn = (timeZone: Zone) =>
  new Intl.DateTimeFormat('en', { timeStyle: 'short', hourCycle: 'h23', timeZone });
const compacts = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

export const number = (value: number): string => numbers.format(value);
export const compact = (value: number): string => compacts.format(value);
/** Days for viewers in a zone; days without a time are in UTC, as analytics are. */
export const dayIn = (zone: Zone) => {
  const [own, utc] = [daysIn(zone), daysIn('UTC')];
  return (iso: string): string => (iso.length === 10 ? utc : own).format(new Date(iso));
};

/** Times for viewers in a zone, and in UTC, which the API and analytics use. */
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

/** Texts of commands, with times in the viewer's zone instead of UTC. */
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

/** An address without its scheme and trailing slash. */
export const address = (url: string): string => url.replace(/^https?:\/\//, '').replace(/\/$/, '');

/** A link's destination, in a form that users can judge. */
export const destination = (url: string): string => address(shownAddress(url));

export const share = (part: number, whole: number): string =>
  whole === 0 ? '' : `${Math.round((part / whole) * 100)} %`;
