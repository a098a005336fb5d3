import { hourMs } from '../base/durations.ts';

/** The hour (UTC) that a request is counted in. */
export interface RateWindow {
  /** Hours since the epoch. */
  readonly hour: number;
  readonly resetAt: Date;
  /** The window's end in epoch seconds. */
  readonly endSeconds: number;
}

export const rateWindow = (now: Date): RateWindow => {
  const hour = Math.floor(now.getTime() / hourMs);
  const end = (hour + 1) * hourMs;
  return { hour, resetAt: new Date(end), endSeconds: end / 1000 };
};

export const windowSeconds = hourMs / 1000;
