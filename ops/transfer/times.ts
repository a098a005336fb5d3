import { Failure } from '../../core/base/failure.ts';
import { readTime } from '../../core/base/time.ts';
import type { Lost } from './row.ts';
import { earliestYear } from './unset-cells.ts';

/** Matches programs' times: a blank before the time of day or the zone, a zone's name, or none. */
const written = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?) ?(Z|UTC|GMT|[+-]\d\d:?\d\d)?$/i;

/**
 * A file's time in the form of requests; without a zone, it is UTC. Other services also use epoch seconds or
 * milliseconds. Any other value stays as it is.
 */
export const timeIn = (value: unknown, mayCount = false): unknown => {
  if (mayCount && /^(?:\d{10}|\d{13})$/.test(String(value)))
    return new Date(Number(String(value).padEnd(13, '0'))).toISOString();
  const [, day, clock, zone = ''] = (typeof value === 'string' && written.exec(value)) || [];
  if (day === undefined) return value;
  const offset = /^([+-]\d\d):?(\d\d)$/.exec(zone);
  return `${day}T${clock}${offset ? `${offset[1]}:${offset[2]}` : 'Z'}`;
};

/** A time as stored; undefined if invalid. */
export const timeOf = (value: unknown): string | undefined => {
  const read = typeof value === 'string' ? readTime(value) : undefined;
  return read && 'time' in read ? read.time : undefined;
};

/** Tolerance for clocks. */
const toleranceMs = 5 * 60_000;

/** The creation time of a row's link. A lenient source's impossible time is omitted. */
export const createdAtOf = (
  createdAt: unknown,
  now: Date,
  isLenient: boolean,
): { readonly time?: string; readonly lost: readonly Lost[] } => {
  if (createdAt == null) return { lost: [] };
  const read = typeof createdAt === 'string' ? timeFrom(createdAt, now) : noTime;
  if ('time' in read) return { time: read.time, lost: [] };
  if (!isLenient) throw new Failure('VALIDATION_ERROR', `createdAt: ${read.fault}`);
  return { lost: [{ field: 'createdAt', value: String(createdAt) }] };
};

const noTime = { fault: 'must be a time such as 2030-01-31T12:00:00Z' };

const timeFrom = (text: string, now: Date): ReturnType<typeof readTime> => {
  const read = readTime(text);
  if (!('time' in read)) return read;
  const time = Date.parse(read.time);
  if (time > now.getTime() + toleranceMs) return { fault: 'must not be in the future' };
  return time < Date.UTC(earliestYear, 0) ? { fault: `must not be before ${earliestYear}` } : read;
};
