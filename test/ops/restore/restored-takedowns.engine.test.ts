import { visitorReads } from '../../../core/cached-reads/visitor-reads.ts';
import { takedownStore } from '../../../core/destinations/takedowns.ts';
import { openStores } from '../../../core/stores.ts';
import { linkKey, projectKey, suspendedKey } from '../../../core/table/keys.ts';
import type { DeploymentAccess } from '../../../ops/deployment/deployment.ts';
import { createKey, revokeKey } from '../../../ops/projects/keys.ts';
import { deleteProject } from '../../../ops/projects/project-deletion.ts';
import { createProject, showProject } from '../../../ops/projects/projects.ts';
import { restore } from '../../../ops/restore/restore.ts';
import { replayRecord } from '../../../ops/takedowns/takedown-replay.ts';
import {
  blockDestination,
  blockLink,
  listDestinations,
  resumeProject,
  suspendProject,
  unblockDestination,
  unblockLink,
} from '../../../ops/takedowns/takedowns.ts';
import { outputOf } from '../../support/command.ts';
import { tableName } from '../../support/engine.ts';
import { newFolder } from '../../support/folder.ts';
import { interceptedDeployment } from '../../support/intercepted-deployment.ts';
import { openWholeTable } from '../../support/lean-table.ts';
import { ofFile } from '../../support/of-file.ts';
import {
  fileDeployment,
  isRedirected,
  projectIn,
  recordName,
  storeLink,
  writeFacts,
} from '../../support/ops-deployment.ts';
import { tablesAt } from '../../support/second-table.ts';

const deployment = fileDeployment();
const tables = ofFile(() => tablesAt(deployment.db.endpoint));
beforeEach(async () => {
  await tables.remove(tableName);
  await tables.remove(recordName);
});

const silent = () => undefined;
const noPause = async () => undefined;
const now = new Date();

const backUp = () => tables.copy(tableName);

const bringBack = async (from: string, of: DeploymentAccess = deployment) => {
  const lines: string[] = [];
  await restore(of, { from, now, pause: noPause }, (line) => lines.push(line));
  return lines;
};

const aProjectWith = async (...codes: readonly string[]) => {
  const id = await projectIn(deployment);
  for (const code of codes) await storeLink(deployment, { project: id, code });
  return id;
};

const redirects = (project: string, code: string, table = tableName) =>
  isRedirected(deployment, { project, code }, table);

const isSuspended = (id: string, table = tableName) =>
  takedownStore(visitorReads(openWholeTable(deployment.db.endpoint, { name: table }))).isSuspended(id);

const deniedHosts = async (of: DeploymentAccess = deployment) =>
  (await listDestinations(of)).map(({ host }) => host);

const lose = (...PKs: readonly string[]) => tables.remove(tableName, (PK) => PKs.includes(PK));

/** Takedowns of each kind: some are lifted after a backup, others come after it, and a project is deleted. */
const takeDown = async () => {
  const id = await aProjectWith('phish', 'lifted');
  const [stopped, gone] = [await aProjectWith('launch'), await aProjectWith('launch')];
  const { apiKey, keyId } = await createKey(deployment, { project: id });
  await suspendProject(deployment, id);
  await blockLink(deployment, { project: id, code: 'lifted' });
  await blockDestination(deployment, 'lifted.example.com');
  const from = await backUp();
  await resumeProject(deployment, id);
  await unblockLink(deployment, { project: id, code: 'lifted' });
  await unblockDestination(deployment, 'lifted.example.com');
  await blockLink(deployment, { project: id, code: 'phish' }, 'reported');
  await blockDestination(deployment, 'evil.example.com');
  await suspendProject(deployment, stopped);
  await revokeKey(deployment, keyId);
  await deleteProject(deployment, gone, silent, noPause);
  return { id, stopped, gone, apiKey, from };
};

/** Expects them in a table as operators set them last. */
const expectLatest = async (
  { id, stopped, gone, apiKey }: Awaited<ReturnType<typeof takeDown>>,
  of: DeploymentAccess = deployment,
) => {
  const { tableName: table, stores } = of;
  expect(await stores.links.get(id, 'phish')).toMatchObject({ link: { blockedReason: 'reported' } });
  expect([await redirects(id, 'phish', table), await redirects(id, 'lifted', table)]).toEqual([false, true]);
  expect([await isSuspended(id, table), await isSuspended(stopped, table)]).toEqual([false, true]);
  expect(await showProject(of, stopped)).toMatchObject({ suspended: true });
  expect(await deniedHosts(of)).toEqual(['evil.example.com']);
  expect(await stores.apiKeys.get(apiKey)).toBeUndefined();
  await expect(showProject(of, gone)).rejects.toThrow('There is no project');
  expect([await isSuspended(gone, table), await redirects(gone, 'launch', table)]).toEqual([true, false]);
};

test('a restore leaves takedowns as operators set them last, also after an interruption', async () => {
  const made = await takeDown();
  const { id, stopped, gone, from } = made;
  await tables.remove(tableName);
  const interrupt = (line: string) => {
    if (line.startsWith('links: ')) throw new Error('interrupted');
  };
  await expect(restore(deployment, { from, now }, interrupt)).rejects.toThrow('interrupted');
  expect(await deployment.stores.linkImports.find(stopped, ['launch'])).toHaveProperty('size', 1);
  expect(await redirects(stopped, 'launch')).toBe(false);
  expect([await redirects(id, 'phish'), await redirects(id, 'lifted')]).toEqual([false, true]);
  expect(await deniedHosts()).toEqual([]);
  await bringBack(from);
  await expectLatest(made);
  await expect(createProject(deployment, { id: gone })).rejects.toThrow('is taken');
});

