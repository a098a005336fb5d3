import type { DimensionValues } from './api-types.ts';
import type { ListedLink } from './types.ts';

/** A link in events. */
export type EventLink = Omit<ListedLink, 'clickCount'>;

export interface Click extends DimensionValues {
  /** Id of the click, the same in every delivery. */
  readonly id: string;
  readonly code: string;
  readonly clickedAt: string;
  readonly unique: boolean;
}

export interface AppOpen {
  readonly id: string;
  readonly code: string;
  readonly openedAt: string;
  readonly platform: string;
  readonly first: boolean;
}

/** Who made a change: the key's user, `operator`, or null if unknown. */
type Author = string | null;

/** The data of each event type. */
export interface EventData {
  'link.created': { project: string; link: EventLink; by: Author };
  'link.updated': { project: string; link: EventLink; previous: Record<string, unknown>; by: Author };
  'link.deleted': { project: string; id: string; code: string; by: Author };
  'link.expired': { project: string; link: EventLink };
  'link.clicked': { project: string; clicks: Click[] };
  'app.opened': { project: string; opens: AppOpen[] };
  'webhook.test': { project: string; webhook: string };
}

/** An event of a webhook. `type` decides the type of `data`. */
export type WebhookEvent = {
  [Type in keyof EventData]: {
    readonly id: string;
    readonly type: Type;
    /** Time of the event in ISO 8601. */
    readonly timestamp: string;
    readonly data: EventData[Type];
  };
}[keyof EventData];

export type WebhookFault = 'headers' | 'timestamp' | 'signature' | 'body';

/** The error of a request that isn't a webhook's or is too old. */
export class WebhookVerificationError extends Error {
  readonly reason: WebhookFault;

  constructor(reason: WebhookFault, message: string) {
    super(message);
    this.name = 'WebhookVerificationError';
    this.reason = reason;
  }
}

export interface VerifyOptions {
  /** The most seconds between the request's time and now. @default 300 */
  readonly toleranceSeconds?: number | undefined;
  /** The time to compare with, in epoch milliseconds. */
  readonly now?: number | undefined;
}

type GivenHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * The event of a webhook's request. Throws a `WebhookVerificationError` unless one of the secrets signed it, and a
 * `TypeError` if a secret is missing or malformed, or the body was parsed: it must be the raw one.
 */
export const verifyWebhook = async (
  body: string | Uint8Array | ArrayBuffer,
  headers: GivenHeaders,
  secrets: string | readonly string[] | undefined,
  { toleranceSeconds = 300, now = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> => {
  const keys = [secrets].flat().map(keyOf);
  if (typeof body !== 'string' && typeof body?.byteLength !== 'number')
    throw new TypeError(
      'To check the signature, the body must be raw: a string or bytes, before any parsing',
    );
  const [id, timestamp, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !signatures || !timestamp || !/^\d{1,12}$/.test(timestamp))
    throw new WebhookVerificationError('headers', 'A header of the webhook is missing or malformed');
  // In this form, it also refuses a time that isn't a number.
  if (!(Math.abs(now / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookVerificationError('timestamp', 'The request is too old or from the future');
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
  const signed = await new Blob([`${id}.${timestamp}.`, bytes]).arrayBuffer();
  // Each one takes a pass over the whole body.
  const given = signatures
    .split(' ', mostSignatures)
    .flatMap((text) => (text.startsWith('v1,') ? bytesOf(text.slice(3)) : []));
  if (!(await isSignedBy(keys, signed, given)))
    throw new WebhookVerificationError('signature', 'No signature of the request matches');
  return readEvent(bytes);
};

/** The most signatures; a rotated secret makes two. */
const mostSignatures = 10;

/** The key of a secret. Throws a TypeError if it is malformed, because that isn't the request's fault. */
const keyOf = (secret: unknown): Uint8Array<ArrayBuffer> => {
  const [key] = typeof secret === 'string' ? bytesOf(secret.replace(/^whsec_/, '')) : [];
  if (key && key.length > 0) return key;
  const [around] = /^(v1,|["'`]|\s)+/.exec(String(secret)) ?? [];
  throw new TypeError(`A secret must be whsec_ and base64${around ? `, without ${around} in front` : ''}`);
};

/** The bytes of a base64 text; none if it is invalid. */
const bytesOf = (base64: string): Uint8Array<ArrayBuffer>[] => {
  try {
    return [Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))];
  } catch {
    return [];
  }
};

const headerOf = (headers: GivenHeaders, name: string): string | undefined => {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const found = Object.entries(headers).find(([one]) => one.toLowerCase() === name)?.[1];
  return typeof found === 'object' ? found.join(' ') : (found as string | undefined);
};

/** Whether the secret signed the body. `verify` compares in constant time. */
const isSignedBy = async (
  keys: readonly Uint8Array<ArrayBuffer>[],
  signed: ArrayBuffer,
  signatures: readonly Uint8Array<ArrayBuffer>[],
): Promise<boolean> => {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  for (const key of keys) {
    const imported = await crypto.subtle.importKey('raw', key, algorithm, false, ['verify']);
    for (const signature of signatures) {
      if (await crypto.subtle.verify('HMAC', imported, signature, signed)) return true;
    }
  }
  return false;
};

const readEvent = (bytes: Uint8Array): WebhookEvent => {
  try {
    const event = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof event.type === 'string' && typeof event.data === 'object' && event.data !== null) return event;
  } catch {
    // Reported below.
  }
  throw new WebhookVerificationError('body', "The body is signed but isn't a valid event");
};
