import { randomText } from '../base/random-text.ts';
import type { EventType } from '../events/event.ts';

/** A receiver of a project's events, as operators have set it up. */
export interface Webhook {
  readonly id: string;
  readonly project: string;
  /** An address, or `eventbridge:` and the name or ARN of a bus. */
  readonly url: string;
  readonly events: readonly EventType[];
  readonly name?: string | undefined;
  readonly createdAt: string;
  /** Number of changes. */
  readonly revision: number;
  /** Number of the current secret. */
  readonly generation: number;
  /** Replaced secrets that still sign until a time in ISO 8601, the newest first. */
  readonly replaced?: readonly { readonly generation: number; readonly until: string }[] | undefined;
}

/** The reason why a webhook isn't active, unless somebody paused it. */
export type StopReason = 'gone' | 'failing' | 'restored';

/** A webhook's state. Times are in ISO 8601. */
export interface WebhookState {
  readonly status: 'ACTIVE' | 'PAUSED' | 'DISABLED';
  readonly reason?: StopReason | undefined;
  /** Start of the current stop. */
  readonly stoppedAt?: string | undefined;
  /** Earlier stops that a pending delivery could be from. */
  readonly stops?: readonly WebhookStop[] | undefined;
  readonly lastSuccessAt?: string | undefined;
  /** Time of the first failure after the last success. */
  readonly failingSince?: string | undefined;
  /** Number of failed attempts since then. */
  readonly failures?: number | undefined;
}

export type WebhookStop = Readonly<Record<'from' | 'to', string>>;

/** The state of a webhook that was restored from a backup without one: it is paused until somebody activates it. */
export const restoredState: WebhookState = { status: 'PAUSED', reason: 'restored' };

export const newWebhookId = (): string => `wh_${randomText(16)}`;

export const webhookIdPattern = /^wh_[A-Za-z0-9]{16}$/;

const busStart = 'eventbridge:';

/** The event bus in a webhook's address; undefined for other addresses. */
export const busOf = (url: string): string | undefined =>
  url.startsWith(busStart) ? url.slice(busStart.length) : undefined;
