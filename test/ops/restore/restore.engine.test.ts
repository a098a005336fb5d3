import { readFileSync, statSync } from 'node:fs';
import { newMobileApp } from '../../../core/apps/mobile-app.ts';
import { openStores } from '../../../core/stores.ts';
import { visitorKey } from '../../../core/table/analytics-keys.ts';
import { expiryKey, linkKey, projectPartitions } from '../../../core/table/keys.ts';
import { updateOf } from '../../../core/table/update.ts';
import { assignDomain } from '../../../ops/hosts/domains.ts';
import { createKey } from '../../../ops/projects/keys.ts';
import { deleteProject } from '../../../ops/projects/project-deletion.ts';
import { createProject } from '../../../ops/projects/projects.ts';
import { restore } from '../../../ops/restore/restore.ts';
import { noteMembers, removeMembers } from '../../../ops/restore/restored-members.ts';
import { unique } from '../../support/builders.ts';
import { tableName } from '../../support/engine.ts';
import { newFolder } from '../../support/folder.ts';
import { openWholeTable } from '../../support/lean-table.ts';
import { ofFile } from '../../support/of-file.ts';
import { fileDeployment, storeLink } from '../../support/ops-deployment.ts';
import { tablesAt } from '../../support/second-table.ts';

const deployment = fileDeployment();
const tables = ofFile(() => tablesAt(deployment.db.endpoint));

const now = new Date('2026-11-21T10:00:00.000Z');
const seconds = now.getTime() / 1000;

const furnish = async () => {
  const id = unique('shop');
  const { stores, db } = deployment;
  await createProject(deployment, { id });
  for (const code of ['launch', 'gone', 'later']) {
    const expiresAt = code === 'later' && { expiresAt: '2030-01-01T00:00:00.000Z' };
    await storeLink(deployment, { project: id, code, tags: ['sale'], ...expiresAt });
  }
  await stores.links.delete(id, 'gone', { now });
  await stores.apps.create(id, newMobileApp('app', { name: 'App', platform: 'IOS', bundleId: 'b' }, now));
  await assignDomain(deployment, `go.${id}.test`, { project: id });
  const { keyId, apiKey } = await createKey(deployment, { project: id });
  for (const [Key, ttl] of [
    [visitorKey(id, 'launch', 'somebody'), seconds + 1000],
    [{ PK: `RATE#${keyId}#1`, SK: 'RATE' }, seconds + 1000],
    [{ PK: 'HOME', SK: 'HOME' }, seconds + 1000],
    [{ PK: `PASSING#${id}`, SK: 'PASSING' }, seconds - 1],
    [{ PK: `PASSING#${id}`, SK: 'STILL' }, seconds + 1000],
  ] as const)
    await db.table.update(updateOf(Key, { set: { ttl } }));
  return { id, apiKey };
};

const backUp = () => tables.copy(tableName);
const run = (from: string) => restore(deployment, { from, now }, () => undefined);
/** Every item as text. The counters of a list are chosen at random, so only their sum is compared. */
const contents = async () => {
  const items = await tables.itemsOf(tableName);
  const counts = items.filter(({ SK }) => SK?.S?.startsWith('SEGMENT#'));
  const others = items.filter((item) => !counts.includes(item));
  return {
    listed: counts.reduce((sum, { n }) => sum + Number(n?.N), 0),
    items: others.map((item) => JSON.stringify(item, Object.keys(item).sort())).sort(),
    keys: others.map(({ PK, SK }) => `${PK?.S} ${SK?.S}`).sort(),
  };
};

beforeEach(() => tables.remove(tableName));

test('restores an emptied table, except visitors, counters, beats and expired items', async () => {
  const { id, apiKey } = await furnish();
  const before = await contents();
  const from = await backUp();
  await tables.remove(tableName);
  const done = await run(from);
  const after = await contents();
  const lost = before.keys.filter((key) => !after.keys.includes(key));
  expect(lost.map((key) => key.split('#')[0])).toEqual(['HOME HOME', 'PASSING', 'RATE', 'VISITOR']);
  expect(after.keys).toContain(`PASSING#${id} STILL`);
  expect(after.listed).toBe(before.listed);
  expect(before.items).toEqual(expect.arrayContaining(after.items));
  expect(done).toMatchObject({ from, kept: 0, leftOut: 4 });
  expect(await deployment.stores.apiKeys.get(apiKey)).toBeDefined();
});

test('an interrupted run is completed by the next one', async () => {
  await furnish();
  const from = await backUp();
  await tables.remove(tableName);
  await run(from);
  const whole = await contents();
  await tables.remove(tableName);
  const gone = () => {
    throw new Error('the machine is gone');
  };
  await expect(restore(deployment, { from, now }, gone)).rejects.toThrow('the machine is gone');
  await run(from);
  expect(await contents()).toEqual(whole);
});

test('existing items stay unchanged, and a link deleted since stays deleted and unlisted', async () => {
  const { id } = await furnish();
  const from = await backUp();
  await deployment.stores.links.delete(id, 'launch', { now });
  const newer = { set: { name: 'Newer than the backup' } };
  await deployment.db.table.update(updateOf(linkKey(id, 'later'), newer));
  const before = await contents();
  const done = await run(from);
  expect(done).toEqual({ from, restored: 0, kept: expect.any(Number), leftOut: 4 });
  expect(done.kept).toBeGreaterThan(0);
  expect(await contents()).toEqual(before);
});

