import { rateStore } from '../api-keys/rate-store.ts';
import { randomText } from '../base/random-text.ts';
import { existing } from '../projects/project-store.ts';
import { listings, projectKey } from '../table/keys.ts';
import * as keys from '../table/member-keys.ts';
import { itemsOf, listedUnder } from '../table/ranges.ts';
import { ConditionFailed, type Part, type Table } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import { conditionOf, putNew, updateOf } from '../table/update.ts';
import { counterOf, isMailbox, type Member, type MemberKey, type Membership, sha256Of } from './member.ts';
import type { Role } from './roles.ts';
import { membershipOf, storedRole } from './stored-member.ts';

/** The most members of a project, and the most projects of a member: a session shows all of both. */
export const mostMembers = 100;

/** The person who makes a change in the members' console, where only a project's admins may. */
export type Manager = Pick<Member, 'email' | 'id'>;

interface Change extends Pick<Member, 'email' | 'project'> {
  /** Null to remove the member. */
  readonly role: Role | null;
}

/** Why a change isn't possible: the name of its message. */
export type MemberFault =
  | 'lastAdmin'
  | 'noMember'
  | 'notAdmin'
  | 'notMailbox'
  | 'notMember'
  | 'tooManyMembers'
  | 'tooManyProjects';

/** The conditions of a change. */
interface Guard {
  /** Whether the changed member is the admin who makes the change. */
  readonly isOwn: boolean;
  /** Parts of the transaction. */
  readonly checks: readonly Part[];
}

/** Projects' members, as managed by operators, and by their admins. */
export const memberStore = (table: Table) => {
  /** A membership, if it exists, with the person's id and all of their projects. */
  const look = async (email: string, project: string) => {
    const found = [keys.memberKey(project, email), keys.personKey(email)].map((key) => table.get(key));
    const [member, person] = await Promise.all(found);
    const projects = (person?.projects ?? new Set()) as ReadonlySet<string>;
    return { member: member && membershipOf(member), id: person && String(person.id), projects };
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

  const of = async (project: string): Promise<Membership[]> =>
    (await table.query(itemsOf(keys.membersOf(project)))).map(membershipOf);

  /** Adds a member to a project, or changes a member's role. Resolves to a text if that isn't possible. */
  const add = (wanted: Change & { readonly role: Role }, now: Date, by?: Manager) =>
    untilMet(async (): Promise<Member | MemberFault> => {
      const { email, project, role } = wanted;
      const { member: known, id, projects } = await look(email, project);
      const guard = guardOf(by ? await of(project) : [], wanted, by);
      if (typeof guard === 'string') return guard;
      if (known) {
        if (known.role === role) return known;
        const [when, values] = still(known, guard.isOwn);
        const remove = role === 'admin' ? [] : ['manages'];
        const change = { set: storedRole(role), remove, when, values };
        const Update = updateOf(keys.memberKey(project, email), change);
        await (by ? table.transact([{ Update }, ...guard.checks]) : table.update(Update));
        return { ...known, role };
      }
      if (!isMailbox(email)) return 'notMailbox';
      if (projects.size >= mostMembers) return 'tooManyProjects';
      const fresh = { createdAt: now.toISOString(), term: randomText(16) };
      const member: Membership = { id: id ?? `m_${randomText(16)}`, ...wanted, ...fresh };
      try {
        await table.transact([...additionOf(member, id !== undefined), ...guard.checks]);
        return member;
      } catch (error) {
        // The failed part's position shows the reason. Any other is a concurrent change, which is retried.
        if (error instanceof ConditionFailed && error.part === 0) return 'notMember';
        if (error instanceof ConditionFailed && error.part === 1) return 'tooManyMembers';
        throw error;
      }
    });

  /** Ends a membership, and revokes the member's keys. Resolves to a text if that isn't possible. */
  const remove = (email: string, project: string, now: Date, by?: Manager) =>
    untilMet(async (): Promise<Member | MemberFault> => {
      const { member, projects } = await look(email, project);
      const guard = guardOf(by ? await of(project) : [], { email, project, role: null }, by);
      if (typeof guard === 'string') return guard;
      if (!member) return 'noMember';
      const isLast = [...projects].every((one) => one === project);
      const forgotten = isLast ? await notesOf(member.id) : [];
      const closing = rateStore(table).closing({ counter: counterOf(member) }, now);
      const condition = conditionOf(...still(member, guard.isOwn));
      await table.transact([
        { Delete: { Key: keys.memberKey(project, email), ...condition } },
        ...removalOf(member, projects, isLast),
        ...guard.checks,
        ...forgotten,
        ...closing,
      ]);
      return member;
    });

  return {
    add,
    remove,

    /** A change by an admin of the project. Resolves to a text if it isn't possible. */
    change: (by: Manager, { email, project, role }: Change, now: Date) =>
      role === null ? remove(email, project, now, by) : add({ email, project, role }, now, by),

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

    of: (project: string): Promise<Member[]> => of(project),

    all: async (): Promise<Member[]> => (await table.query(listedUnder(listings.members))).map(membershipOf),
  };
};

/**
 * An admin's change requires that an admin stays: the one who makes it or, if that one leaves, another one. If two
 * admins remove each other at the same time, the second one's condition fails, and its change is judged again.
 */
const guardOf = (
  members: readonly Membership[],
  { email, project, role }: Change,
  by?: Manager,
): Guard | MemberFault => {
  const admins = members.filter((one) => one.role === 'admin');
  const self = admins.find((one) => one.email === by?.email && one.id === by.id);
  if (by && !self) return 'notAdmin';
  const isOwn = email === self?.email;
  const rest = isOwn ? admins.find((one) => one !== self) : self;
  if (isOwn && !rest && role !== 'admin') return 'lastAdmin';
  const Key = keys.memberKey(project, rest?.email ?? '');
  return { isOwn, checks: rest ? [{ ConditionCheck: { Key, ...conditionOf(...still(rest, true)) } }] : [] };
};

/** The condition that a membership is still the one that was read or, of an admin, still an admin's. */
const still = (
  { term }: Membership,
  isAdmin: boolean,
): readonly [when: string, values: Readonly<Record<string, unknown>>] => [
  `#term = :term${isAdmin ? ' AND #role = :editor AND #manages = :true' : ''}`,
  { term, editor: 'editor', true: true },
];

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
    putNew(keys.memberKey(project, email), {
      ...{ ...keys.memberListing(project, email), ...member },
      ...storedRole(member.role),
    }),
    { Update: updateOf(keys.personKey(email), { ...joins, add: { projects: new Set([project]) } }) },
  ];
};

/** The further writes that end a membership. A person without projects is deleted. */
const removalOf = (
  { id, email, project }: Membership,
  projects: ReadonlySet<string>,
  isLast: boolean,
): Part[] => {
  const [Key, when, values] = [keys.personKey(email), '#projects = :seen', { seen: projects }];
  const leaves = { take: { projects: new Set([project]) }, when, values };
  return [
    { Update: updateOf(keys.memberCountKey(project), { add: { n: -1 } }) },
    { Delete: { Key: keys.keyCountKey(id, project) } },
    isLast ? { Delete: { Key, ...conditionOf(when, values) } } : { Update: updateOf(Key, leaves) },
  ];
};
