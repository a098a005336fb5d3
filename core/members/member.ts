import { createHash } from 'node:crypto';
import { type ApiKey, identifyKey, type Scope, scopes } from '../api-keys/api-key.ts';
import { hourMs, minuteMs } from '../base/durations.ts';
import { randomText } from '../base/random-text.ts';

/** What the members of each role may do. */
export const roleScopes = {
  viewer: ['links:read', 'apps:read'],
  editor: scopes,
} as const satisfies Record<string, readonly Scope[]>;

export type Role = keyof typeof roleScopes;

export const roles = Object.keys(roleScopes) as Role[];

/** Somebody who signs in to the console and works on a project by the public API. */
export interface Member {
  /** The same for an e-mail address in all projects. */
  readonly id: string;
  readonly email: string;
  readonly project: string;
  readonly role: Role;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** A member as stored. */
export interface Membership extends Member {
  /** Another one after each addition, so that keys of before a removal stay refused. */
  readonly term: string;
}

/** An e-mail address as it is stored; undefined for a text that can't be one. */
export const readEmail = (text: string): string | undefined =>
  /^(?=.{3,254}$)[!-?A-~]+@[!-?A-~]+$/.test(text)
    ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    : undefined;

/** What a member's calls of a project are counted under, over all keys. */
export const counterOf = ({ id, project, term }: Pick<Membership, 'id' | 'project' | 'term'>): string =>
  `${id}@${project}@${term}`;

/** What the table has of a session, of an attempt and of an issuer's account. */
export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

export const sessionMs = 12 * hourMs;
export const keyMs = 15 * minuteMs;

/**
 * Whether a session or key, which lasts so long, is not over yet. What ends later than that was not made by the service.
 * Clocks may differ by a minute.
 */
export const isUnexpired = (expiresAt: string, ms: number, now: Date): boolean => {
  const left = Date.parse(expiresAt) - now.getTime();
  return left > 0 && left <= ms + minuteMs;
};

/** The stored part of a key that a session was exchanged for. */
export interface MemberKey
  extends Pick<ApiKey, 'keyId' | 'hash' | 'project' | 'createdAt' | 'revokedAt'>,
    Pick<Membership, 'email' | 'term'> {
  /** The member's id. */
  readonly member: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

export const memberKeyPrefix = 'dls_m_';
export const memberKeyShape = /^dls_m_[A-Za-z0-9]{40}$/;
export const generateMemberKey = (): string => memberKeyPrefix + randomText(40);

/** The stored identity of a key, or nothing if the text can't be one. */
export const identifyMemberKey = (text: string) =>
  memberKeyShape.test(text) ? identifyKey(text) : undefined;
