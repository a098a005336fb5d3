import { rateStore } from '../keys/rate-store.ts';
import { existing } from '../projects/project-store.ts';
import { listings, projectKey } from '../table/keys.ts';
import {
  memberCountKey,
  memberKey,
  memberKeyKey,
  memberListing,
  membersOf,
  personKey,
  subjectKey,
} from '../table/member-keys.ts';
import { itemsOf, listedUnder } from '../table/ranges.ts';
import { ConditionFailed, type Item, type Part, type Table } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import { conditionOf, updateOf } from '../table/update.ts';
import { counterOf, type Member, type Membership, newMemberId, newTerm } from './member.ts';
import type { MemberKey } from './member-key.ts';

/** Members that a project may have. */
export const mostMembers = 100;

export const membershipFrom = ({ PK, SK, LPK, LSK, ...membership }: Item) =>
  membership as unknown as Membership;

/** What keeps somebody from becoming a member. */
export type Refusal = 'no project' | 'full';

/** The members of projects, as operators keep them. */
export const memberStore = (table: Table) => ({
  /** Makes somebody a member of a project, or gives a member another role. */
  add: (wanted: Pick<Member, 'email' | 'project' | 'role'>, now: Date): Promise<Member | Refusal> =>
    untilMet(async () => {
      const { email, project, role } = wanted;
      const [known, person] = await Promise.all([
        table.get(memberKey(project, email)),
        table.get(personKey(email)),
      ]);
      if (known) {
        const { term } = membershipFrom(known);
        const change = { set: { role }, when: '#term = :term', values: { term } };
        await table.update(updateOf(memberKey(project, email), change));
        return { ...membershipFrom(known), role };
      }
      const id = String(person?.id ?? newMemberId());
      const member: Membership = { id, ...wanted, createdAt: now.toISOString(), term: newTerm() };
      try {
        await table.transact(additionOf(member, person !== undefined));
        return member;
      } catch (error) {
        // The parts say by their order what was in the way; another addition at the same time may have been.
        if (error instanceof ConditionFailed && error.part === 0) return 'no project';
        if (error instanceof ConditionFailed && error.part === 1) return 'full';
        throw error;
      }
    }),

  /** Ends a membership, and what the member may still do by keys. Nothing if there is no such member. */
  remove: (email: string, project: string, now: Date): Promise<Member | undefined> =>
    untilMet(async () => {
      const [known, person] = await Promise.all([
        table.get(memberKey(project, email)),
        table.get(personKey(email)),
      ]);
      if (!known) return undefined;
      const member = membershipFrom(known);
      await table.transact([
        ...removalOf(member, (person?.projects ?? new Set()) as ReadonlySet<string>),
        ...rateStore(table).closing({ counter: counterOf(member) }, now),
      ]);
      return member;
    }),

  /** Ends one key of a member's, at once. Its project; nothing if there is no such key. */
  async revokeKey(keyId: string, now: Date): Promise<MemberKey | undefined> {
    const item = await table.get(memberKeyKey(keyId));
    if (!item) return undefined;
    const key = item as unknown as MemberKey;
    const revokedAt = key.revokedAt ?? now.toISOString();
    const counter = counterOf({ ...key, id: key.member });
    await table.transact([
      { Update: updateOf(memberKeyKey(keyId), { first: { revokedAt }, when: 'attribute_exists(PK)' }) },
      ...rateStore(table).closing({ keyId, counter }, now),
    ]);
    return { ...key, revokedAt };
  },

  of: async (project: string): Promise<Member[]> =>
    (await table.query(itemsOf(membersOf(project)))).map(membershipFrom),

  all: async (): Promise<Member[]> => (await table.query(listedUnder(listings.members))).map(membershipFrom),
});

const additionOf = (member: Membership, isKnown: boolean): Part[] => {
  const { id, email, project } = member;
  const room = {
    add: { n: 1 },
    when: 'attribute_not_exists(#n) OR #n < :most',
    values: { most: mostMembers },
  };
  const joins = {
    ...(!isKnown && { set: { id, email } }),
    add: { projects: new Set([project]) },
    when: isKnown ? '#id = :known' : 'attribute_not_exists(#id)',
    ...(isKnown && { values: { known: id } }),
  };
  return [
    { ConditionCheck: { Key: projectKey(project), ...conditionOf(existing) } },
    { Update: updateOf(memberCountKey(project), room) },
    {
      Put: {
        Item: { ...memberKey(project, email), ...memberListing(project, email), ...member },
        ConditionExpression: 'attribute_not_exists(PK)',
      },
    },
    { Update: updateOf(personKey(email), joins) },
  ];
};

/** Who leaves the last project is forgotten, with what the first sign-in noted. */
const removalOf = ({ id, email, project, term }: Membership, projects: ReadonlySet<string>): Part[] => {
  const isLast = [...projects].every((one) => one === project);
  return [
    {
      Delete: {
        Key: memberKey(project, email),
        ...conditionOf('#term = :term', { term }),
      },
    },
    isLast
      ? {
          Delete: {
            Key: personKey(email),
            ...conditionOf('#projects = :seen', { seen: projects }),
          },
        }
      : {
          Update: updateOf(personKey(email), {
            take: { projects: new Set([project]) },
            when: '#projects = :seen',
            values: { seen: projects },
          }),
        },
    { Update: updateOf(memberCountKey(project), { add: { n: -1 } }) },
    ...(isLast ? [{ Delete: { Key: subjectKey(id) } }] : []),
  ];
};
