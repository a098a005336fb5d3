import type { UsesOf } from '../../core/functions.ts';
import type { Granted } from '../../core/stores.ts';
import { stuckAfterMs } from '../../core/webhooks/retries.ts';
import { heardMs, type Silence } from '../../core/webhooks/silences.ts';
import type { KnownWebhook } from '../../core/webhooks/webhook-store.ts';

type Deliveries = Granted<UsesOf<'tell'>>['deliveries'];

export interface Listener extends KnownWebhook {
  /** When it was told of nothing. */
  readonly silences: readonly Silence[];
}

/** Among so many that wait longest, one is looked for that was never attempted: some six kilobytes. */
const lookedAt = 25;

/** Whether nothing has got through to a webhook for so long that further clicks and opens would only be more that waits. */
export const isStuck = async (
  { webhook, state: { failingSince }, silences }: Listener,
  deliveries: Pick<Deliveries, 'pending'>,
): Promise<boolean> => {
  const waiting = await deliveries.pending(webhook, { limit: lookedAt });
  const untried = waiting.find(({ attempts }) => attempts === 0);
  const since = [
    // Where nothing waits, the next visit is what finds out whether the receiver is back.
    ...(failingSince !== undefined && waiting.length > 0 ? [Date.parse(failingSince)] : []),
    ...(untried ? [untried.due] : []),
  ];
  return since.some((at) => heardMs(silences, at, Date.now()) > stuckAfterMs);
};
