import { generateApiKey } from '../../../core/api-keys/api-key.ts';
import { apiKeyStore } from '../../../core/api-keys/api-key-store.ts';
import { rateStore, rateWindow } from '../../../core/api-keys/rate-store.ts';
import { domainStore } from '../../../core/hosts/domain-store.ts';
import { projectStore } from '../../../core/projects/project-store.ts';
import { domainKey, rateKey } from '../../../core/table/keys.ts';
import { anApiKey, aProject, unique } from '../../support/builders.ts';
import { fileTable } from '../../support/engine.ts';
import { fileFaults, loseNext } from '../../support/faults.ts';
import { openWholeTable } from '../../support/lean-table.ts';
import { ofFile } from '../../support/of-file.ts';
import { tableBefore } from '../../support/table-before.ts';

const db = fileTable();
const faulty = fileFaults(db);

const now = new Date('2026-03-01T10:59:59.999Z');

describe('projects', () => {
  test('are created once', async () => {
    const project = aProject();
    expect(await projectStore(db.table).create(project)).toBe(true);
    expect(await projectStore(db.table).create({ ...project, name: 'Another' })).toBe(false);
    expect(await projectStore(db.table).get(project.id)).toMatchObject({ name: project.name });
    expect((await projectStore(db.table).list()).map(({ id }) => id)).toContain(project.id);
  });

  test('change their subscription, if they exist', async () => {
    const project = aProject();
    await projectStore(db.table).create(project);
    expect(await projectStore(db.table).setSubscription(project.id, 'inactive')).toMatchObject({
      subscription: 'inactive',
    });
    expect(await projectStore(db.table).setSubscription('nobody', 'active')).toBeUndefined();
  });

  test('that are suspended twice keep the time of the first suspension', async () => {
    const { id } = aProject();
    const projects = projectStore(db.table);
    await projects.create(aProject({ id }));
    for (const at of ['2026-03-01T00:00:00.000Z', '2026-03-02T00:00:00.000Z'])
      expect(await projects.suspend(id, new Date(at))).toBe(true);
    expect(await projects.get(id)).toMatchObject({ suspendedAt: '2026-03-01T00:00:00.000Z' });
  });
});

describe('API keys', () => {
  test('that are in use can not be removed', async () => {
    const apiKey = generateApiKey();
    const keys = apiKeyStore(db.table);
    const key = anApiKey(apiKey);
    await keys.create(key);
    expect(await keys.remove(key.keyId)).toBe(false);
    expect(await keys.get(apiKey)).toMatchObject({ keyId: key.keyId });
    await keys.revoke(key.keyId, now);
    expect(await keys.remove(key.keyId)).toBe(true);
  });

  test('are those of their hash, not of its beginning', async () => {
    const apiKey = generateApiKey();
    const key = anApiKey(apiKey);
    const other = `${key.hash.slice(0, -1)}${key.hash.endsWith('0') ? '1' : '0'}`;
    await apiKeyStore(db.table).create({ ...key, hash: other });
    expect(await apiKeyStore(db.table).get(apiKey)).toBeUndefined();
  });

  const create = async () => {
    const apiKey = generateApiKey();
    const key = anApiKey(apiKey, { project: unique('project') });
    await apiKeyStore(db.table).create(key);
    return { apiKey, key };
  };

  test('are found only by the key itself', async () => {
    const { apiKey, key } = await create();
    const { get, list } = apiKeyStore(db.table);
    expect(await get(apiKey)).toEqual(key);
    expect([await get(generateApiKey()), await get('no key at all')]).toEqual([undefined, undefined]);
    expect(await list(key.project)).toEqual([key]);
  });

  test('are stored as hashes, which are no keys', async () => {
    const { apiKey, key } = await create();
    expect(JSON.stringify(await apiKeyStore(db.table).list(key.project))).not.toContain(apiKey.slice(4, 20));
  });

  test('stop working once revoked, even where their admission is cached', async () => {
    const { apiKey, key } = await create();
    await rateStore(db.table).take({ keyId: key.keyId }, now, 10);
    const revoked = await apiKeyStore(db.table).revoke(key.keyId, now);
    expect(revoked).toMatchObject({ revokedAt: now.toISOString() });
    expect(await apiKeyStore(db.table).get(apiKey)).toBeUndefined();
    for (const later of [0, 60_000]) {
      const counted = rateStore(db.table).take({ keyId: key.keyId }, new Date(now.getTime() + later), 10);
      await expect(counted).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
    }
  });

  test('keep the time of their first revocation; unknown keys are reported', async () => {
    const { key } = await create();
    await apiKeyStore(db.table).revoke(key.keyId, now);
    const again = await apiKeyStore(db.table).revoke(key.keyId, new Date(now.getTime() + 1000));
    expect(again).toMatchObject({ revokedAt: now.toISOString() });
    expect(await apiKeyStore(db.table).revoke('key-unknown', now)).toBeUndefined();
  });
});

