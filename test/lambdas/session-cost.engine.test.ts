import { sessionStore } from '../../core/members/session-store.ts';
import { openStores } from '../../core/stores.ts';
import { memberKey, personKey } from '../../core/table/member-keys.ts';
import { fileTable } from '../support/engine.ts';
import { openWholeTable } from '../support/lean-table.ts';
import { startMeteredEngine } from '../support/metered-engine.ts';
import { ofFile } from '../support/of-file.ts';
import { textOf } from '../support/source-files.ts';

const db = fileTable();
const meter = ofFile(() => startMeteredEngine(db.endpoint));
const limit = 100;
const person = { id: 'm_0000000000000000', email: `${'a'.repeat(242)}@example.com` };
const projects = Array.from({ length: limit }, (_, i) => `p${i}`);

/** The table calls for a session that has signed in, as its console finds it. */
const costOf = async (
  read: (sessions: ReturnType<typeof sessionStore>, token: string) => Promise<unknown>,
) => {
  const begun = await sessionStore(db.table).begin(person.email, 'subject', new Date());
  if (typeof begun === 'string') throw new Error(begun);
  meter.take();
  await read(sessionStore(openWholeTable(meter.endpoint)), begun.token);
  const calls = meter.take();
  return {
    calls: calls.length,
    reads: calls.reduce((sum, { reads }) => sum + reads, 0),
    writes: calls.reduce((sum, { writes }) => sum + writes, 0),
  };
};

beforeAll(async () => {
  const stores = openStores(db.table);
  await db.table.put({ Item: { ...personKey(person.email), ...person, projects: new Set(projects) } });
  for (const id of projects) {
    await stores.projects.create({
      id,
      name: id,
      subscription: 'active',
      createdAt: new Date().toISOString(),
    });
    const one = { id: person.id, email: person.email, project: id, role: 'viewer', term: 't'.repeat(16) };
    const createdAt = new Date().toISOString();
    await db.table.put({ Item: { ...memberKey(id, person.email), ...one, createdAt } });
  }
  const host = `${'c'.repeat(63)}.${'d'.repeat(63)}.${'e'.repeat(41)}.example.com`;
  const others = Array.from({ length: limit - 1 }, (_, i) => `${i}${'b'.repeat(60)}@${host}`);
  for (const email of others) await stores.members.add({ email, project: 'p0', role: 'viewer' }, new Date());
});

/** Both numbers of docs/units.md. */
const [said = 0, saidOfOne = 0] =
  /reads (\d+) units for 100 projects, with `project` (\d+) for 100 members/
    .exec(textOf('docs/units.md').replaceAll(/\s+/g, ' '))
    ?.slice(1)
    .map(Number) ?? [];

/** A number that is far too high is as wrong. */
const expectSaid = (reads: number, most: number) => {
  expect(reads).toBeLessThanOrEqual(most);
  expect(reads).toBeGreaterThan(most * 0.9);
};

test('a session of a hundred projects, and one project with a hundred members, read the units in docs/units.md', async () => {
  const whole = await costOf(async (sessions, token) => {
    const session = await sessions.find(token, new Date());
    if (!session) throw new Error('no session');
    expect(await sessions.projects(session)).toHaveLength(limit);
  });
  expectSaid(whole.reads, said);
  expect(whole).toMatchObject({ calls: 4, writes: 0 });
  const one = await costOf(async (sessions, token) => {
    const session = await sessions.find(token, new Date());
    const project = session && (await sessions.project(session, 'p0'));
    expect(project?.members).toHaveLength(limit);
  });
  expectSaid(one.reads, saidOfOne);
  expect(one).toMatchObject({ writes: 0 });
  if (process.env.SHOW) console.log(whole, one);
});
