import type { PendingDelivery } from '../../core/webhooks/delivery-store.ts';
import type { SenderStores } from './standing.ts';

interface DueDelivery {
  readonly delivery: PendingDelivery;
  /** What is sent; nothing if it was too long ago. */
  readonly body: string | undefined;
}

/** One pass over what waits for a webhook. */
export interface Pass {
  /** In the order in which they are due; several may take from it at once. */
  readonly due: AsyncGenerator<DueDelivery, void>;
  /** When the first one is due that the pass left, in epoch milliseconds; nothing if it left none. */
  readonly next: () => number | undefined;
}

interface Page {
  readonly due: readonly DueDelivery[];
  /** The last of a page that is all due: more may be. */
  readonly last: PendingDelivery | undefined;
  readonly next: number | undefined;
}

interface PassProps {
  readonly stores: Pick<SenderStores, 'deliveries'>;
  /** Deliveries that are read at once. */
  readonly pageSize: number;
}

/** Reads the next page while one is sent. */
export const passOver = (
  webhook: { readonly project: string; readonly id: string },
  { stores: { deliveries }, pageSize }: PassProps,
): Pass => {
  const read = async (after?: PendingDelivery): Promise<Page> => {
    const page = await deliveries.pending(webhook, { limit: pageSize, after });
    const now = Date.now();
    const due = page.filter((delivery) => delivery.due <= now);
    const events = due.map(({ event }) => event);
    const bodies = await deliveries.bodies(webhook.project, events);
    return {
      due: due.map((delivery) => ({ delivery, body: bodies.get(delivery.event) })),
      last: due.length === pageSize ? due.at(-1) : undefined,
      next: page[due.length]?.due,
    };
  };
  let next: number | undefined;
  const pass = async function* () {
    for (let reading: Promise<Page> | undefined = read(); reading; ) {
      const page: Page = await reading;
      next = page.next;
      reading = page.last && read(page.last);
      // The turn may end before anybody asks for it.
      reading?.catch(() => undefined);
      yield* page.due;
    }
  };
  return { due: pass(), next: () => next };
};
