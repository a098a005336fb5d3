import { hourMs as hour, minuteMs as minute } from '../base/durations.ts';

const second = 1000;

/** What comes after each failed attempt, in milliseconds; after the last one nothing. */
const pauses = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

/** The first one and its repetitions. */
export const mostAttempts = pauses.length + 1;

/** The longest that a receiver can postpone an attempt, in seconds. */
const longestRetryAfter = 36_000;

/**
 * How long to wait after so many failed attempts; nothing if that was the last. Up to a tenth longer, so that what failed
 * together does not come together.
 */
export const pauseAfter = (
  attempts: number,
  { retryAfter = 0, random = Math.random }: { retryAfter?: number | undefined; random?: () => number } = {},
): number | undefined => {
  const pause = pauses[attempts - 1];
  return pause && Math.max(pause * (1 + random() / 10), retryAfter * second);
};

/** A `Retry-After` in seconds; nothing for a date, or for anything else. */
export const retryAfterOf = (status = 0, header = ''): number | undefined =>
  [429, 503].includes(status) && /^\d+$/.test(header)
    ? Math.min(Number(header), longestRetryAfter)
    : undefined;

/** A webhook that failed for so long, and so often, is disabled. */
const disabledAfter = { ms: 72 * hour, attempts: 20 };
/** If nothing has got through to a webhook for so long, its further clicks and opens are dropped. */
export const stuckAfterMs = 6 * hour;
/** A webhook that has failed for so long counts in the metric `WebhookFailing`. */
export const announcedAfterMs = hour;

export const isGivenUp = (failingMs: number, failures: number): boolean =>
  failingMs >= disabledAfter.ms && failures >= disabledAfter.attempts;
