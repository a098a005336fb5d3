import { createHash } from 'node:crypto';
import { identifyKey } from '../../../core/api-keys/api-key.ts';
import { rateStore } from '../../../core/api-keys/rate-store.ts';
import { projectStore } from '../../../core/projects/project-store.ts';
import { keyCountKey, memberKeyKey, personKey, sessionKey } from '../../../core/table/member-keys.ts';
import { fileTable } from '../../support/engine.ts';
import { fileFaults, loseNext } from '../../support/faults.ts';
import { fileMembers, later, now } from '../../support/members.ts';

const db = fileTable();
const faulty = fileFaults(db);
const { stores, aProject, anEmail, signedIn } = fileMembers(db, faulty);

const keyOf = async (email: string, project: string, at = now): Promise<string> => {
  const session = await stores.sessions.find(await signedIn(email), at);
  const made = session && (await stores.sessions.exchange(session, project, at));
  if (!made || typeof made === 'string') throw new Error(String(made));
  return made.key;
};

const admitted = async (key: string, at = now) => {
  const caller = await stores.keys.admit(key, at);
  if (!caller) throw new Error('not admitted');
  return caller;
};
const refused = (key: string, at = now) => expect(stores.keys.admit(key, at)).resolves.toBeUndefined();

test('a member has one id in all projects, and adding again changes only the role', async () => {
  const [one, other, email] = [await aProject(), await aProject(), anEmail()];
  const first = await stores.members.add({ email, project: one, role: 'viewer' }, now);
  const second = await stores.members.add({ email, project: other, role: 'editor' }, later(1));
  const id = expect.stringMatching(/^m_[A-Za-z0-9]{16}$/);
  expect(first).toMatchObject({ id, createdAt: now.toISOString() });
  expect(second).toMatchObject({ id: (first as { id: string }).id, role: 'editor' });
  const again = await stores.members.add({ email, project: one, role: 'editor' }, later(2));
  expect(again).toEqual({ ...(first as object), role: 'editor' });
  expect(await stores.members.of(one)).toHaveLength(1);
  expect((await stores.members.all()).filter((member) => member.email === email)).toHaveLength(2);
});

test('two additions of one address at the same time make one member with one id', async () => {
  const [one, other, email] = [await aProject(), await aProject(), anEmail()];
  const made = await Promise.all(
    [one, other, one, other].map((project) => stores.members.add({ email, project, role: 'viewer' }, now)),
  );
  expect(new Set(made.map((member) => (member as { id: string }).id)).size).toBe(1);
  expect([...(await stores.members.of(one)), ...(await stores.members.of(other))]).toHaveLength(2);
});

test('a missing project takes no member, and no project takes a 101st', async () => {
  const email = anEmail();
  expect(await stores.members.add({ email, project: 'nowhere', role: 'viewer' }, now)).toBe('notMember');
  const project = await aProject();
  const wanted = Array.from({ length: 103 }, () => ({ email: anEmail(), project, role: 'viewer' as const }));
  const made: unknown[] = [];
  for (const one of wanted.slice(0, 98)) made.push(await stores.members.add(one, now));
  made.push(...(await Promise.all(wanted.slice(98).map((one) => stores.members.add(one, now)))));
  expect(made.filter((one) => one === 'tooManyMembers')).toHaveLength(3);
  const [first] = await stores.members.of(project);
  await stores.members.remove(first?.email ?? '', project, now);
  expect(await stores.members.add({ email, project, role: 'viewer' }, now)).toMatchObject({ email });
});

test('a session reads all projects of a person, at most a hundred', async () => {
  const email = anEmail();
  const projects: string[] = [];
  for (let i = 0; i < 23; i += 1) projects.push(await aProject());
  for (const project of projects) await stores.members.add({ email, project, role: 'viewer' }, now);
  await projectStore(db.table).markDeleted(projects[3] ?? '', now);
  const session = await stores.sessions.find(await signedIn(email), now);
  if (!session) throw new Error('no session');
  const read = await stores.sessions.projects(session);
  expect(read.map(({ id }) => id).sort()).toEqual(projects.filter((_, i) => i !== 3).sort());
  expect(read[0]).toEqual({ id: expect.any(String), name: 'P', role: 'viewer' });
  expect(await stores.sessions.project(session, projects[3] ?? '')).toBeUndefined();

  const everywhere = new Set(Array.from({ length: 100 }, (_, i) => `p${i}`));
  const busy = anEmail();
  await db.table.put({ Item: { ...personKey(busy), id: 'm_0000000000000000', projects: everywhere } });
  const wanted = { email: busy, project: projects[0] ?? '', role: 'viewer' } as const;
  expect(await stores.members.add(wanted, now)).toBe('tooManyProjects');
});

test('the authorizer looks up the role, and keys from before a removal stay refused', async () => {
  const [project, email] = [await aProject(), anEmail()];
  const rates = rateStore(db.table);
  await stores.members.add({ email, project, role: 'viewer' }, now);
  const key = await keyOf(email, project);
  expect(await admitted(key)).toMatchObject({ project, scopes: ['links:read', 'apps:read'] });
  await stores.members.add({ email, project, role: 'editor' }, now);
  const caller = await admitted(key);
  expect(caller.scopes).toContain('links:delete');
  await rates.take(caller, now, 10);

  await stores.members.remove(email, project, now);
  await refused(key);
  // As the gateway admits it from its cache.
  await expect(rates.take(caller, now, 10)).rejects.toMatchObject({ code: 'INVALID_API_KEY' });

  await stores.members.add({ email, project, role: 'editor' }, now);
  await refused(key);
  await expect(rates.take(caller, now, 10)).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
  const fresh = await admitted(await keyOf(email, project));
  expect(await rates.take(fresh, now, 10)).toMatchObject({ used: 1 });
});

