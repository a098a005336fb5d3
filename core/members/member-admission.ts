import { timingSafeEqual } from 'node:crypto';
import { memberKey, memberKeyKey } from '../table/member-keys.ts';
import type { Items } from '../table/table.ts';
import { counterOf, type Membership, roleScopes } from './member.ts';
import { identifyMemberKey, type MemberKey } from './member-key.ts';

/** What an authorizer needs of members' keys. */
export const memberKeyStore = (table: Pick<Items, 'get'>) => ({
  /**
   * Whose key it is, and what the member's role allows now; undefined for a key that is malformed, unknown, over or
   * revoked, or whose membership has ended.
   */
  async admit(text: string, now: Date) {
    const identity = identifyMemberKey(text);
    const item = identity && (await table.get(memberKeyKey(identity.keyId)));
    if (!identity || !item) return undefined;
    const key = item as unknown as MemberKey;
    const isSame = timingSafeEqual(Buffer.from(key.hash), Buffer.from(identity.hash));
    if (!isSame || key.revokedAt !== undefined || Date.parse(key.expiresAt) <= now.getTime())
      return undefined;
    const member = (await table.get(memberKey(key.project, key.email))) as Membership | undefined;
    if (!member || member.term !== key.term || member.id !== key.member) return undefined;
    const { keyId, project, expiresAt } = key;
    return {
      ...{ keyId, project, expiresAt },
      scopes: roleScopes[member.role] ?? [],
      createdBy: member.id,
      counter: counterOf(member),
    };
  },
});
