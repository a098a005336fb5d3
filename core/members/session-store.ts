import { randomBytes } from 'node:crypto';
import { minuteMs } from '../base/durations.ts';
import { contentOf } from '../table/content.ts';
import { type Key, projectKey } from '../table/keys.ts';
import * as keys from '../table/member-keys.ts';
import { itemsOf } from '../table/ranges.ts';
import { type Item, putIfFree, type Table } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import { conditionOf, putNew } from '../table/update.ts';
import { exchangeForKey } from './key-exchange.ts';
import { isUnexpired, type Membership, sessionMs, sha256Of } from './member.ts';

/** Longer than a browser keeps the attempt's cookie. */
const attemptMs = 15 * minuteMs;

/** Somebody who is a member of at least one project. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly projects: readonly string[];
}

const tokenKey = (token: string) => keys.sessionKey(sha256Of(token));

/** What signing in needs of the table. Sessions that another function has begun are none. */
export const sessionStore = (table: Table, beganBy = '') => {
  const personOf = async (email: string): Promise<Person | undefined> => {
    const item = await table.get(keys.personKey(email));
    const projects = [...((item?.projects ?? []) as Iterable<string>)].sort();
    return item && projects.length > 0 ? { id: String(item.id), email, projects } : undefined;
  };

  /** Notes that a member signs in with this account of the issuer. A member's own note counts, even if 1.2 made two of one account. */
  const note = ({ id, email }: Person, subject: string) =>
    untilMet(async () => {
      const [ownKey, accountKey] = [keys.subjectKey(id), keys.accountKey(sha256Of(subject))];
      const [own, account] = await Promise.all([table.get(ownKey), table.get(accountKey)]);
      if (own && own.subject !== subject) return 'other subject';
      if (own && account?.member === id) return undefined;
      // The other member may have been removed while signing in.
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
    /** Uses an attempt to sign in. False if it was used before. */
    useAttempt: (state: string, now: Date): Promise<boolean> =>
      putIfFree(table, {
        ...keys.signInAttemptKey(sha256Of(state)),
        ...keys.endAfter(now, attemptMs),
        createdAt: now.toISOString(),
      }),

    /**
     * Begins a session of a member and resolves to its token. `stranger` if nobody with this address is a member,
     * `other subject` if somebody else has signed in with it, `other member` if this account belongs to another member.
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

    /** A session that has not ended, of somebody who is still a member. */
    async find(token: string, now: Date) {
      const item = await table.get(tokenKey(token));
      const expiresAt = String(item?.expiresAt);
      if (item?.beganBy !== beganBy || !isUnexpired(expiresAt, sessionMs, now)) return undefined;
      const person = await personOf(String(item.email));
      return person && person.id === item.id ? { ...person, expiresAt } : undefined;
    },

    end: (token: string): Promise<void> => table.delete({ Key: tokenKey(token) }),

    /** The projects of a person; those that are deleted are left out. */
    async projects({ email, id: own, projects }: Person) {
      const asked = projects.flatMap((one) => [projectKey(one), keys.memberKey(one, email)]);
      const found = new Map((await table.batchGet(asked)).map((item) => [String(item.PK), item]));
      const at = ({ PK }: Key) => found.get(PK);
      return projects.flatMap((id) => {
        const member = at(keys.memberKey(id, email));
        return member?.id === own ? shown(id, at(projectKey(id)), member as unknown as Membership) : [];
      });
    },

    /** One project with its members; undefined if the person is no member, or it is deleted. */
    async project({ email, id: own }: Person, id: string) {
      const [project, found] = await Promise.all([
        table.get(projectKey(id)),
        table.query(itemsOf(keys.membersOf(id))),
      ]);
      const all = found.map(contentOf<Membership>);
      const member = all.find((one) => one.email === email && one.id === own);
      const [known] = member ? shown(id, project, member) : [];
      return known && { ...known, members: all.map((one) => ({ id: one.id, email: one.email })) };
    },

    exchange: (person: Person, project: string, now: Date) =>
      exchangeForKey(table, { ...person, project }, now),
  };
};

const shown = (id: string, project: Item | undefined, { role }: Membership) =>
  !project || project.deletedAt !== undefined ? [] : [{ id, name: String(project.name), role }];
