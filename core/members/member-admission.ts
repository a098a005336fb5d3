import { timingSafeEqual } from 'node:crypto';
import { memberKey, memberKeyKey, sessionKey } from '../table/member-keys.ts';
import type { Items } from '../table/table.ts';
import {
  counterOf,
  identifyMemberKey,
  isUnexpired,
  keyMs,
  type MemberKey,
  type Membership,
} from './member.ts';
import { roleScopes } from './roles.ts';

export const memberKeyStore = (table: Pick<Items, 'get'>) => ({
  /**
   * A key's member with the scopes of the current role. Undefined if the key is malformed, unknown, expired or revoked,
   * or the membership or its session has ended.
   */
  async admit(text: string, now: Date) {
    const identity = identifyMemberKey(text);
    const key = identity && ((await table.get(memberKeyKey(identity.keyId))) as MemberKey | undefined);
    if (!key || !timingSafeEqual(Buffer.from(key.hash), Buffer.from(identity.hash))) return undefined;
    if (key.revokedAt !== undefined || !isUnexpired(key.expiresAt, keyMs, now)) return undefined;
    const { keyId, project, expiresAt } = key;
    const [member, session] = await Promise.all([
      table.get(memberKey(project, key.email)) as Promise<Membership | undefined>,
      key.session === undefined ? {} : table.get(sessionKey(key.session)),
    ]);
    if (member?.term !== key.term || !session) return undefined;
    const scopes = roleScopes[member.role] ?? [];
    return { keyId, project, expiresAt, scopes, createdBy: member.id, counter: counterOf(member) };
  },
});
