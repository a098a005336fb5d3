import { faultMessage } from './messages.ts';

const longest = 40;
const shape = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d)(:\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?)?$/;
/** Times whose `+` was sent unencoded in a query, where it means a space. */
const unsigned = /^\d{4}-\d\d-\d\dT\S{5,30} \d\d:\d\d$/;

/**
 * Parses ISO 8601 as clients write it: a date alone means midnight UTC, seconds may be missing, and a time of day needs
 * a zone, because a guess could be hours off. Returns the time in UTC with milliseconds, or the fault.
 */
export const readTime = (text: string): { readonly time: string } | { readonly fault: string } => {
  const [, day, minutes, seconds = ':00', zone] = (text.length <= longest && shape.exec(text)) || [];
  if (day === undefined) return { fault: faultMessage(unsigned.test(text) ? 'sign' : 'time') };
  if (!exists(day)) return { fault: faultMessage('day') };
  if (minutes === undefined) return { time: `${day}T00:00:00.000Z` };
  if (zone === undefined) return { fault: faultMessage('zone') };
  if (!isOffset(zone)) return { fault: faultMessage('offset') };
  const moment = new Date(`${day}T${minutes}${seconds}${zone}`);
  if (minutes.startsWith('24') || Number.isNaN(moment.getTime())) return { fault: faultMessage('clock') };
  // An offset can move a time out of the years 0000 to 9999, which compare as text.
  const year = moment.getUTCFullYear();
  return year < 0 || year > 9999 ? { fault: faultMessage('year') } : { time: moment.toISOString() };
};

/** Whether a day exists: `Date` accepts 30 February as a day in March. */
const exists = (day: string): boolean => {
  const date = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
};

const isOffset = (zone: string): boolean => {
  if (zone === 'Z') return true;
  const [hours = 0, minutes = 0] = zone.slice(1).split(':').map(Number);
  const furthest = zone.startsWith('-') ? 12 : 14;
  return minutes <= 59 && hours + minutes / 60 <= furthest;
};
