import type { Webhook, WebhookState } from './webhook.ts';

/** A period in which no events are emitted, in epoch milliseconds, excluding `to`. */
export type Silence = Readonly<Record<'from' | 'to', number>>;

/** The periods in which a webhook gets no events. */
export const silencesOf = (
  { createdAt }: Pick<Webhook, 'createdAt'>,
  { status, stoppedAt, stops = [] }: WebhookState,
): Silence[] => [
  { from: Number.NEGATIVE_INFINITY, to: Date.parse(createdAt) },
  ...stops.map(silence),
  ...(status === 'ACTIVE' ? [] : [silence({ from: stoppedAt ?? createdAt })]),
];

/** A period between two times, or without an end. */
export const silence = ({ from, to }: { readonly from: string; readonly to?: string }): Silence => ({
  from: Date.parse(from),
  to: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to),
});

export const isSilent = (silences: readonly Silence[], at: number): boolean =>
  silences.some(({ from, to }) => at >= from && at < to);

/** The milliseconds from `since` to `now` outside of silences. */
export const activeMs = (silences: readonly Silence[], since: number, now: number): number => {
  let [heard, reached] = [0, since];
  for (const { from, to } of silences.toSorted((one, other) => one.from - other.from)) {
    heard += Math.max(0, Math.min(from, now) - reached);
    reached = Math.max(reached, to);
  }
  return heard + Math.max(0, now - reached);
};
