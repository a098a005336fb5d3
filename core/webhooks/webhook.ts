import { randomText } from '../base/random-text.ts';
import type { EventType } from '../events/event.ts';

/** Where a project's events are sent, as operators have set it up. */
export interface Webhook {
  readonly id: string;
  readonly project: string;
  /** An address, or `eventbridge:` and the name or ARN of a bus. */
  readonly url: string;
  readonly events: readonly EventType[];
  readonly name?: string | undefined;
  readonly createdAt: string;
  /** Counts its changes. */
  readonly revision: number;
  /** Of its secret. */
  readonly generation: number;
  /** Secrets that were replaced and sign until a time of ISO 8601, the newest first. */
  readonly replaced?: readonly { readonly generation: number; readonly until: string }[] | undefined;
}

/** Why a webhook is not active, unless somebody paused it. */
export type StopReason = 'gone' | 'failing' | 'restored';

/** What becomes of a webhook. Times are ISO 8601. */
export interface WebhookState {
  readonly status: 'ACTIVE' | 'PAUSED' | 'DISABLED';
  readonly reason?: StopReason | undefined;
  /** Since when it is not active. */
  readonly stoppedAt?: string | undefined;
  /** When it was not active before, as long as a delivery could be of that time. */
  readonly stops?: readonly WebhookStop[] | undefined;
  readonly lastSuccessAt?: string | undefined;
  /** The first failure after the last success. */
  readonly failingSince?: string | undefined;
  /** Failed attempts since then. */
  readonly failures?: number | undefined;
}

export type WebhookStop = Readonly<Record<'from' | 'to', string>>;

/** A webhook that came back without its state, from a backup, waits for somebody to activate it. */
export const restoredState: WebhookState = { status: 'PAUSED', reason: 'restored' };

export const newWebhookId = (): string => `wh_${randomText(16)}`;

export const webhookIdPattern = /^wh_[A-Za-z0-9]{16}$/;

const busStart = 'eventbridge:';

/** The bus that a webhook leads to, if it does. */
export const busOf = (url: string): string | undefined =>
  url.startsWith(busStart) ? url.slice(busStart.length) : undefined;
