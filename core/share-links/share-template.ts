import { createHash } from 'node:crypto';
import type { LinkPayload } from '../links/payload-fields.ts';

/** The common content and the limits of a publishable key's links, with all defaults. */
export interface ShareTemplate {
  readonly payload: LinkPayload;
  readonly allow: readonly string[];
  /** Hosts of `social.image`; `*.` in front means the host and its subdomains. */
  readonly imageHosts: readonly string[];
  readonly expiresInDays: number;
  readonly tags: readonly string[];
  readonly perHour: number;
  readonly maxLinks: number;
}

/**
 * The identity of a share link's content. Equal requests with one key have the same, whatever the order of names, and
 * a changed template has another.
 */
export const contentId = (keyId: string, tags: readonly string[], payload: LinkPayload): string =>
  createHash('sha256')
    .update(JSON.stringify([keyId, tags, canonical(payload)]))
    .digest('base64url');

/** A JSON value with its names in order and without absent ones. */
const canonical = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined && part !== null);
  return entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, part]) => [name, canonical(part)]);
};
