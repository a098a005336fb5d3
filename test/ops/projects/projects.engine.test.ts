import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { analyticsItemsOf } from '../../../core/analytics/analytics-items.ts';
import { analyticsStore } from '../../../core/analytics/analytics-store.ts';
import { newMobileApp } from '../../../core/apps/mobile-app.ts';
import { visitorReads } from '../../../core/cached-reads/visitor-reads.ts';
import { hostShareStore } from '../../../core/short-urls/association-store.ts';
import { visitorKey } from '../../../core/table/analytics-keys.ts';
import { projectPartitions } from '../../../core/table/keys.ts';
import { updateOf } from '../../../core/table/update.ts';
import { removeAssociation, setAssociation, showAssociation } from '../../../ops/hosts/associations.ts';
import { assignDomain, listDomains, removeDomain } from '../../../ops/hosts/domains.ts';
import { createKey, listKeys, revokeKey } from '../../../ops/projects/keys.ts';
import { deleteProject } from '../../../ops/projects/project-deletion.ts';
import {
  clearQrStyle,
  createProject,
  listProjects,
  setSubscription,
  showProject,
} from '../../../ops/projects/projects.ts';
import { suspendProject } from '../../../ops/takedowns/takedowns.ts';
import { aClickRecord, aLinkDraft, unique } from '../../support/builders.ts';
import { tableName } from '../../support/engine.ts';
import { fileDeployment, projectIn } from '../../support/ops-deployment.ts';

const deployment = fileDeployment();

const now = new Date('2026-11-21T10:00:00.000Z');

/** Creates a project with one of everything and a deleted link. */
const furnish = async (id: string) => {
  const { stores } = deployment;
  await createProject(deployment, { id });
  const project = await stores.projects.get(id);
  const create = (code: string | undefined) =>
    stores.links.create(aLinkDraft({ project: id, code, expiresAt: '2030-01-01T00:00:00.000Z' }), {
      project,
      generateCode: () => `${id}-made`.slice(-10),
    });
  await create('launch');
  await create('gone');
  await create(undefined);
  await stores.links.delete(id, 'gone', { now });
  await stores.apps.create(id, newMobileApp('app', { name: 'App', platform: 'IOS', bundleId: 'b' }, now));
  const apps = { ios: ['ABCDE12345.com.acme'], android: [], fingerprints: [] };
  await setAssociation(deployment, { project: id, ...apps });
  await assignDomain(deployment, `go.${id}.test`, { project: id });
  await deployment.db.table.update(updateOf(visitorKey(id, 'launch', 'somebody'), { set: { hits: 1 } }));
  // Items of every kind that names its project, such as remembered calls and analytics over time.
  for (const start of projectPartitions(id))
    await deployment.db.table.put({ Item: { PK: `${start}#any`, SK: 'ANY' } });
  return createKey(deployment, { project: id });
};

const keysNaming = async (id: string) => {
  const { Items = [] } = await deployment.db.client.send(new ScanCommand({ TableName: tableName }));
  // Without the items of the other project, whose id has this one as a prefix.
  return Items.filter((item) => JSON.stringify(item).replaceAll(`${id}-two`, '').includes(id))
    .map(({ PK, SK }) => `${PK} ${SK}`)
    .sort();
};

const leftOf = (id: string) => [`DOMAIN#go.${id}.test DOMAIN`, `PROJECT#${id} PROJECT`, `SUSPENDED ${id}`];

