import { appSections } from '../apps/app-fields.ts';
import { limits } from '../base/limits.ts';
import type { LinkId } from '../table/keys.ts';
import type { Item } from '../table/table.ts';
import type { OwnFields } from './own-fields.ts';
import type { LinkPayload } from './payload-fields.ts';

export const codePattern = new RegExp(`^[A-Za-z0-9_-]{${limits.code.min},${limits.code.max}}$`);

/** A code that no link can have, because each short host has a file at this path. */
export const reservedCode = 'apple-app-site-association';

export const linkStatuses = ['ACTIVE', 'PAUSED', 'EXPIRED', 'DELETED'] as const;
export type LinkStatus = (typeof linkStatuses)[number];

/** The statuses that a client can set; links become EXPIRED by time, and DELETED by a delete. */
export const settableStatuses = ['ACTIVE', 'PAUSED'] as const satisfies LinkStatus[];
export type SettableStatus = (typeof settableStatuses)[number];

/** A link as it is stored. Times are ISO 8601 UTC with milliseconds, so they compare as text. */
export interface Link extends LinkId, OwnFields {
  readonly id: string;
  /** The last stored state; `statusAt` gives the effective one. */
  readonly status: LinkStatus;
  readonly payload: LinkPayload;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly createdBy: string;
  /** The user who last changed it; absent if nobody has. Expiring isn't a change. */
  readonly updatedBy?: string | undefined;
  /** Time at which an operator blocked it; owners can't change it. */
  readonly blockedAt?: string | undefined;
  readonly blockedReason?: string | undefined;
  /** Number of groups of visitors, if it is prepared for many clicks; it never shrinks. */
  readonly groups?: number | undefined;
  /** The segment of the project's list that contains this link. */
  readonly segment: string;
  /** The id of the publishable key that made it; such links are in no list. */
  readonly shareKey?: string | undefined;
}

/**
 * A link's status at a time. An expiry takes effect to the millisecond, without waiting for TTL. `isBlocked` can also come
 * from its publishable key.
 */
export const statusAt = (
  link: Pick<Link, 'status' | 'expiresAt' | 'blockedAt'>,
  now: Date,
  isBlocked = link.blockedAt !== undefined,
): LinkStatus => {
  if (link.status === 'DELETED') return 'DELETED';
  if (link.expiresAt !== undefined && Date.parse(link.expiresAt) <= now.getTime()) return 'EXPIRED';
  return isBlocked && link.status === 'ACTIVE' ? 'PAUSED' : link.status;
};

export const fromItem = ({ PK, SK, deletedAt, revision, change, ...link }: Item) => link as unknown as Link;

/** The saved apps that a payload references; in a change, null clears one. */
export const namedApps = (payload: { readonly [Id in keyof AppIds]?: string | null | undefined }) =>
  appSections.flatMap(({ platform, appId }) => {
    const id = payload[appId];
    return typeof id === 'string' ? [{ field: appId, platform, id }] : [];
  });

type AppIds = Pick<LinkPayload, 'iosAppId' | 'androidAppId'>;