test('the keys of a member share an hour, and a revocation ends only one', async () => {
  const [project, email] = [await aProject(), anEmail()];
  await stores.members.add({ email, project, role: 'viewer' }, now);
  const keys = [await keyOf(email, project), await keyOf(email, project)] as const;
  const [one, other] = [await admitted(keys[0]), await admitted(keys[1])];
  const rates = rateStore(db.table);
  expect(await rates.take(one, now, 3)).toMatchObject({ used: 1 });
  expect(await rates.take(other, now, 3)).toMatchObject({ used: 2 });
  await stores.members.revokeKey(one.keyId, now);
  await refused(keys[0]);
  await expect(rates.take(one, now, 3)).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
  await expect(rates.peek(one, now, 3)).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
  expect(await rates.take(other, now, 3)).toMatchObject({ used: 3 });
  await expect(rates.take(other, now, 3)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  expect(await stores.members.revokeKey('key-000000000000000000000000', now)).toBeUndefined();
});

test('a key ends after fifteen minutes, a session after twelve hours', async () => {
  const [project, email] = [await aProject(), anEmail()];
  await stores.members.add({ email, project, role: 'viewer' }, now);
  const key = await keyOf(email, project);
  await admitted(key, later(14.9));
  await refused(key, later(15));
  const token = await signedIn(email);
  expect(await stores.sessions.find(token, later(719))).toMatchObject({ email, projects: [project] });
  expect(await stores.sessions.find(token, later(720))).toBeUndefined();
});

test('the table has hashes of sessions and keys, which TTL deletes at their end', async () => {
  const [project, email] = [await aProject(), anEmail()];
  await stores.members.add({ email, project, role: 'viewer' }, now);
  const [token, key] = [await signedIn(email), await keyOf(email, project)];
  const session = await db.table.get(sessionKey(createHash('sha256').update(token).digest('hex')));
  const stored = await db.table.get(memberKeyKey(identifyKey(key).keyId));
  const [{ id = '' } = {}] = await stores.members.of(project);
  const held = await db.table.get(keyCountKey(id, project));
  const inSeconds = (item: { readonly ttl?: unknown } | undefined) =>
    Number(item?.ttl) - now.getTime() / 1000;
  expect([session, stored, held].map(inSeconds)).toEqual([12 * 3600, 900, 900]);
  expect(JSON.stringify([session, stored, held])).not.toMatch(new RegExp(`${token}|${key}`));
});

test('a member who was removed everywhere is forgotten: the session ends, and another subject may sign in', async () => {
  const [one, other, email] = [await aProject(), await aProject(), anEmail()];
  const first = await stores.members.add({ email, project: one, role: 'viewer' }, now);
  await stores.members.add({ email, project: other, role: 'viewer' }, now);
  const token = await signedIn(email);
  expect(await stores.sessions.begin(email, 'somebody else', now)).toBe('other subject');
  await stores.members.remove(email, one, now);
  expect(await stores.sessions.find(token, now)).toMatchObject({ projects: [other] });
  expect(await stores.sessions.begin(email, 'somebody else', now)).toBe('other subject');
  await stores.members.remove(email, other, now);
  expect(await stores.sessions.find(token, now)).toBeUndefined();
  expect(await db.table.get(personKey(email))).toBeUndefined();
  expect(await stores.sessions.begin(email, 'somebody else', now)).toBe('stranger');

  const again = await stores.members.add({ email, project: one, role: 'viewer' }, now);
  expect((again as { id: string }).id).not.toBe((first as { id: string }).id);
  expect(await stores.sessions.find(token, now)).toBeUndefined();
  expect(await stores.sessions.begin(email, 'somebody else', now)).toHaveProperty('token');
});

test('an answer that is lost changes no outcome', async () => {
  const [project, email] = [await aProject(), anEmail()];
  const losses: (() => number)[] = [];
  const lose = (action: string) => losses.push(loseNext(faulty, (operation) => operation.endsWith(action)));
  lose('TransactWriteItems');
  expect(await stores.members.add({ email, project, role: 'viewer' }, now)).toMatchObject({ email });
  lose('UpdateItem');
  expect(await stores.members.add({ email, project, role: 'editor' }, now)).toMatchObject({ role: 'editor' });
  lose('PutItem');
  const session = await stores.sessions.find(await signedIn(email), now);
  lose('UpdateItem');
  const made = session && (await stores.sessions.exchange(session, project, now));
  expect(await admitted((made as { key: string }).key)).toMatchObject({ project });
  lose('TransactWriteItems');
  expect(await stores.members.remove(email, project, now)).toMatchObject({ email });
  expect(await stores.members.of(project)).toEqual([]);
  expect(losses.map((lost) => lost())).toEqual([1, 1, 1, 1, 1]);
});