describe('a deleted project', () => {
  test('leaves only its id, its hosts and generated codes, as taken, and its suspension', async () => {
    const id = unique('shop');
    const { apiKey } = await furnish(id);
    await furnish(`${id}-two`);
    const others = (await keysNaming(`${id}-two`)).length;
    const lines: string[] = [];
    const { items } = await deleteProject(deployment, id, (line) => lines.push(line));
    expect(lines.at(-1)).toBe(`${items} items deleted`);
    expect(await keysNaming(id)).toEqual(leftOf(id));
    expect((await keysNaming(`${id}-two`)).length).toBe(others);
    expect(await deployment.stores.apiKeys.get(apiKey)).toBeUndefined();
  });

  test('cannot be shown, listed, changed or created again', async () => {
    const id = unique('shop');
    await furnish(id);
    await deleteProject(deployment, id, () => undefined);
    expect((await listProjects(deployment)).map((one) => one.id)).not.toContain(id);
    const gone = `There is no project ${id}`;
    await expect(showProject(deployment, id)).rejects.toThrow(gone);
    await expect(setSubscription(deployment, id, 'active')).rejects.toThrow(gone);
    await expect(clearQrStyle(deployment, id)).rejects.toThrow(gone);
    await expect(createKey(deployment, { project: id })).rejects.toThrow(gone);
    await expect(listKeys(deployment, id)).rejects.toThrow(gone);
    await expect(assignDomain(deployment, 'go2.test', { project: id })).rejects.toThrow(gone);
    await expect(createProject(deployment, { id })).rejects.toThrow('is taken');
  });

  test('keeps its hosts until an operator removes them', async () => {
    const [id, other] = [unique('shop'), unique('shop')];
    await furnish(id);
    await createProject(deployment, { id: other });
    const host = `go.${id}.test`;
    await assignDomain(deployment, host, { project: id, root: 'https://example.com/' });
    await deleteProject(deployment, id, () => undefined);
    expect(await listDomains(deployment)).toContainEqual({ host, project: id, primary: false });
    await expect(assignDomain(deployment, host, { project: other })).rejects.toThrow(
      `belongs to the project ${id}`,
    );
    await removeDomain(deployment, host);
    expect(await assignDomain(deployment, host, { project: other })).toEqual({ host, project: other });
    expect(await listDomains(deployment)).toContainEqual({ host, project: other, primary: true });
  });

  test('can be deleted again, also after an interruption', async () => {
    const id = unique('shop');
    await furnish(id);
    const suspended = async () => (await keysNaming(id)).includes(`SUSPENDED ${id}`);
    const interrupted = deleteProject(deployment, id, (line) => {
      if (line.endsWith('items deleted')) throw new Error('interrupted');
    });
    await expect(interrupted).rejects.toThrow('interrupted');
    // The rest of it doesn't redirect.
    expect(await suspended()).toBe(true);
    await deployment.db.table.update(updateOf(visitorKey(id, 'late', 'somebody'), { set: { hits: 1 } }));
    expect(await deleteProject(deployment, id, () => undefined)).toEqual({ id, items: 1, complete: true });
    expect(await suspended()).toBe(true);
    expect(await deleteProject(deployment, id, () => undefined)).toEqual({ id, items: 0, complete: true });
  });

  test('must have existed', async () => {
    await expect(deleteProject(deployment, 'nowhere', () => undefined)).rejects.toThrow('no project nowhere');
  });
});

test('a list counts the links and the clicks of each project', async () => {
  const id = unique('shop');
  await furnish(id);
  const counts = async () => (await listProjects(deployment)).find((one) => one.id === id);
  expect(await counts()).toMatchObject({ links: 2, clicks: 0 });
  const records = Object.entries({ launch: 3, gone: 4 }).map(([code, clicks], i) =>
    aClickRecord({ project: id, code, clicks }, i + 1),
  );
  for (const item of analyticsItemsOf({ shard: 'shard', records }))
    await deployment.stores.analytics.add(item);
  // Including the clicks of the deleted link.
  expect(await counts()).toMatchObject({ links: 2, clicks: 7 });
});

test('clicks of a project are those of all time, even if analytics over time expire', async () => {
  const id = await projectIn(deployment);
  const now = new Date(Date.now() - 2 * 3_600_000);
  const analytics = analyticsStore(deployment.db.table, { clock: () => now });
  const days = [1, 2, 40, 400].map((ago) => Math.floor(now.getTime() / 1000) - ago * 86_400);
  for (const [i, at] of days.entries()) {
    const record = aClickRecord({ project: id, code: 'gone', clicks: 10 ** i, at }, i + 1);
    for (const item of analyticsItemsOf({ shard: 'shard', records: [record] }, 30)) await analytics.add(item);
  }
  // A project's hours may go a day after its days have them.
  const swept = await sweep(id, new Date(now.getTime() + 25 * 3_600_000));
  // Days and hours of the link, hours and clicks by link of the project, each from before these 30 days.
  expect(swept).toBe(8);
  const listed = (await listProjects(deployment)).find((one) => one.id === id);
  expect(listed).toMatchObject({ links: 0, clicks: 1111 });
});