test('a lost link that is still listed is not counted twice', async () => {
  const { id } = await furnish();
  const before = await contents();
  const from = await backUp();
  const { stores } = deployment;
  await tables.remove(tableName, (PK) => PK === linkKey(id, 'launch').PK);
  await run(from);
  expect((await stores.links.get(id, 'launch'))?.link.code).toBe('launch');
  const after = await contents();
  expect([after.items, after.listed]).toEqual([before.items, before.listed]);
});

test('the marker of an expiry that has passed since comes back, so that the link is stored as expired', async () => {
  const { id } = await furnish();
  const from = await backUp();
  await tables.remove(tableName);
  await restore(deployment, { from, now: new Date('2031-01-01T00:00:00.000Z') }, () => undefined);
  expect((await contents()).keys).toContain(`${expiryKey(id, 'later').PK} ${expiryKey(id, 'later').SK}`);
});

test('a project deleted since does not come back', async () => {
  const { id } = await furnish();
  for (const start of projectPartitions(id))
    await deployment.db.table.put({ Item: { PK: `${start}#any`, SK: 'ANY' } });
  const from = await backUp();
  await deleteProject(deployment, id, () => undefined);
  const before = await contents();
  const { restored } = await run(from);
  const after = await contents();
  expect(after.keys.filter((key) => key.endsWith(' ANY') || key.startsWith('KEY#'))).toEqual([]);
  expect(restored).toBe(after.keys.length - before.keys.length);
});

test('a missing table, or the live one, is an error in one line', async () => {
  await expect(run('no-such-table')).rejects.toThrow(/^The table no-such-table can't be read: /);
  await expect(run(tableName)).rejects.toThrow(`${tableName} is the live table itself`);
});

describe('members', () => {
  const noting = (from: string) => ({ from, file: `${from}.sh`, flags: '--stack S' });
  const linesOf = (from: string) => readFileSync(`${from}.sh`, 'utf8').split('\n').filter(Boolean);
  const folder = process.cwd();
  beforeAll(() => process.chdir(newFolder()));
  afterAll(() => process.chdir(folder));

  const withMembers = async () => {
    const { id } = await furnish();
    const { members, sessions } = deployment.stores;
    for (const email of ['ann@example.com', "o'$(id)@example.com"])
      await members.add({ email, project: id, role: 'editor' }, now);
    const begun = await sessions.begin('ann@example.com', 'subject', now);
    if (typeof begun !== 'object') throw new Error(begun);
    return { id, token: begun.token };
  };
  const commandOf = (email: string, project: string) =>
    `npx dls member add ${email} --project ${project} --role editor --stack S`;

  test('do not come back by a restore, which writes the commands that add them again', async () => {
    const { id } = await withMembers();
    const gone = await withMembers();
    const from = await backUp();
    const silent = () => undefined;
    await deleteProject(deployment, gone.id, silent, async () => undefined);
    await deployment.stores.members.remove('ann@example.com', id, now);
    await run(from);
    expect((await deployment.stores.members.of(id)).map(({ email }) => email)).toEqual([
      "o'$(id)@example.com",
    ]);
    expect(await noteMembers(deployment, noting(from))).toEqual({ members: 1, membersFile: `${from}.sh` });
    expect(linesOf(from)).toEqual([commandOf('ann@example.com', id)]);
    expect(statSync(`${from}.sh`).mode & 0o777).toBe(0o600);
    await noteMembers(deployment, noting(from));
    expect(linesOf(from)).toHaveLength(1);

    await tables.remove(tableName);
    await run(from);
    expect(await deployment.stores.members.all()).toEqual([]);
    await noteMembers(deployment, noting(from));
    expect(linesOf(from)).toContain(commandOf(`'o'\\''$(id)@example.com'`, id));
  });

  test('are taken out of a table before a stack adopts it, and their sessions end', async () => {
    const { id, token } = await withMembers();
    const from = await backUp();
    const noted = await removeMembers(deployment, noting(from), now);
    expect(noted.members).toBeGreaterThan(1);
    expect(linesOf(from)).toContain(commandOf('ann@example.com', id));
    const adopted = openStores(openWholeTable(deployment.db.endpoint, { name: from }));
    expect(await adopted.members.all()).toEqual([]);
    await adopted.members.add({ email: 'ann@example.com', project: id, role: 'viewer' }, now);
    expect(await adopted.sessions.find(token, now)).toBeUndefined();
    expect(await deployment.stores.sessions.find(token, now)).toBeDefined();
    expect(await removeMembers(deployment, noting(await backUp()), now)).toMatchObject({
      members: noted.members,
    });
    for (const [table, says] of [
      [tableName, 'is the live table itself'],
      ['nowhere', "The table nowhere can't be read"],
    ] as const)
      await expect(removeMembers(deployment, noting(table), now)).rejects.toThrow(says);
  });
});
