import type { Webhook, WebhookState } from './webhook.ts';

/** A time in which nothing is told: from its first millisecond since 1970 up to, and without, its last. */
export type Silence = Readonly<Record<'from' | 'to', number>>;

/** When a webhook is told of nothing. */
export const silencesOf = (
  { createdAt }: Pick<Webhook, 'createdAt'>,
  { status, stoppedAt, stops = [] }: WebhookState,
): Silence[] => [
  { from: Number.NEGATIVE_INFINITY, to: Date.parse(createdAt) },
  ...stops.map(silence),
  ...(status === 'ACTIVE' ? [] : [silence({ from: stoppedAt ?? createdAt })]),
];

/** From one time to another, or for good. */
export const silence = ({ from, to }: { readonly from: string; readonly to?: string }): Silence => ({
  from: Date.parse(from),
  to: to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to),
});

export const isSilent = (silences: readonly Silence[], at: number): boolean =>
  silences.some(({ from, to }) => at >= from && at < to);

/** The milliseconds since a time that belong to no silence. */
export const activeMs = (silences: readonly Silence[], since: number, now: number): number => {
  let [heard, reached] = [0, since];
  for (const { from, to } of silences.toSorted((one, other) => one.from - other.from)) {
    heard += Math.max(0, Math.min(from, now) - reached);
    reached = Math.max(reached, to);
  }
  return heard + Math.max(0, now - reached);
};