/** Deletes a project's expired items; resolves to their number. */
const sweep = async (project: string, now: Date): Promise<number> => {
  const { Items = [] } = await deployment.db.client.send(
    new ScanCommand({
      TableName: tableName,
      FilterExpression: '(begins_with(PK, :own) OR PK = :all) AND #ttl < :now',
      ExpressionAttributeNames: { '#ttl': 'ttl' },
      ExpressionAttributeValues: {
        ':own': `SERIES#${project}#`,
        ':all': `SERIES#${project}`,
        ':now': now.getTime() / 1000,
      },
    }),
  );
  for (const { PK, SK } of Items) await deployment.db.table.delete({ Key: { PK, SK } });
  return Items.length;
};

describe('a host', () => {
  test.each([
    ...['127.0.0.1', '203.0.113.7:8443', 'https://203.0.113.7/', '127.1', '0x7f.0.0.1', '999.1.1.1'],
    ...['[::1]', '[2001:DB8::1]:8443', 'http://[2001:db8::1]/', '2001:db8::1'],
  ])('%s is refused as an IP address', async (address) => {
    const id = await projectIn(deployment);
    await expect(assignDomain(deployment, address, { project: id })).rejects.toThrow(
      `'${address}' is an IP address: assign a host name such as go.example.com`,
    );
    expect((await listDomains(deployment)).filter(({ project }) => project === id)).toEqual([]);
  });

  test.each(['go1.example.com', '1.example.com:8443', '203-0-113-7.example.com'])(
    '%s is assigned',
    async (host) => {
      const id = await projectIn(deployment);
      expect(await assignDomain(deployment, host, { project: id })).toEqual({ host, project: id });
    },
  );

  test('that all projects share may be an IP address, as on the local stack', async () => {
    const local = { ...deployment, shortBase: 'http://127.0.0.1:8788' };
    const id = unique('demo');
    await createProject(local, { id });
    const domain = { host: '127.0.0.1:8788', project: id };
    expect(await assignDomain(local, domain.host, { project: id })).toEqual(domain);
    expect(await removeDomain(local, domain.host)).toEqual(domain);
  });
});

test('an association is shown as it was set', async () => {
  const id = await projectIn(deployment);
  const fingerprint = Array(32).fill('AB').join(':');
  const apps = { ios: ['ABCDE12345.com.acme'], android: ['com.acme', 'com.acme.two'] };
  const set = await setAssociation(deployment, { project: id, ...apps, fingerprints: [fingerprint] });
  expect(JSON.stringify(await showAssociation(deployment, id))).toBe(JSON.stringify(set));
  expect(JSON.stringify(await removeAssociation(deployment, id))).toBe(JSON.stringify(set));
  await expect(removeAssociation(deployment, id)).rejects.toThrow('has no associations');
});

test.each([
  [{ ios: ['com.example.app'] }, 'is not an iOS app id'],
  [{ android: ['com.example.app'] }, 'go together'],
  [{ android: ['com.example.app'], fingerprints: ['AB:CD'] }, 'is not a SHA-256'],
  [{}, 'Give --ios or --android'],
])('the association %j is refused with a reason', async (given, reason) => {
  const none = { ios: [], android: [], fingerprints: [] };
  const set = setAssociation(deployment, { project: await projectIn(deployment), ...none, ...given });
  await expect(set).rejects.toThrow(reason);
});

test.each([...['', ' ', 'x'.repeat(256), 'two\nlines', '\u001b[31mred', '\u0085', '\ud800']])(
  "a name %j of a project or of a key's user is refused",
  async (name) => {
    const id = unique('shop');
    const rule = 'must have 1 to 255 characters, and no control characters';
    await expect(createProject(deployment, { id, name })).rejects.toThrow(`The project's name ${rule}`);
    await createProject(deployment, { id, name: 'x'.repeat(255) });
    await expect(createKey(deployment, { project: id, user: name })).rejects.toThrow(
      `The key's user ${rule}`,
    );
    expect(await listKeys(deployment, id)).toEqual([]);
  },
);

