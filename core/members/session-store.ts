import { createHash, randomBytes } from 'node:crypto';
import { epochSeconds, hourMs, minuteMs } from '../base/durations.ts';
import { projectKey, tableSchema } from '../table/keys.ts';
import {
  heldKeysKey,
  memberKey,
  memberKeyKey,
  membersOf,
  personKey,
  sessionKey,
  subjectKey,
} from '../table/member-keys.ts';
import { itemsOf } from '../table/ranges.ts';
import { met, type Table } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import { conditionOf, updateOf } from '../table/update.ts';
import type { Member, Membership, Role } from './member.ts';
import { generateMemberKey, identifyMemberKey, type MemberKey } from './member-key.ts';
import { membershipFrom } from './member-store.ts';

const sessionMs = 12 * hourMs;
const keyMs = 15 * minuteMs;
/** Keys that a member has of a project at a time. */
const mostKeys = 20;

/** Somebody who is a member of at least one project. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly projects: readonly string[];
}

export interface Session extends Person {
  /** ISO 8601. */
  readonly expiresAt: string;
}

/** A project that a session may work on. */
export interface SessionProject {
  readonly id: string;
  readonly name: string;
  readonly role: Role;
  readonly members: readonly Pick<Member, 'id' | 'email'>[];
}

/** A key, shown this once. */
export interface ExchangedKey {
  readonly key: string;
  /** ISO 8601. */
  readonly expiresAt: string;
}

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

/** What signing in needs of the table. */
export const sessionStore = (table: Table) => ({
  /**
   * Begins a session of a member and resolves to its token. `stranger` if nobody with this address is a member;
   * `other subject` if somebody else has signed in with it.
   */
  async begin(
    email: string,
    subject: string,
    now: Date,
  ): Promise<{ token: string } | 'stranger' | 'other subject'> {
    const person = await find(table, email);
    if (!person) return 'stranger';
    const note = table.put({
      Item: { ...subjectKey(person.id), subject },
      ...conditionOf('attribute_not_exists(#PK) OR #subject = :subject', { subject }),
    });
    if (!(await met(note))) return 'other subject';
    const token = randomBytes(32).toString('base64url');
    const end = now.getTime() + sessionMs;
    const { id } = person;
    await table.put({
      Item: {
        ...sessionKey(hashOf(token)),
        ...{ email, id, expiresAt: new Date(end).toISOString(), [tableSchema.ttl]: epochSeconds(end) },
      },
    });
    return { token };
  },

  /** A session that has not ended, of somebody who is still a member. */
  async find(token: string, now: Date): Promise<Session | undefined> {
    const item = await table.get(sessionKey(hashOf(token)));
    if (!item || Date.parse(String(item.expiresAt)) <= now.getTime()) return undefined;
    const person = await find(table, String(item.email));
    return person && person.id === item.id ? { ...person, expiresAt: String(item.expiresAt) } : undefined;
  },

  async end(token: string): Promise<void> {
    await table.delete({ Key: sessionKey(hashOf(token)) });
  },

  /** One of a person's projects; undefined if the person is no member of it, or it is deleted. */
  async project({ email, id }: Person, project: string): Promise<SessionProject | undefined> {
    const [stored, members] = await Promise.all([
      table.get(projectKey(project)),
      table.query(itemsOf(membersOf(project))),
    ]);
    const own = members.map(membershipFrom).find((one) => one.email === email && one.id === id);
    if (!own || !stored || stored.deletedAt !== undefined) return undefined;
    return {
      id: project,
      name: String(stored.name),
      role: own.role,
      members: members.map(membershipFrom).map(({ id, email }) => ({ id, email })),
    };
  },

  /** Makes a key of a project for its member. `stranger` for anybody else; `too many` while the member has enough keys. */
  exchange: (
    { email, id }: Person,
    project: string,
    now: Date,
  ): Promise<ExchangedKey | 'stranger' | 'too many'> =>
    untilMet(async () => {
      const [item, held] = await Promise.all([
        table.get(memberKey(project, email)),
        table.get(heldKeysKey(id, project)),
      ]);
      const member = item && membershipFrom(item);
      if (member?.id !== id) return 'stranger';
      const ends = ((held?.ends ?? []) as number[]).filter((end) => end > now.getTime());
      if (ends.length >= mostKeys) return 'too many';
      const end = now.getTime() + keyMs;
      const key = generateMemberKey();
      await table.transact([
        {
          Put: {
            Item: { ...itemOf(key, member, now, end), [tableSchema.ttl]: epochSeconds(end) },
            ConditionExpression: 'attribute_not_exists(PK)',
          },
        },
        {
          Update: updateOf(heldKeysKey(id, project), {
            set: { ends: [...ends, end], [tableSchema.ttl]: epochSeconds(end) },
            add: { revision: 1 },
            when: held ? '#revision = :seen' : 'attribute_not_exists(#revision)',
            values: { seen: held?.revision },
          }),
        },
      ]);
      return { key, expiresAt: new Date(end).toISOString() };
    }),
});

const find = async (table: Table, email: string): Promise<Person | undefined> => {
  const item = await table.get(personKey(email));
  const projects = [...((item?.projects ?? []) as Iterable<string>)].sort();
  return item && projects.length > 0 ? { id: String(item.id), email, projects } : undefined;
};

const itemOf = (text: string, { id, email, project, term }: Membership, now: Date, end: number) => {
  const identity = identifyMemberKey(text);
  if (!identity) throw new Error('A generated key must have the shape of a key');
  const key: MemberKey = {
    ...identity,
    project,
    createdAt: now.toISOString(),
    expiresAt: new Date(end).toISOString(),
    member: id,
    email,
    term,
  };
  return { ...memberKeyKey(identity.keyId), ...key };
};
