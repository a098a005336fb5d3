import { identifyKey } from '../../../core/api-keys/api-key.ts';
import { sha256Of } from '../../../core/members/member.ts';
import { memberStore } from '../../../core/members/member-store.ts';
import { sessionStore } from '../../../core/members/session-store.ts';
import {
  accountKey,
  heldKeyKey,
  keyCountKey,
  memberKeyKey,
  sessionKey,
  subjectKey,
} from '../../../core/table/member-keys.ts';
import { updateOf } from '../../../core/table/update.ts';
import { unique } from '../../support/builders.ts';
import { fileTable } from '../../support/engine.ts';
import { fileFaults, loseNext } from '../../support/faults.ts';
import { fileMembers, later, now } from '../../support/members.ts';
import { ofFile } from '../../support/of-file.ts';
import { tableBefore } from '../../support/table-before.ts';

const db = fileTable();
const faulty = fileFaults(db);
const { stores, aProject, aMember } = fileMembers(db, faulty);
const { members, sessions } = {
  members: ofFile(() => memberStore(db.table)),
  sessions: ofFile(() => stores.sessions),
};

const aSubject = () => unique('subject');
type Begun = Awaited<ReturnType<typeof sessions.begin>>;
const wordOf = (begun: Begun) => (typeof begun === 'string' ? begun : 'session');
const begin = async (email: string, subject: string) => wordOf(await sessions.begin(email, subject, now));

/** As 1.2 notes sign-ins. */
const noteAs12 = (id: string, subject: string) => db.table.put({ Item: { ...subjectKey(id), subject } });

type Member = Awaited<ReturnType<typeof aMember>>;
const exchanged = ({ email, id, project }: Member, at = now) =>
  sessions.exchange({ email, id, projects: [project] }, project, at);
const keyOf = async (member: Member, at = now): Promise<string> => {
  const made = await exchanged(member, at);
  if (typeof made === 'string') throw new Error(made);
  return made.key;
};
const isAdmitted = async (key: string, at = now) => (await stores.keys.admit(key, at)) !== undefined;
const admitted = async (keys: readonly string[], at = now) => {
  const all = await Promise.all(keys.map((key) => isAdmitted(key, at)));
  return keys.filter((_, i) => all[i]);
};
const keysOf = async (member: Member, count: number) => {
  const keys: string[] = [];
  for (let i = 0; i < count; i += 1) keys.push(await keyOf(member));
  return keys;
};

