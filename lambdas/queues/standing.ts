import type { UsesOf } from '../../core/functions.ts';
import type { Granted } from '../../core/stores.ts';
import type { Turn } from '../../core/webhooks/turns.ts';
import type { KnownWebhook } from '../../core/webhooks/webhook-store.ts';

export type SenderStores = Granted<UsesOf<'send-events'>>;

export type Standing = KnownWebhook;

/** What operators change acts so soon. */
const rememberedMs = 1000;

/** The webhook of a turn as it is now, give or take a second; nothing if nothing may be sent to it. */
export const standingOf = (
  { webhooks }: Pick<SenderStores, 'webhooks'>,
  { project, webhook }: Turn,
): (() => Promise<Standing | undefined>) => {
  let known: Promise<Standing | undefined> | undefined;
  let readAt = 0;
  const read = async () => {
    const [found, isSuspended] = await Promise.all([
      webhooks.find(project, webhook),
      webhooks.isSuspended(project),
    ]);
    return found?.state.status === 'ACTIVE' && !isSuspended ? found : undefined;
  };
  return () => {
    if (known && Date.now() - readAt < rememberedMs) return known;
    readAt = Date.now();
    known = read();
    return known;
  };
};
