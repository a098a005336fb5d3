import { createHash, randomBytes } from 'node:crypto';
import { epochSeconds, hourMs, minuteMs } from '../base/durations.ts';
import { identifyKey } from '../keys/api-key.ts';
import { contentOf } from '../table/content.ts';
import { projectKey, tableSchema } from '../table/keys.ts';
import * as keys from '../table/member-keys.ts';
import { itemsOf } from '../table/ranges.ts';
import { met, type Table } from '../table/table.ts';
import { untilMet } from '../table/until-met.ts';
import { conditionOf, updateOf } from '../table/update.ts';
import { generateMemberKey, type MemberKey, type Membership } from './member.ts';

export const sessionMs = 12 * hourMs;
const keyMs = 15 * minuteMs;
/** Keys that a member has of a project at a time. */
const mostKeys = 20;
/** Whoever writes in between has made a key, so the last of these finds them all made. */
const tries = mostKeys + 1;
/** Projects that are read at a time. */
const projectsAtOnce = 10;

/** Somebody who is a member of at least one project. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly projects: readonly string[];
}

const tokenKey = (token: string) => keys.sessionKey(createHash('sha256').update(token).digest('hex'));

/** When what begins now and lasts so long is over, as items say it. */
const endAfter = (now: Date, ms: number) => {
  const end = now.getTime() + ms;
  return { expiresAt: new Date(end).toISOString(), [tableSchema.ttl]: epochSeconds(end) };
};

/** What signing in needs of the table. Sessions that another function has begun are none. */
export const sessionStore = (table: Table, beganBy = '') => {
  const personOf = async (email: string): Promise<Person | undefined> => {
    const item = await table.get(keys.personKey(email));
    const projects = [...((item?.projects ?? []) as Iterable<string>)].sort();
    return item && projects.length > 0 ? { id: String(item.id), email, projects } : undefined;
  };

  /** Undefined if the person is no member of the project, or it is deleted. */
  const projectOf = async ({ email, id: own }: Person, project: string) => {
    const [stored, found] = await Promise.all([
      table.get(projectKey(project)),
      table.query(itemsOf(keys.membersOf(project))),
    ]);
    const all = found.map(contentOf<Membership>);
    const role = all.find((one) => one.email === email && one.id === own)?.role;
    if (!role || !stored || stored.deletedAt !== undefined) return [];
    const members = all.map(({ id, email }) => ({ id, email }));
    return [{ id: project, name: String(stored.name), role, members }];
  };

  return {
    /**
     * Begins a session of a member and resolves to its token. `stranger` if nobody with this address is a member;
     * `other subject` if somebody else has signed in with it.
     */
    async begin(email: string, subject: string, now: Date) {
      const person = await personOf(email);
      if (!person) return 'stranger';
      const note = table.put({
        Item: { ...keys.subjectKey(person.id), subject },
        ...conditionOf('attribute_not_exists(#PK) OR #subject = :subject', { subject }),
      });
      if (!(await met(note))) return 'other subject';
      const token = randomBytes(32).toString('base64url');
      const session = { email, id: person.id, beganBy, ...endAfter(now, sessionMs) };
      await table.put({ Item: { ...tokenKey(token), ...session } });
      return { token };
    },

    /** A session that has not ended, of somebody who is still a member. */
    async find(token: string, now: Date) {
      const item = await table.get(tokenKey(token));
      const expiresAt = String(item?.expiresAt);
      if (item?.beganBy !== beganBy || Date.parse(expiresAt) <= now.getTime()) return undefined;
      const person = await personOf(String(item.email));
      return person && person.id === item.id ? { ...person, expiresAt } : undefined;
    },

    end: (token: string): Promise<void> => table.delete({ Key: tokenKey(token) }),

    /** The projects of a person, with their members. */
    async projects(person: Person) {
      const read: Awaited<ReturnType<typeof projectOf>> = [];
      for (let i = 0; i < person.projects.length; i += projectsAtOnce) {
        const some = person.projects.slice(i, i + projectsAtOnce);
        read.push(...(await Promise.all(some.map((project) => projectOf(person, project)))).flat());
      }
      return read;
    },

    /** Makes a key of a project for its member. `stranger` for anybody else; `too many` while the member has enough. */
    exchange: ({ email, id }: Person, project: string, now: Date) =>
      untilMet(async () => {
        const heldKey = keys.heldKeysKey(id, project);
        const [item, held] = await Promise.all([
          table.get(keys.memberKey(project, email)),
          table.get(heldKey),
        ]);
        const member = item && contentOf<Membership>(item);
        if (member?.id !== id) return 'stranger';
        const seen = held?.ends as number[] | undefined;
        const ends = seen?.filter((end) => end > now.getTime()) ?? [];
        if (ends.length >= mostKeys) return 'too many';
        const key = generateMemberKey();
        const { expiresAt, ...ttl } = endAfter(now, keyMs);
        const stored = { ...identifyKey(key), project, createdAt: now.toISOString(), expiresAt };
        const Item: MemberKey = { ...stored, member: id, email, term: member.term };
        const holding = {
          set: { ends: [...ends, Date.parse(expiresAt)], ...ttl },
          when: seen ? '#ends = :seen' : 'attribute_not_exists(#ends)',
          values: { seen },
        };
        await table.update(updateOf(heldKey, holding));
        await table.put({ Item: { ...keys.memberKeyKey(Item.keyId), ...Item, ...ttl } });
        return { key, expiresAt };
      }, tries),
  };
};
