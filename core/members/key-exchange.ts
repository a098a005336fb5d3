import { identifyKey } from '../api-keys/api-key.ts';
import * as keys from '../table/member-keys.ts';
import type { Table } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import { conditionOf, putNew, updateOf } from '../table/update.ts';
import { generateMemberKey, keyMs, type Member, type MemberKey, type Membership } from './member.ts';
import { membershipOf } from './stored-member.ts';

/** The most keys of a member for a project at a time. */
const mostKeys = 20;
/** The most keys that a member may create for a project in a quarter of an hour. */
const mostExchanges = 300;
type Asking = Pick<Member, 'email' | 'id' | 'project'> & Pick<MemberKey, 'session'>;

/** Creates a member's key, which replaces the oldest of twenty. `stranger` for anybody else; `too many` over the limit. */
export const exchangeForKey = async (table: Table, { email, id, project, session }: Asking, now: Date) => {
  const item = await table.get(keys.memberKey(project, email));
  const member = item && membershipOf(item);
  if (member?.id !== id) return 'stranger';
  const number = await countKey(table, member, now);
  if (number === undefined) return 'too many';
  const key = generateMemberKey();
  const identity = identifyKey(key);
  const { expiresAt, ttl } = keys.endAfter(now, keyMs);
  const made = { ...identity, project, createdAt: now.toISOString(), expiresAt };
  const Item: MemberKey = { ...made, ...(session && { session }), member: id, email, term: member.term };
  const placeKey = keys.heldKeyKey(id, project, number % mostKeys);
  const place = { ...placeKey, keyId: identity.keyId, ttl };
  await untilMet(async () => {
    const held = await table.get(placeKey);
    const isSeen = conditionOf('#keyId = :seen', { seen: held?.keyId });
    await table.transact([
      held ? { Put: { Item: place, ...isSeen } } : putNew(placeKey, place),
      ...(held ? [{ Delete: { Key: keys.memberKeyKey(String(held.keyId)) } }] : []),
      putNew(keys.memberKeyKey(identity.keyId), { ...Item, ttl }),
    ]);
  });
  return { key, expiresAt };
};

/** The number of a member's next key for a project; undefined over the limit of a quarter of an hour. */
const countKey = (table: Table, { id, project }: Membership, now: Date) =>
  untilMet(async () => {
    const key = keys.keyCountKey(id, project);
    const {
      since,
      n: made = 0,
      most = 0,
    } = ((await table.get(key)) ?? {}) as Partial<Record<string, number>>;
    const isOver = since === undefined || since + keyMs <= now.getTime();
    if (!isOver && made >= most) return undefined;
    const { ttl } = keys.endAfter(now, keyMs);
    const begins = isOver && { since: now.getTime(), most: made + mostExchanges };
    const counting = {
      set: { ttl, ...begins },
      add: { n: 1 },
      when:
        since === undefined
          ? 'attribute_not_exists(#since)'
          : `#since = :seen${isOver ? '' : ' AND #n < #most'}`,
      values: { seen: since },
    };
    const { n } = await table.update({ ...updateOf(key, counting), ReturnValues: 'UPDATED_NEW' });
    return Number(n);
  });
