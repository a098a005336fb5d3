import { createHash } from 'node:crypto';
import { type ApiKey, identifyKey } from '../api-keys/api-key.ts';
import { hourMs, minuteMs } from '../base/durations.ts';
import { randomText } from '../base/random-text.ts';
import type { Role } from './roles.ts';

/** A person who signs in to the console and works on a project with the public API. */
export interface Member {
  /** The person's id, the same in all projects. */
  readonly id: string;
  readonly email: string;
  readonly project: string;
  readonly role: Role;
  /** ISO 8601. */
  readonly createdAt: string;
}

/** A member with the part that isn't shown. */
export interface Membership extends Member {
  /** A random id of this membership: keys from before a removal stay invalid if the person is added again. */
  readonly term: string;
}

/** Whether a new member may have this address in stored form: its host needs a domain, as in ann@example.com. */
export const isMailbox = (email: string): boolean =>
  /^(?!\.)(?!.*\.[.@])[^@]{1,64}@([a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+(?!\d+$)[a-z\d-]{2,63}$/.test(email);

/** An e-mail address in stored form; undefined if the text can't be one. */
export const readEmail = (text: string): string | undefined =>
  /^(?=.{3,254}$)[!-?A-~]+@[!-?A-~]+$/.test(text)
    ? text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
    : undefined;

/** The hourly counter that all keys of a member in a project share. */
export const counterOf = ({ id, project, term }: Pick<Membership, 'id' | 'project' | 'term'>): string =>
  `${id}@${project}@${term}`;

/** The hash under which the table stores sessions, attempts and issuers' accounts. */
export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

export const sessionMs = 12 * hourMs;
export const keyMs = 15 * minuteMs;

/**
 * Whether a session or key with a lifetime of `ms` is still valid. A later expiry isn't the service's own, so it counts
 * as invalid. Clocks may differ by a minute.
 */
export const isUnexpired = (expiresAt: string, ms: number, now: Date): boolean => {
  const left = Date.parse(expiresAt) - now.getTime();
  return left > 0 && left <= ms + minuteMs;
};

/** The stored part of a member's key. */
export interface MemberKey
  extends Pick<ApiKey, 'keyId' | 'hash' | 'project' | 'createdAt' | 'revokedAt'>,
    Pick<Membership, 'email' | 'term'> {
  /** The member's id. */
  readonly member: string;
  /** The hash of the session that it ends with; keys of earlier versions have none. */
  readonly session?: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

export const memberKeyPrefix = 'dls_m_';
export const memberKeyShape = /^dls_m_[A-Za-z0-9]{40}$/;
export const generateMemberKey = (): string => memberKeyPrefix + randomText(40);

/** A member key's id and hash, or undefined if the text can't be one. */
export const identifyMemberKey = (text: string) =>
  memberKeyShape.test(text) ? identifyKey(text) : undefined;