test('a restored link that was lost alone is as operators left it', async () => {
  const made = await takeDown();
  await lose(linkKey(made.id, 'lifted').PK);
  await bringBack(made.from);
  await expectLatest(made);
});

describe('after the adoption of a table from an earlier moment', () => {
  /** The stack with the restored table as its own. */
  const adopting = (from: string): DeploymentAccess => ({
    ...deployment,
    tableName: from,
    stores: openStores(openWholeTable(deployment.db.endpoint, { name: from })),
  });

  test("a replay repeats the operators' takedowns and lifts since then", async () => {
    const made = await takeDown();
    const { id, from } = made;
    const adopted = adopting(from);
    const lines: string[] = [];
    const done = await replayRecord(adopted, { progress: (line) => lines.push(line), pause: noPause });
    expect(done).toEqual({ replayed: 8, unchanged: 0, missing: 0 });
    expect(lines).toContainEqual(expect.stringMatching(RegExp(`^link block ${id}/phish, as on 20`)));
    await expectLatest(made, adopted);
    expect(await replayRecord(adopted, { progress: silent })).toEqual({
      replayed: 0,
      unchanged: 8,
      missing: 0,
    });
  });

  test('the command prints its changes, and the gaps of the table', async () => {
    const id = await aProjectWith();
    const from = await backUp();
    await suspendProject(deployment, id);
    await storeLink(deployment, { project: id, code: 'later' });
    await blockLink(deployment, { project: id, code: 'later' });
    const folder = newFolder();
    writeFacts(folder, { ...deployment, tableName: from });
    const printed = await outputOf(['takedown', 'replay', '--json', '--data', folder]);
    expect(JSON.parse(printed)).toEqual({ replayed: 1, unchanged: 0, missing: 1 });
    expect(await isSuspended(id, from)).toBe(true);
  });
});

describe('without a takedown record', () => {
  const unrecorded = (): DeploymentAccess => ({ ...deployment, takedowns: undefined });

  test('a restore takes suspensions from the live projects, and names the hosts that it leaves open', async () => {
    const [resumed, stopped] = [await aProjectWith('launch'), await aProjectWith('launch')];
    const of = unrecorded();
    await suspendProject(of, resumed);
    await blockDestination(of, 'lifted.example.com');
    await blockDestination(of, 'evil.example.com');
    const from = await backUp();
    await resumeProject(of, resumed);
    await unblockDestination(of, 'lifted.example.com');
    await suspendProject(of, stopped);
    await tables.remove(tableName, (PK) => PK === suspendedKey('').PK);
    expect(await bringBack(from, of)).toContain(
      'No longer blocked, so not blocked again: lifted.example.com',
    );
    expect([await isSuspended(resumed), await isSuspended(stopped)]).toEqual([false, true]);
    expect(await deniedHosts(of)).toEqual(['evil.example.com']);
  });

  test('a lost table comes back as it was', async () => {
    const id = await aProjectWith('launch');
    const of = unrecorded();
    await suspendProject(of, id);
    await blockDestination(of, 'evil.example.com');
    const from = await backUp();
    await tables.remove(tableName);
    await bringBack(from, of);
    expect(await isSuspended(id)).toBe(true);
    expect(await deniedHosts(of)).toEqual(['evil.example.com']);
  });

  test('a replay reports that it is missing', async () => {
    await expect(replayRecord(unrecorded(), { progress: silent })).rejects.toThrow(
      'The stack has no takedown record: it was deployed before version 1.1. Deploy this version first',
    );
  });
});

test('a command whose act could not be recorded asks for a repetition, and can be repeated', async () => {
  const id = await aProjectWith('launch');
  const failing = {
    ...deployment,
    takedowns: { all: async () => [], note: () => Promise.reject(new Error('the table is busy')) },
  };
  const place = { project: id, code: 'launch' };
  const acts: readonly ((of: DeploymentAccess) => Promise<unknown>)[] = [
    (of) => blockLink(of, place),
    (of) => unblockLink(of, place),
    (of) => blockDestination(of, 'evil.example.com'),
    (of) => unblockDestination(of, 'evil.example.com'),
    (of) => suspendProject(of, id),
    (of) => resumeProject(of, id),
  ];
  for (const act of acts) {
    await expect(act(failing)).rejects.toThrow(
      'The change was applied but not recorded, so a restore would undo it: repeat the command (the table is busy)',
    );
    // Lifting what is lifted already is an error, as ever, but is recorded.
    await act(deployment).catch(() => undefined);
  }
  const recorded = (await deployment.takedowns?.all()) ?? [];
  expect(recorded.map(({ act }) => act)).toEqual(['destination unblock', 'link unblock', 'project resume']);
});

test('a backup of several pages comes back as a whole', async () => {
  const id = await aProjectWith('one', 'two', 'three');
  const from = await backUp();
  await tables.remove(tableName);
  const paged = await interceptedDeployment(deployment, ({ operation, input }, forward) =>
    operation === 'Scan' ? forward({ ...input, Limit: 2 }) : forward(),
  );
  await bringBack(from, paged.deployment);
  await paged.stop();
  expect(await Promise.all(['one', 'two', 'three'].map((code) => redirects(id, code)))).toEqual([
    true,
    true,
    true,
  ]);
  expect(await deployment.db.table.get(projectKey(id))).toBeDefined();
});

test('a record holds no key', async () => {
  const { apiKey } = await createKey(deployment, { project: await aProjectWith() });
  await revokeKey(deployment, apiKey);
  const items = JSON.stringify(await tables.itemsOf(recordName));
  expect(items).toContain('key revoke');
  expect(items).not.toContain(apiKey);
});
