import type { UsesOf } from '../../core/functions.ts';
import type { Granted } from '../../core/stores.ts';
import { isGivenUp } from '../../core/webhooks/retry-schedule.ts';
import type { Webhook } from '../../core/webhooks/webhook.ts';
import type { KnownWebhook } from '../../core/webhooks/webhook-store.ts';

export type SenderStores = Granted<UsesOf<'send-events'>>;

/** The least interval between stored successes; `webhook show` prints the last one. */
const notedEveryMs = 1000;

/** A webhook's current state, shared by concurrent deliveries. */
export class WebhookStanding {
  readonly webhook: Webhook;
  readonly #states: SenderStores['webhookStates'];
  #isStopped: boolean;
  #lastSuccess: number;
  #failingSince: string | undefined;

  constructor({ webhook, state, isSuspended = false }: KnownWebhook, states: SenderStores['webhookStates']) {
    this.webhook = webhook;
    this.#states = states;
    this.#isStopped = isSuspended || state.status !== 'ACTIVE';
    this.#lastSuccess = Date.parse(state.lastSuccessAt ?? '');
    this.#failingSince = state.failingSince;
  }

  /** Whether nothing may be sent to it. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Time of the first failure after the last success. */
  get failingSince(): string | undefined {
    return this.#failingSince;
  }

  async noteSuccess(): Promise<void> {
    const now = new Date();
    const isNoted = this.#lastSuccess + notedEveryMs > now.getTime();
    if (isNoted && this.#failingSince === undefined) return;
    // Only one of the concurrent deliveries stores it.
    this.#lastSuccess = now.getTime();
    this.#failingSince = undefined;
    await this.#states.succeeded(this.webhook, now);
  }

  /** Disables the webhook if its receiver is gone, or has failed for too long. */
  async noteFailure(isGone: boolean): Promise<void> {
    const now = new Date();
    const noted = await this.#states.failed(this.webhook, now);
    if (!noted) return;
    const { failingSince = now.toISOString(), failures = 0 } = noted;
    this.#failingSince = failingSince;
    const isOver = isGone || isGivenUp(now.getTime() - Date.parse(failingSince), failures);
    if (!isOver) return;
    this.#isStopped = true;
    await this.#states.stop(this.webhook, { status: 'DISABLED', reason: isGone ? 'gone' : 'failing', now });
  }
}
