import { hourMs as hour, minuteMs as minute } from '../base/durations.ts';

const second = 1000;

/** Pauses after failed attempts, in milliseconds. */
const pauses = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour];

/** The first attempt and its retries. */
export const mostAttempts = pauses.length + 1;

/** The longest accepted `Retry-After`, in seconds. */
const longestRetryAfter = 36_000;

/**
 * The pause after so many failed attempts, in milliseconds; undefined after the last. It is up to 10 % longer, so that
 * deliveries that failed together aren't retried together.
 */
export const pauseAfter = (
  attempts: number,
  { retryAfter = 0, random = Math.random }: { retryAfter?: number | undefined; random?: () => number } = {},
): number | undefined => {
  const pause = pauses[attempts - 1];
  return pause && Math.max(pause * (1 + random() / 10), retryAfter * second);
};

/** A `Retry-After` in seconds; undefined for dates and anything else. */
export const retryAfterOf = (status = 0, header = ''): number | undefined =>
  [429, 503].includes(status) && /^\d+$/.test(header)
    ? Math.min(Number(header), longestRetryAfter)
    : undefined;

/** A webhook is disabled once it has failed for so long and so often. */
const disabledAfter = { ms: 72 * hour, attempts: 20 };
/** A webhook that has failed for so long gets no further clicks and opens. */
export const stuckAfterMs = 6 * hour;
/** A webhook that has failed for so long counts in the metric `WebhookFailing`. */
export const announcedAfterMs = hour;

export const isGivenUp = (failingMs: number, failures: number): boolean =>
  failingMs >= disabledAfter.ms && failures >= disabledAfter.attempts;