describe('apps of', () => {
  const apps = (count: number) => ({
    ios: Array.from({ length: count }, (_, i) => `ABCDE12345.com.example.app${i}`),
    android: [],
    fingerprints: [],
  });

  test('a suspended project are left out of association files, on its host and on the shared one', async () => {
    const [id, other] = [unique('shop'), unique('shop')];
    for (const project of [id, other]) {
      await createProject(deployment, { id: project });
      await assignDomain(deployment, `go.${project}.test`, { project });
      await setAssociation(deployment, { project, ...apps(1) });
    }
    await suspendProject(deployment, id);
    const shares = hostShareStore(visitorReads(deployment.db.table), 'go.example');
    const projectsOn = async (host: string) => (await shares.of(host)).map(({ folder }) => folder);
    expect(await projectsOn('go.example')).toContain(other);
    expect(await projectsOn('go.example')).not.toContain(id);
    expect(await shares.of(`go.${id}.test`)).toEqual([]);
    expect(await shares.of(`go.${other}.test`)).toHaveLength(1);
  });

  test('all projects are refused before the shared file is larger than Apple takes', async () => {
    const [id, other] = [unique('shop'), unique('shop')];
    for (const project of [id, other]) await createProject(deployment, { id: project });
    const lines: string[] = [];
    const set = (project: string, count: number) =>
      setAssociation(deployment, { project, ...apps(count) }, (line) => lines.push(line));
    await set(id, 100);
    expect(lines).toEqual([]);
    for (let count = 100; lines.length === 0; count += 20) await set(id, count);
    expect(lines[0]).toMatch(
      /^Take care: the shared host's .* has 1\d\d KB, and Apple takes at most 128 KB$/,
    );
    const refused = /^Not saved: .* would have \d{3} KB, .* Give the project its own host/;
    await expect(set(other, 500)).rejects.toThrow(refused);
    expect(await showAssociation(deployment, other)).toMatchObject({ ios: [] });
    await assignDomain(deployment, `go.${other}.test`, { project: other });
    expect(await set(other, 500)).toMatchObject({ ownHostsOnly: true });
    expect(await showAssociation(deployment, other)).toMatchObject({ ownHostsOnly: true });
    const shares = hostShareStore(visitorReads(deployment.db.table), 'go.example');
    expect((await shares.of('go.example')).map(({ folder }) => folder)).not.toContain(other);
    expect(await shares.of(`go.${other}.test`)).toHaveLength(1);
    // A smaller one is accepted.
    await set(id, 1);
    await removeAssociation(deployment, id);
  });
});

describe('a key', () => {
  test('is revoked by its id, or by the key, which is not printed', async () => {
    const id = await projectIn(deployment);
    for (const given of ['keyId', 'apiKey'] as const) {
      const key = await createKey(deployment, { project: id });
      const revoked = await revokeKey(deployment, `${key[given]}\n`);
      expect(revoked).toMatchObject({ keyId: key.keyId, revokedAt: expect.any(String) });
      expect(JSON.stringify(revoked)).not.toContain(key.apiKey);
      expect(await deployment.stores.apiKeys.get(key.apiKey)).toBeUndefined();
    }
  });

  test.each([`dls_${'x'.repeat(40)}`, 'dls_short', 'a secret of something else'])(
    'is not printed if unknown: %s',
    async (given) => {
      const failure = await revokeKey(deployment, given).catch(String);
      expect(failure).toMatch(/There is no key key-|Not a key/);
      expect(failure).not.toContain(given);
    },
  );

  test('shows the day of its last use, written once a day', async () => {
    const id = await projectIn(deployment);
    const { apiKey, keyId } = await createKey(deployment, { project: id });
    const use = async (at: string) => {
      const key = await deployment.stores.apiKeys.get(apiKey);
      if (key) await deployment.stores.apiKeys.markUsed(key, new Date(at));
    };
    const shown = async () => (await listKeys(deployment, id)).map((key) => [key.keyId, key.lastUsedOn]);
    expect(await shown()).toEqual([[keyId, undefined]]);
    await use('2026-11-20T23:59:59.999Z');
    expect(await shown()).toEqual([[keyId, '2026-11-20']]);
    await use('2026-11-21T00:00:00.000Z');
    expect(await shown()).toEqual([[keyId, '2026-11-21']]);
    const updates = jest.spyOn(deployment.db.table, 'update');
    await use('2026-11-21T12:00:00.000Z');
    await use('2026-11-19T12:00:00.000Z');
    expect(updates).not.toHaveBeenCalled();
    updates.mockRestore();
  });
});
