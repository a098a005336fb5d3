import { appSections } from '../apps/app-fields.ts';
import { limits } from '../base/limits.ts';
import type { LinkId } from '../table/keys.ts';
import type { Item } from '../table/table.ts';
import type { OwnFields } from './own-fields.ts';
import type { LinkPayload } from './payload-fields.ts';

export const codePattern = new RegExp(`^[A-Za-z0-9_-]{${limits.code.min},${limits.code.max}}$`);

/** A file of every short host has this path, so that no link could be reached there. */
export const reservedCode = 'apple-app-site-association';

export const linkStatuses = ['ACTIVE', 'PAUSED', 'EXPIRED', 'DELETED'] as const;
export type LinkStatus = (typeof linkStatuses)[number];

/** A link as it is stored. Times are ISO 8601 UTC with milliseconds, so they compare as text. */
export interface Link extends LinkId, OwnFields {
  readonly id: string;
  /** The last stored state; `statusAt` gives the effective one. */
  readonly status: LinkStatus;
  readonly payload: LinkPayload;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly createdBy: string;
  /** Who changed it last; absent if nobody has. An expiry is not a change. */
  readonly updatedBy?: string | undefined;
  /** When an operator blocked it; no write of its owner changes that. */
  readonly blockedAt?: string | undefined;
  readonly blockedReason?: string | undefined;
  /** In how many groups its visitors are, if it is prepared for fame; never fewer. */
  readonly groups?: number | undefined;
  /** The segment of the project's list that contains this link. */
  readonly segment: string;
}

/** A link's state at a moment. It never waits for a sweep: an expiry counts from its millisecond on. */
export const statusAt = (link: Pick<Link, 'status' | 'expiresAt' | 'blockedAt'>, now: Date): LinkStatus => {
  if (link.status === 'DELETED') return 'DELETED';
  if (link.expiresAt !== undefined && Date.parse(link.expiresAt) <= now.getTime()) return 'EXPIRED';
  return link.blockedAt !== undefined && link.status === 'ACTIVE' ? 'PAUSED' : link.status;
};

export const fromItem = ({ PK, SK, deletedAt, revision, change, ...link }: Item) => link as unknown as Link;

/** The saved apps that a payload names; a change of it may clear one by null. */
export const namedApps = (payload: { readonly [Id in keyof AppIds]?: string | null | undefined }) =>
  appSections.flatMap(({ platform, appId }) => {
    const id = payload[appId];
    return typeof id === 'string' ? [{ field: appId, platform, id }] : [];
  });

type AppIds = Pick<LinkPayload, 'iosAppId' | 'androidAppId'>;