describe('keys of a project', () => {
  test('the 21st ends the oldest', async () => {
    const keys = await keysOf(await aMember(), 23);
    expect(await admitted(keys)).toEqual(keys.slice(3));
  });

  test('twenty of thirty concurrently created ones stay', async () => {
    const member = await aMember();
    const keys = await Promise.all(Array.from({ length: 30 }, () => keyOf(member)));
    expect(await admitted(keys)).toHaveLength(20);
  });

  test('an answer that is lost ends none too late', async () => {
    const member = await aMember();
    const first = await keyOf(member);
    for (const action of ['UpdateItem', 'TransactWriteItems']) {
      const losses = loseNext(faulty, (operation) => operation.endsWith(action));
      expect(await isAdmitted(await keyOf(member))).toBe(true);
      expect(losses()).toBe(1);
    }
    // One number was lost with an answer.
    const keys = await keysOf(member, 18);
    expect(await admitted([first, ...keys])).toEqual(keys);
  });

  test('those of another project and of another member stay', async () => {
    const member = await aMember();
    const elsewhere = await members.add({ ...member, project: await aProject() }, now);
    if (typeof elsewhere === 'string') throw new Error(elsewhere);
    const [own, other] = [await keyOf(elsewhere), await keyOf(await aMember(member.project))];
    await keysOf(member, 21);
    expect(await admitted([own, other])).toEqual([own, other]);
  });

  test('those that 1.2 made run out, and end no others', async () => {
    const member = await aMember();
    const before = await keysOf(member, 3);
    // 1.2 kept no places.
    for (const place of [1, 2, 3])
      await db.table.delete({ Key: heldKeyKey(member.id, member.project, place) });
    const keys = await keysOf(member, 21);
    expect(await admitted([...before, ...keys])).toEqual([...before, ...keys.slice(1)]);
    expect(await admitted(before, later(15))).toEqual([]);
  });

  test('three hundred may be made in a quarter of an hour', async () => {
    const member = await aMember();
    await keyOf(member);
    const countKey = keyCountKey(member.id, member.project);
    expect(await db.table.get(countKey)).toMatchObject({ n: 1, most: 300 });
    await db.table.update(updateOf(countKey, { set: { n: 290 } }));
    const made = await Promise.all(Array.from({ length: 12 }, () => exchanged(member)));
    expect(made.filter((one) => one === 'too many')).toHaveLength(2);
    expect(await exchanged(member, later(14.9))).toBe('too many');
    for (let i = 0; i < 2; i += 1)
      expect(await isAdmitted(await keyOf(member, later(15)), later(15))).toBe(true);
    expect(await exchanged(await aMember(member.project))).toHaveProperty('key');
  });

  test('a member who is removed and added again gets new ones at once, and no earlier one comes back', async () => {
    const member = await aMember();
    await members.add({ ...member, project: await aProject() }, now);
    const before = await Promise.all(Array.from({ length: 25 }, () => keyOf(member)));
    await members.remove(member.email, member.project, now);
    await members.add(member, now);
    const keys = await keysOf(member, 2);
    expect(await admitted([...before, ...keys])).toEqual(keys);
  });
});

describe('an end beyond the allowed time was not set by the service', () => {
  test.each([
    ['a key', 15],
    ['a session', 720],
  ])('%s', async (what, minutes) => {
    const member = await aMember();
    const subject = aSubject();
    const begun = await sessions.begin(member.email, subject, now);
    if (typeof begun === 'string') throw new Error(begun);
    const key = await keyOf(member);
    const [Key, isGood] =
      what === 'a key'
        ? [memberKeyKey(identifyKey(key).keyId), () => isAdmitted(key)]
        : [sessionKey(sha256Of(begun.token)), async () => Boolean(await sessions.find(begun.token, now))];
    // A minute for clocks that differ.
    for (const [more, good] of [
      [1, true],
      [1.1, false],
      [60, false],
    ] as const) {
      const expiresAt = later(minutes + more).toISOString();
      await db.table.update(updateOf(Key, { set: { expiresAt } }));
      expect(await isGood()).toBe(good);
    }
    await db.table.update(updateOf(Key, { set: { expiresAt: 'never' } }));
    expect(await isGood()).toBe(false);
  });
});

