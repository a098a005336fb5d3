import { rateStore } from '../api-keys/rate-store.ts';
import { randomText } from '../base/random-text.ts';
import { existing } from '../projects/project-store.ts';
import { contentOf } from '../table/content.ts';
import { listings, projectKey } from '../table/keys.ts';
import * as keys from '../table/member-keys.ts';
import { itemsOf, listedUnder } from '../table/ranges.ts';
import { ConditionFailed, type Part, type Table } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import { conditionOf, putNew, updateOf } from '../table/update.ts';
import { counterOf, type Member, type MemberKey, type Membership, sha256Of } from './member.ts';

/** The most members of a project, and the most projects of a member: a session shows all of both. */
export const mostMembers = 100;

/** Projects' members, as managed by operators. */
export const memberStore = (table: Table) => {
  /** A membership, if it exists, with the person's id and all of their projects. */
  const look = async (email: string, project: string) => {
    const found = [keys.memberKey(project, email), keys.personKey(email)].map((key) => table.get(key));
    const [member, person] = await Promise.all(found);
    const projects = (person?.projects ?? new Set()) as ReadonlySet<string>;
    return { member: member && contentOf<Membership>(member), id: person && String(person.id), projects };
  };

  /** Writes that delete the account bound at the first sign-in. They fail if another sign-in binds one meanwhile. */
  const notesOf = async (id: string): Promise<Part[]> => {
    const absent = conditionOf('attribute_not_exists(#PK)');
    const subjectKey = keys.subjectKey(id);
    const noted = await table.get(subjectKey);
    if (!noted) return [{ Delete: { Key: subjectKey, ...absent } }];
    const accountKey = keys.accountKey(sha256Of(String(noted.subject)));
    const account = await table.get(accountKey);
    const isOthers = account !== undefined && account.member !== id;
    return [
      { Delete: { Key: subjectKey } },
      ...(isOthers ? [] : [{ Delete: { Key: accountKey, ...(account ? {} : absent) } }]),
    ];
  };

  const findKey = async (keyId: string): Promise<MemberKey | undefined> =>
    (await table.get(keys.memberKeyKey(keyId))) as MemberKey | undefined;

  return {
    /** Adds a member to a project, or changes a member's role. Resolves to a text if that isn't possible. */
    add: (wanted: Pick<Member, 'email' | 'project' | 'role'>, now: Date) =>
      untilMet(async (): Promise<Member | 'no project' | 'full' | 'too many projects'> => {
        const { email, project, role } = wanted;
        const { member: known, id, projects } = await look(email, project);
        if (known) {
          const change = { set: { role }, when: '#term = :term', values: { term: known.term } };
          await table.update(updateOf(keys.memberKey(project, email), change));
          return { ...known, role };
        }
        if (projects.size >= mostMembers) return 'too many projects';
        const fresh = { createdAt: now.toISOString(), term: randomText(16) };
        const member: Membership = { id: id ?? `m_${randomText(16)}`, ...wanted, ...fresh };
        try {
          await table.transact(additionOf(member, id !== undefined));
          return member;
        } catch (error) {
          // The failed part's position shows the reason. Any other is a concurrent addition, which is retried.
          if (error instanceof ConditionFailed && error.part === 0) return 'no project';
          if (error instanceof ConditionFailed && error.part === 1) return 'full';
          throw error;
        }
      }),

    /** Ends a membership, and revokes the member's keys. Undefined if there is no such member. */
    remove: (email: string, project: string, now: Date): Promise<Member | undefined> =>
      untilMet(async () => {
        const { member, projects } = await look(email, project);
        if (!member) return undefined;
        const isLast = [...projects].every((one) => one === project);
        const forgotten = isLast ? await notesOf(member.id) : [];
        const closing = rateStore(table).closing({ counter: counterOf(member) }, now);
        await table.transact([...removalOf(member, projects, isLast), ...forgotten, ...closing]);
        return member;
      }),

    findKey,

    /** Revokes a member's key at once. Undefined if there is no such key. */
    async revokeKey(keyId: string, now: Date): Promise<MemberKey | undefined> {
      const key = await findKey(keyId);
      if (!key) return undefined;
      const revokedAt = key.revokedAt ?? now.toISOString();
      const counter = counterOf({ ...key, id: key.member });
      const revoking = { first: { revokedAt }, when: 'attribute_exists(PK)' };
      await table.transact([
        { Update: updateOf(keys.memberKeyKey(keyId), revoking) },
        ...rateStore(table).closing({ keyId, counter }, now),
      ]);
      return { ...key, revokedAt };
    },

    of: async (project: string): Promise<Member[]> =>
      (await table.query(itemsOf(keys.membersOf(project)))).map(contentOf<Membership>),

    all: async (): Promise<Member[]> =>
      (await table.query(listedUnder(listings.members))).map(contentOf<Membership>),
  };
};

const additionOf = (member: Membership, isKnown: boolean): Part[] => {
  const { id, email, project } = member;
  const when = 'attribute_not_exists(#n) OR #n < :most';
  const room = { add: { n: 1 }, when, values: { most: mostMembers } };
  const joins = isKnown
    ? { when: '#id = :known', values: { known: id } }
    : { set: { id, email }, when: 'attribute_not_exists(#id)' };
  return [
    { ConditionCheck: { Key: projectKey(project), ...conditionOf(existing) } },
    { Update: updateOf(keys.memberCountKey(project), room) },
    putNew(keys.memberKey(project, email), { ...keys.memberListing(project, email), ...member }),
    { Update: updateOf(keys.personKey(email), { ...joins, add: { projects: new Set([project]) } }) },
  ];
};

/** The writes that end a membership. A person without projects is deleted. */
const removalOf = (
  { id, email, project, term }: Membership,
  projects: ReadonlySet<string>,
  isLast: boolean,
): Part[] => {
  const [Key, when, values] = [keys.personKey(email), '#projects = :seen', { seen: projects }];
  const leaves = { take: { projects: new Set([project]) }, when, values };
  return [
    { Delete: { Key: keys.memberKey(project, email), ...conditionOf('#term = :term', { term }) } },
    { Update: updateOf(keys.memberCountKey(project), { add: { n: -1 } }) },
    { Delete: { Key: keys.keyCountKey(id, project) } },
    isLast ? { Delete: { Key, ...conditionOf(when, values) } } : { Update: updateOf(Key, leaves) },
  ];
};