describe('the rate window', () => {
  const rates = ofFile(() => rateStore(openWholeTable(faulty.endpoint)));

  test('admits exactly the limit, and gives each request its own count', async () => {
    const keyId = unique('key');
    const outcomes = await Promise.allSettled(
      Array.from({ length: 64 }, () => rates.take({ keyId }, now, 40)),
    );
    const used = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value.used] : []));
    expect(used.sort((a, b) => a - b)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
    const refusals = outcomes.filter((outcome) => outcome.status === 'rejected');
    expect(new Set(refusals.map(({ reason }) => reason.code))).toEqual(new Set(['RATE_LIMIT_EXCEEDED']));
    const item = await db.table.get(rateKey(keyId, rateWindow(now).hour));
    // It stays within one write unit.
    expect([item?.n, JSON.stringify(item).length < 1024]).toEqual([40, true]);
  });

  test('starts anew each hour', async () => {
    const keyId = unique('key');
    await rates.take({ keyId }, now, 1);
    await expect(rates.take({ keyId }, now, 1)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    const next = await rates.take({ keyId }, new Date(now.getTime() + 1), 1);
    expect(next).toEqual({ limit: 1, used: 1, resetAt: new Date('2026-03-01T12:00:00.000Z') });
  });

  test('a call whose response was lost counts, twice at most', async () => {
    const keyId = unique('key');
    loseNext(faulty);
    expect((await rates.take({ keyId }, now, 100)).used).toBe(2);
    expect((await rates.take({ keyId }, now, 100)).used).toBe(3);
  });

  test('recent calls are those of this hour and the one before, by key', async () => {
    const [busy, other] = [unique('key'), unique('key')];
    const hoursAgo = (hours: number) => new Date(now.getTime() - hours * 3_600_000);
    for (const hours of [0, 0, 1, 2]) await rates.take({ keyId: busy }, hoursAgo(hours), 100);
    const { hour, endSeconds } = rateWindow(now);
    expect(await db.table.get(rateKey(busy, hour))).toMatchObject({ ttl: endSeconds + 3600 });
    expect(await rates.recent([other, busy], now)).toEqual([
      { thisHour: 0, lastHour: 0 },
      { thisHour: 2, lastHour: 1 },
    ]);
  });

  test.each<[string, () => { readonly keyId: string; readonly counter?: string }]>([
    ['a key', () => ({ keyId: unique('key') })],
    ["one of a member's keys", () => ({ keyId: unique('key'), counter: unique('m') })],
  ])('%s that is closed just before an hour ends is refused in the next one', async (_, caller) => {
    const closed = caller();
    const end = new Date('2026-03-01T10:59:59.900Z');
    await db.table.transact(rates.closing(closed, end));
    for (const at of [end, new Date('2026-03-01T11:01:00.000Z')]) {
      await expect(rates.take(closed, at, 10)).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
      await expect(rates.peek(closed, at, 10)).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
    }
  });
});