describe("an issuer's account", () => {
  test('is one member', async () => {
    const [ann, bob, subject] = [await aMember(), await aMember(), aSubject()];
    expect(await begin(ann.email, subject)).toBe('session');
    expect(await begin(bob.email, subject)).toBe('other member');
    expect(await begin(bob.email, aSubject())).toBe('session');
    expect(await begin(ann.email, subject)).toBe('session');
    expect(await begin(ann.email, aSubject())).toBe('other subject');
  });

  test('is one member also if it comes with two addresses at once, and a member has one account', async () => {
    for (let round = 0; round < 3; round += 1) {
      const [ann, bob, subject] = [await aMember(), await aMember(), aSubject()];
      const both = [begin(ann.email, subject), begin(bob.email, subject), begin(ann.email, subject)];
      const words = await Promise.all(both);
      expect(words[0]).toBe(words[2]);
      expect(words.slice(0, 2).sort()).toEqual(['other member', 'session']);
      const [kim, one, other] = [await aMember(), aSubject(), aSubject()];
      const two = await Promise.all([begin(kim.email, one), begin(kim.email, other)]);
      expect(two.sort()).toEqual(['other subject', 'session']);
    }
  });

  test('that 1.2 has noted stays, also for two members', async () => {
    const [ann, bob, eve, subject] = [await aMember(), await aMember(), await aMember(), aSubject()];
    for (const { id } of [ann, bob]) await noteAs12(id, subject);
    expect(await begin(ann.email, subject)).toBe('session');
    expect(await begin(bob.email, subject)).toBe('session');
    expect(await begin(eve.email, subject)).toBe('other member');
    expect(await begin(bob.email, aSubject())).toBe('other subject');
    // The other of the two stays.
    await members.remove(bob.email, bob.project, now);
    expect(await begin(eve.email, subject)).toBe('other member');
    expect(await begin(ann.email, subject)).toBe('session');
  });

  test('is forgotten with its member', async () => {
    const [ann, bob, subject] = [await aMember(), await aMember(), aSubject()];
    await begin(ann.email, subject);
    await members.remove(ann.email, ann.project, now);
    const noted = [subjectKey(ann.id), accountKey(sha256Of(subject))];
    expect(await Promise.all(noted.map((key) => db.table.get(key)))).toEqual([undefined, undefined]);
    expect(await begin(bob.email, subject)).toBe('session');
  });

  test('whose member is removed while it is noted stays free', async () => {
    const [ann, subject] = [await aMember(), aSubject()];
    const overtaken = tableBefore(db.table, 'transact', () => members.remove(ann.email, ann.project, now));
    const begun = await sessionStore(overtaken).begin(ann.email, subject, now);
    if (typeof begun === 'string') throw new Error(begun);
    expect(await sessions.find(begun.token, now)).toBeUndefined();
    await members.add(ann, now);
    expect(await begin(ann.email, subject)).toBe('session');
  });

  test('a key that is stored while its member is removed is also forgotten', async () => {
    const [ann, subject] = [await aMember(), aSubject()];
    const { table } = db;
    let isNoted = false;
    const overtaken = tableBefore(table, 'transact', async () => {
      if (!isNoted) expect(await begin(ann.email, subject)).toBe('session');
      isNoted = true;
    });
    expect(await memberStore(overtaken).remove(ann.email, ann.project, now)).toMatchObject({ id: ann.id });
    expect(await table.get(accountKey(sha256Of(subject)))).toBeUndefined();
    expect(await table.get(subjectKey(ann.id))).toBeUndefined();
  });

  test.each(['TransactWriteItems', 'PutItem'])('is noted though the answer of %s is lost', async (action) => {
    const [ann, bob, subject] = [await aMember(), await aMember(), aSubject()];
    const losses = loseNext(faulty, (operation) => operation.endsWith(action));
    expect(await begin(ann.email, subject)).toBe('session');
    expect(losses()).toBe(1);
    expect(await begin(bob.email, subject)).toBe('other member');
  });
});

test('an attempt is used once, also at once and if the answer is lost', async () => {
  const state = unique('state');
  const used = await Promise.all([1, 2, 3].map(() => sessions.useAttempt(state, now)));
  expect(used.filter(Boolean)).toHaveLength(1);
  loseNext(faulty);
  const other = unique('state');
  expect(await sessions.useAttempt(other, now)).toBe(true);
  expect(await sessions.useAttempt(other, later(1))).toBe(false);
});

test('the address of a member who was removed and added again shows no project and gets no key', async () => {
  const ann = await aMember();
  const before = { email: ann.email, id: 'm_0000000000000000', projects: [ann.project] };
  expect(await sessions.projects(before)).toEqual([]);
  expect(await sessions.project(before, ann.project)).toBeUndefined();
  expect(await sessions.exchange(before, ann.project, now)).toBe('stranger');
  expect(await sessions.projects({ ...before, id: ann.id })).toHaveLength(1);
  const { id, email } = ann;
  expect(await sessions.project({ ...before, id }, ann.project)).toEqual({
    ...{ id: ann.project, name: 'P', role: 'editor', members: [{ id, email }] },
  });
});
