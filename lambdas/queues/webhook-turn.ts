import { eachOf } from '../../core/base/each-of.ts';
import type { PendingDelivery } from '../../core/webhooks/delivery-store.ts';
import { announcedAfterMs, mostAttempts } from '../../core/webhooks/retry-schedule.ts';
import { sendEvent, type Ways } from '../../core/webhooks/send.ts';
import type { Turn } from '../../core/webhooks/turns.ts';
import type { Webhook } from '../../core/webhooks/webhook.ts';
import { countMetric } from '../frame/log.ts';
import { settleDelivery } from './record-result.ts';
import { type SenderStores, WebhookStanding } from './webhook-health.ts';

export interface TurnProps {
  readonly stores: SenderStores;
  readonly ways: Ways;
  /** Time in which a turn begins deliveries, in milliseconds; other webhooks wait meanwhile. */
  readonly turnMs?: number;
  /** Deliveries in one read. */
  readonly pageSize?: number;
}

/** Concurrent requests of one webhook. */
export const requestsAtOnce = 10;
/** A turn waits this long for the next delivery, rather than send another message. */
const shortWaitMs = 1500;
/** Operators' changes apply within this time. */
const rememberedMs = 1000;

interface DueDelivery {
  readonly delivery: PendingDelivery;
  /** Undefined if it has expired. */
  readonly body: string | undefined;
}

/** A turn at a webhook: it sends what is due, in order, until its time is up. */
export class WebhookTurn {
  readonly #turn: Turn;
  readonly #props: TurnProps;
  readonly #until: number;
  #known: Promise<WebhookStanding | undefined> | undefined;
  #readAt = 0;
  #isCounted = false;

  constructor(turn: Turn, props: TurnProps) {
    this.#turn = turn;
    this.#props = props;
    this.#until = Date.now() + (props.turnMs ?? 5000);
  }

  /** Sends deliveries until none is due or the time is up. Resolves to the time of the next turn, in epoch milliseconds. */
  async sendDue(): Promise<number | undefined> {
    // A message may have announced an operator's change.
    this.#readAt = 0;
    for (;;) {
      const standing = await this.#standing();
      if (!standing) return this.#isOver() ? Date.now() : undefined;
      // Also after an error, because the message may be redelivered for days.
      const next = await this.#pass(standing).finally(() => this.#announce(standing));
      if (next === undefined) return undefined;
      const waitMs = next - Date.now();
      if (waitMs > shortWaitMs) return Math.min(next, this.#announce(standing));
      if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    }
  }

  #isOver(): boolean {
    return Date.now() >= this.#until;
  }

  /** The webhook, at most a second old; undefined if no delivery to it may begin. */
  async #standing(): Promise<WebhookStanding | undefined> {
    if (this.#isOver()) return undefined;
    const { webhooks, webhookStates } = this.#props.stores;
    if (Date.now() - this.#readAt >= rememberedMs) {
      this.#readAt = Date.now();
      this.#known = webhooks
        .find(this.#turn.project, this.#turn.webhook)
        .then((found) => found && new WebhookStanding(found, webhookStates));
    }
    const known = await this.#known;
    return known?.isStopped ? undefined : known;
  }

  /** Sends what is due, and resolves to the time of the next pass, if there is one. */
  async #pass({ webhook }: WebhookStanding): Promise<number | undefined> {
    const { ways, stores } = this.#props;
    const { deliveries } = stores;
    return eachOf(this.#due(webhook), requestsAtOnce, async ({ delivery, body }) => {
      const standing = await this.#standing();
      if (!standing) return;
      const isOver =
        body === undefined || delivery.ttl * 1000 <= Date.now() || delivery.attempts >= mostAttempts;
      if (isOver) return deliveries.drop(delivery);
      const outcome = await sendEvent(standing.webhook, { id: delivery.event, body }, ways);
      await settleDelivery(delivery, outcome, { deliveries, standing });
    });
  }

  /** Reads due deliveries by pages. Returns the time of the next pass: at once after any, or when the first one is due. */
  async *#due(webhook: Webhook): AsyncGenerator<DueDelivery, number | undefined> {
    const { stores, pageSize = 100 } = this.#props;
    let after: PendingDelivery | undefined;
    do {
      const page = await stores.deliveries.pending(webhook, { limit: pageSize, after });
      const now = Date.now();
      const due = page.filter((delivery) => delivery.due <= now);
      if (!after && due.length === 0) return page[0]?.due;
      const events = due.map(({ event }) => event);
      const bodies = await stores.deliveries.bodies(webhook.project, events);
      for (const delivery of due) yield { delivery, body: bodies.get(delivery.event) };
      // If all of a page is due, further ones may be.
      after = due.length === pageSize ? due.at(-1) : undefined;
    } while (after && (await this.#standing()));
    return Date.now();
  }

  /** Counts a webhook once if it has failed for long. Returns the time when that is due, in epoch milliseconds, or Infinity. */
  #announce({ webhook: { project, id }, failingSince }: WebhookStanding): number {
    if (failingSince === undefined) return Number.POSITIVE_INFINITY;
    const at = Date.parse(failingSince) + announcedAfterMs;
    if (at > Date.now()) return at;
    if (!this.#isCounted) countMetric('WebhookFailing', { project, webhook: id, since: failingSince });
    this.#isCounted = true;
    return Number.POSITIVE_INFINITY;
  }
}