describe('hosts', () => {
  const twoProjects = async () => {
    const [mine, other] = [aProject(), aProject()];
    await Promise.all([projectStore(db.table).create(mine), projectStore(db.table).create(other)]);
    return { mine: mine.id, other: other.id, host: `${unique('go')}.test` };
  };

  test('belong to one project', async () => {
    const { mine, other, host } = await twoProjects();
    const domains = domainStore(db.table);
    expect(await domains.assign({ host, project: mine })).toBe(true);
    expect(await domains.assign({ host, project: other })).toBe(false);
    expect(await domains.find(host)).toEqual({ host, project: mine });
    expect(await domains.list()).toContainEqual({ host, project: mine });
    expect(await projectStore(db.table).get(mine)).toMatchObject({ host });
    expect(await projectStore(db.table).get(other)).not.toHaveProperty('host');
  });

  test('keep addresses that a new assignment omits, and lose those that it clears', async () => {
    const { mine, other, host } = await twoProjects();
    const domains = domainStore(db.table);
    const [root, notFound] = ['https://acme.example.com/', 'https://acme.example.com/help'];
    await domains.assign({ host, project: mine, root, notFound });
    await domains.assign({ host, project: mine });
    expect(await domains.find(host)).toEqual({ host, project: mine, root, notFound });
    expect(await domains.assign({ host, project: other, root: 'https://other.example.com/' })).toBe(false);
    await domains.assign({ host, project: mine, root: '' });
    expect(await domains.list()).toContainEqual({ host, project: mine, notFound });
    expect(await domains.clearAddresses({ host, project: other })).toBe(false);
    expect(await domains.clearAddresses({ host, project: mine })).toBe(true);
    expect(await domains.find(host)).toEqual({ host, project: mine });
    await domains.assign({ host, project: mine, root });
    await domains.remove({ host, project: mine });
    await domains.assign({ host, project: other });
    expect(await domains.find(host)).toEqual({ host, project: other });
  });

  test('can be removed, and the project keeps its current host', async () => {
    const { mine, host } = await twoProjects();
    const domains = domainStore(db.table);
    await domains.assign({ host: `old-${host}`, project: mine });
    await domains.assign({ host, project: mine });
    expect(await projectStore(db.table).get(mine)).toMatchObject({ host: `old-${host}` });
    await domains.assign({ host, project: mine, primary: true });
    expect(await domains.remove({ host: `old-${host}`, project: mine })).toBe(true);
    expect(await projectStore(db.table).get(mine)).toMatchObject({ host });
    expect(await domains.remove({ host, project: mine })).toBe(true);
    expect(await projectStore(db.table).get(mine)).not.toHaveProperty('host');
    expect(await domains.remove({ host, project: mine })).toBe(false);
  });

  /** A project with three hosts: the second one was assigned last, and is the primary one. */
  const withHosts = async () => {
    const { mine, other, host } = await twoProjects();
    const domains = domainStore(db.table);
    const hosts = ['a', 'b', 'c'].map((name) => `${name}-${host}`);
    const [a = '', b = '', c = ''] = hosts;
    const days = [b, a, c, b].map((one, day) => [one, new Date(now.getTime() + day * 86_400_000)] as const);
    for (const [one, time] of days) await domains.assign({ host: one, project: mine, primary: true }, time);
    // Another project's host is never taken over.
    await domains.assign({ host: `theirs-${host}`, project: other }, new Date('2030-01-01T00:00:00.000Z'));
    const shown = async () => (await projectStore(db.table).get(mine)).host;
    const remove = (one: string) => domains.remove({ host: one, project: mine });
    return { domains, mine, a, b, c, shown, remove };
  };

  test('hand over to the one assigned last of those left', async () => {
    const { a, b, c, shown, remove } = await withHosts();
    expect(await shown()).toBe(b);
    expect(await remove(b)).toBe(true);
    expect(await shown()).toBe(c);
    expect(await remove(c)).toBe(true);
    expect(await shown()).toBe(a);
    expect(await remove(a)).toBe(true);
    expect(await shown()).toBeUndefined();
  });

  test('from before assignments had a time are taken over last', async () => {
    const { a, b, c, shown, remove } = await withHosts();
    await db.table.update({ Key: domainKey(c), UpdateExpression: 'REMOVE assignedAt' });
    await remove(b);
    expect(await shown()).toBe(a);
    await remove(a);
    expect(await shown()).toBe(c);
  });

  test('are never shown once they are removed, even if all are removed at once', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { mine, domains, a, b, c, shown, remove } = await withHosts();
      expect(await Promise.all([b, c].map(remove))).toEqual([true, true]);
      expect(await shown()).toBe(a);
      await domains.assign({ host: c, project: mine });
      const outcomes = await Promise.all([a, c, c].map(remove));
      expect(outcomes.filter((done) => done)).toHaveLength(2);
      expect(await shown()).toBeUndefined();
    }
  });

  /** A store whose first transaction waits for another operator. */
  const storeBehind = (first: () => Promise<unknown>) => {
    const pending = [first];
    return domainStore(tableBefore(db.table, 'transact', () => pending.shift()?.()));
  };

  type Hosts = Awaited<ReturnType<typeof withHosts>>;
  test.each<[string, 'b' | 'c', (hosts: Hosts) => Promise<unknown>]>([
    ['do not hand over to one that is removed', 'b', ({ c, remove }) => remove(c)],
    ['hand over even if they are only shown since another was removed', 'c', ({ b, remove }) => remove(b)],
    [
      'do not replace one that is assigned',
      'b',
      ({ a: host, domains, mine: project }) => domains.assign({ host, project, primary: true }),
    ],
  ])('%s in between', async (_, removed, meanwhile) => {
    const hosts = await withHosts();
    const { remove } = storeBehind(() => meanwhile(hosts));
    expect(await remove({ host: hosts[removed], project: hosts.mine })).toBe(true);
    expect(await hosts.shown()).toBe(hosts.a);
  });
});
