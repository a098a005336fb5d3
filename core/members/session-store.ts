import { randomBytes } from 'node:crypto';
import { minuteMs } from '../base/durations.ts';
import { type Key, projectKey } from '../table/keys.ts';
import * as keys from '../table/member-keys.ts';
import { itemsOf } from '../table/ranges.ts';
import { type Item, putIfFree, type Table } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import { conditionOf, putNew } from '../table/update.ts';
import { exchangeForKey } from './key-exchange.ts';
import { isUnexpired, type Member, type MemberKey, sessionMs, sha256Of } from './member.ts';
import { membershipOf } from './stored-member.ts';

/** Lifetime of a used attempt: longer than a browser keeps its cookie. */
const attemptMs = 15 * minuteMs;

/** A member of at least one project. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly projects: readonly string[];
}

const tokenKey = (token: string) => keys.sessionKey(sha256Of(token));

/** Sign-in's operations on the table. Sessions begun by another function are ignored. */
export const sessionStore = (table: Table, beganBy = '') => {
  const personOf = async (email: string): Promise<Person | undefined> => {
    const item = await table.get(keys.personKey(email));
    const projects = [...((item?.projects ?? []) as Iterable<string>)].sort();
    return item && projects.length > 0 ? { id: String(item.id), email, projects } : undefined;
  };

  /** Binds a member to an account of the issuer. A member's existing binding decides, even if 1.2 bound two to one account. */
  const note = ({ id, email }: Person, subject: string) =>
    untilMet(async () => {
      const [ownKey, accountKey] = [keys.subjectKey(id), keys.accountKey(sha256Of(subject))];
      const [own, account] = await Promise.all([table.get(ownKey), table.get(accountKey)]);
      if (own && own.subject !== subject) return 'other subject';
      if (own && account?.member === id) return undefined;
      // The other member may have been removed meanwhile.
      if (account && account.member !== id && (await personOf(String(account.email)))?.id === account.member)
        return own ? undefined : 'other member';
      const isSame = conditionOf('attribute_not_exists(#PK) OR #subject = :subject', { subject });
      const Item = { ...accountKey, member: id, email };
      const isSeen = conditionOf('#member = :seen', { seen: account?.member });
      await table.transact([
        { Put: { Item: { ...ownKey, subject }, ...isSame } },
        account ? { Put: { Item, ...isSeen } } : putNew(accountKey, Item),
      ]);
      return undefined;
    });

  return {
    /** Marks a sign-in attempt as used. False if it was used before. */
    useAttempt: (state: string, now: Date): Promise<boolean> =>
      putIfFree(table, {
        ...keys.signInAttemptKey(sha256Of(state)),
        ...keys.endAfter(now, attemptMs),
        createdAt: now.toISOString(),
      }),

    /**
     * Begins a member's session and resolves to its token. `stranger` if nobody with this address is a member, `other
     * subject` if another account is bound to it, `other member` if this account is bound to another member.
     */
    async begin(email: string, subject: string, now: Date) {
      const person = await personOf(email);
      if (!person) return 'stranger';
      const refusal = await note(person, subject);
      if (refusal) return refusal;
      const token = randomBytes(32).toString('base64url');
      const session = { email, id: person.id, beganBy, ...keys.endAfter(now, sessionMs) };
      await table.put({ Item: { ...tokenKey(token), ...session } });
      return { token };
    },

    /** A valid session of somebody who is still a member. */
    async find(token: string, now: Date) {
      const item = await table.get(tokenKey(token));
      const expiresAt = String(item?.expiresAt);
      if (item?.beganBy !== beganBy || !isUnexpired(expiresAt, sessionMs, now)) return undefined;
      const person = await personOf(String(item.email));
      return person && person.id === item.id ? { ...person, expiresAt, session: sha256Of(token) } : undefined;
    },

    end: (token: string): Promise<void> => table.delete({ Key: tokenKey(token) }),

    /** A person's projects without deleted ones. */
    async projects({ email, id: own, projects }: Person) {
      const asked = projects.flatMap((one) => [projectKey(one), keys.memberKey(one, email)]);
      const found = new Map((await table.batchGet(asked)).map((item) => [String(item.PK), item]));
      const at = ({ PK }: Key) => found.get(PK);
      return projects.flatMap((id) => {
        const member = at(keys.memberKey(id, email));
        return member?.id === own ? shown(id, at(projectKey(id)), membershipOf(member)) : [];
      });
    },

    /** A project with its members; undefined if the person isn't one, or the project is deleted. Admins see roles. */
    async project({ email, id: own }: Person, id: string) {
      const [project, found] = await Promise.all([
        table.get(projectKey(id)),
        table.query(itemsOf(keys.membersOf(id))),
      ]);
      const all = found.map(membershipOf);
      const member = all.find((one) => one.email === email && one.id === own);
      const [known] = member ? shown(id, project, member) : [];
      const mayManage = member?.role === 'admin';
      const members = all.map(({ id, email, role, createdAt }) => ({
        ...{ id, email },
        ...(mayManage && { project: known?.id, role, createdAt }),
      }));
      return known && { ...known, members };
    },

    exchange: (person: Person & Pick<MemberKey, 'session'>, project: string, now: Date) =>
      exchangeForKey(table, { ...person, project }, now),
  };
};

const shown = (id: string, project: Item | undefined, { role }: Member) =>
  !project || project.deletedAt !== undefined ? [] : [{ id, name: String(project.name), role }];
