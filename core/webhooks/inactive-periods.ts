import type { Webhook, WebhookState } from './webhook.ts';

/** A period in which no events are emitted, in epoch milliseconds, excluding `to`. */
export type InactivePeriod = Readonly<Record<'from' | 'to', number>>;

/** The periods in which a webhook gets no events. */
export const inactivePeriodsOf = (
  { createdAt }: Pick<Webhook, 'createdAt'>,
  { status, stoppedAt, stops = [] }: WebhookState,
): InactivePeriod[] => [
  { from: Number.NEGATIVE_INFINITY, to: Date.parse(createdAt) },
  ...stops.map(inactivePeriod),
  ...(status === 'ACTIVE' ? [] : [inactivePeriod({ from: stoppedAt ?? createdAt })]),
];

/** A period between two times, or without an end. */
export const inactivePeriod = ({ from, to }: { from: string; to?: string }): InactivePeriod => ({
  from: Date.parse(from),
  to: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to),
});

export const isInactiveAt = (inactive: readonly InactivePeriod[], at: number): boolean =>
  inactive.some(({ from, to }) => at >= from && at < to);

/** The milliseconds from `since` to `now` outside of inactive periods. */
export const activeMs = (inactive: readonly InactivePeriod[], since: number, now: number): number => {
  let [active, reached] = [0, since];
  for (const { from, to } of inactive.toSorted((one, other) => one.from - other.from)) {
    active += Math.max(0, Math.min(from, now) - reached);
    reached = Math.max(reached, to);
  }
  return active + Math.max(0, now - reached);
};
