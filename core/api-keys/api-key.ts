import { createHash } from 'node:crypto';
import { randomText } from '../base/random-text.ts';
import type { Scope } from './scopes.ts';

/** The parts that only a publishable key has. It isn't secret: it is stored, and apps and web pages can contain it. */
export interface Publishable {
  readonly apiKey: string;
  /** The template as its operator wrote it, as JSON. */
  readonly template: string;
  /** Calls per hour, as in the template. */
  readonly perHour: number;
}

/** The stored part of an API key. A secret key itself is shown once and never stored. */
export interface ApiKey {
  readonly keyId: string;
  /** SHA-256 of the whole key in hex. */
  readonly hash: string;
  readonly project: string;
  readonly scopes: readonly Scope[];
  readonly createdBy: string;
  readonly createdAt: string;
  readonly revokedAt?: string;
  /** The last four of a secret key's letters, for people who look for it; keys of 1.3 have none. */
  readonly lastFour?: string | undefined;
  /** The last day (UTC) of use, such as 2026-11-21. */
  readonly lastUsedOn?: string | undefined;
  /** Set for publishable keys, which have no scopes. */
  readonly share?: Publishable | undefined;
}

export const apiKeyShape = /^(dls_[A-Za-z0-9]{32,64}|dlp_[A-Za-z0-9]{40})$/;

export const keyIdShape = /^key-[0-9a-f]{24}$/;

export const generateApiKey = (): string => `dls_${randomText(40)}`;
export const generatePublishableKey = (): string => `dlp_${randomText(40)}`;

/** A key's id and hash, or undefined if the text can't be a key. */
export const identifyApiKey = (text: string): Pick<ApiKey, 'keyId' | 'hash'> | undefined =>
  apiKeyShape.test(text) ? identifyKey(text) : undefined;

/** A key's id and hash. The id is the start of the hash, so both a key and an id find the item. */
export const identifyKey = (text: string): Pick<ApiKey, 'keyId' | 'hash'> => {
  const hash = createHash('sha256').update(text).digest('hex');
  return { keyId: `key-${hash.slice(0, 24)}`, hash };
};
