import { randomText } from '../base/random-text.ts';
import { type ApiKey, identifyKey } from '../keys/api-key.ts';

/** The stored part of a key that a session was exchanged for. */
export interface MemberKey extends Pick<ApiKey, 'keyId' | 'hash' | 'project' | 'createdAt' | 'revokedAt'> {
  readonly member: string;
  readonly email: string;
  /** The term of the membership that it was made in. */
  readonly term: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

export const memberKeyPrefix = 'dls_m_';

export const memberKeyShape = /^dls_m_[A-Za-z0-9]{40}$/;

export const generateMemberKey = (): string => memberKeyPrefix + randomText(40);

/** The stored identity of a key, or nothing if the text can't be one. */
export const identifyMemberKey = (text: string) =>
  memberKeyShape.test(text) ? identifyKey(text) : undefined;
