import { visitorReads } from '../../../core/cached-reads/visitor-reads.ts';
import { domainsOf, takedownStore } from '../../../core/destinations/takedowns.ts';
import { openStores } from '../../../core/stores.ts';
import { aLinkDraft, unique, withFields } from '../../support/builders.ts';
import { fileProject, fileTable } from '../../support/engine.ts';

const db = fileTable();
const project = fileProject(db);
const stores = () => openStores(db.table);

const now = new Date('2026-03-01T00:00:00.000Z');
const create = (fields: object = {}) =>
  stores().links.create(aLinkDraft({ project: project.id, ...fields }), { project });
const badRequest = { code: 'BAD_REQUEST', message: expect.stringContaining('blocked') };

describe('a blocked link', () => {
  test('cannot be edited, paused or activated by its project, even if it was blocked meanwhile', async () => {
    const { links } = stores();
    const { code } = await create();
    const place = { project: project.id, code };
    const choose = withFields({ payload: { link: 'https://other.example.com/' } });
    const update = (meanwhile: () => Promise<unknown> = async () => undefined) =>
      links.update(place, async (link) => meanwhile().then(() => choose(link)), { now });
    // Between the update's read and its write.
    const meeting = update(() => links.block(project.id, code, { now, reason: 'phishing' }));
    await expect(meeting).rejects.toMatchObject(badRequest);
    await expect(update()).rejects.toMatchObject(badRequest);
    for (const status of ['ACTIVE', 'PAUSED'] as const) {
      await expect(links.setStatus(project.id, code, status, { now })).rejects.toMatchObject(badRequest);
    }
    const { link } = await links.get(project.id, code);
    expect(link).toMatchObject({
      status: 'ACTIVE',
      blockedAt: now.toISOString(),
      blockedReason: 'phishing',
      payload: { link: 'https://example.com/landing' },
    });
  });

  test('keeps the time of its first block', async () => {
    const { code } = await create();
    await stores().links.block(project.id, code, { now });
    await stores().links.block(project.id, code, { now: new Date(now.getTime() + 1000) });
    expect((await stores().links.get(project.id, code)).link.blockedAt).toBe(now.toISOString());
  });

  test('can be deleted, and its code stays taken and blocked', async () => {
    const { links } = stores();
    const { code } = await create();
    await links.block(project.id, code, { now });
    await links.delete(project.id, code, { now });
    await expect(create({ code })).rejects.toMatchObject({ code: 'CODE_ALREADY_EXISTS' });
    expect(await links.block(project.id, code, { now })).toBe(false);
    expect(await links.unblock(project.id, code, { now })).toBe(true);
    expect(await links.unblock(project.id, code, { now })).toBe(false);
  });

  test('is unchanged once unblocked', async () => {
    const { links } = stores();
    const made = await create();
    await links.block(project.id, made.code, { now, reason: 'a mistake' });
    await links.unblock(project.id, made.code, { now });
    expect((await links.get(project.id, made.code)).link).toEqual(made);
  });

  test('a link must exist to be blocked', async () => {
    expect(await stores().links.block(project.id, 'nothing', { now })).toBe(false);
    expect(await stores().links.unblock(project.id, (await create()).code, { now })).toBe(false);
  });
});

describe('the cache', () => {
  let ms = 0;
  const { now: clock } = Date;
  beforeEach(() => {
    ms = 0;
    jest.spyOn(Date, 'now').mockImplementation(() => clock() + ms);
  });
  afterEach(() => jest.restoreAllMocks());
  const later = (seconds: number) => {
    ms += seconds * 1000;
  };

  test('the list of blocked destinations is at most a minute old', async () => {
    const host = `${unique('evil')}.example.com`;
    const takedowns = takedownStore(visitorReads(db.table));
    expect((await takedowns.isBlocked())?.(host) ?? false).toBe(false);
    await stores().destinations.block(host, now);
    later(60);
    const isBlocked = await takedowns.isBlocked();
    const names = [host, `a.b.${host}`, `${host}.`, `not${host}`, 'example.com'];
    expect(names.map((name) => isBlocked?.(name))).toEqual([true, true, true, false, false]);
    expect(await stores().destinations.list()).toContainEqual({ host, blockedAt: now.toISOString() });
    expect(await stores().destinations.unblock(host)).toBe(true);
    expect(await stores().destinations.unblock(host)).toBe(false);
  });

  test('refuses a blocked destination after a minute, and makes one query in that time', async () => {
    const host = `${unique('evil')}.example.com`;
    const container = openStores(db.table, visitorReads(db.table)).destinations;
    const query = jest.spyOn(db.table, 'query');
    const faults = async () => (await container.faults({ link: `https://${host}/` }, [])).length;
    expect(await faults()).toBe(0);
    await stores().destinations.block(host, now);
    later(30);
    expect(await faults()).toBe(0);
    expect(query).toHaveBeenCalledTimes(1);
    later(30);
    expect(await faults()).toBe(1);
    await stores().destinations.unblock(host);
    later(60);
    expect(await faults()).toBe(0);
    query.mockRestore();
  });

  test('can be shorter on a local stack', async () => {
    const takedowns = takedownStore(
      visitorReads(db.table, { memory: { suspension: 100, blocking: 100, host: 100 } }),
    );
    expect(await takedowns.isSuspended(project.id)).toBe(false);
    await stores().projects.suspend(project.id, now);
    later(0.12);
    expect(await takedowns.isSuspended(project.id)).toBe(true);
  });
});

test('an unknown project cannot be suspended or resumed', async () => {
  expect(await stores().projects.suspend('nobody', now)).toBe(false);
  expect(await stores().projects.resume('nobody', new Date())).toBe(false);
  expect(await takedownStore(visitorReads(db.table)).isSuspended('nobody')).toBe(false);
});

test('addresses of short hosts and of blocked destinations are refused', async () => {
  const { destinations, domains } = stores();
  const [former, current, evil] = [unique('former'), unique('current'), unique('evil')];
  await domains.assign({ host: `${former}.example.net`, project: project.id });
  await domains.assign({ host: `${current}.example.net`, project: project.id });
  await destinations.block(`${evil}.example.com`, now);
  const own = ['d111111abcdef8.cloudfront.net', '127.0.0.1:8788'];
  const faultOf = async (address: string) =>
    (await destinations.faults({ 'payload.link': address, empty: undefined, cleared: null }, own)).map(
      ({ field, message }) => `${field} ${message}`,
    );
  for (const host of [
    `${former}.example.net`,
    `${current}.example.net.`,
    `${current.toUpperCase()}.example.net:443`,
    'D111111abcdef8.CloudFront.net',
  ]) {
    expect([host, await faultOf(`https://${host}/x`)]).toEqual([
      host,
      ["payload.link must not point to this service's own short host"],
    ]);
  }
  for (const host of [
    `${evil}.example.com`,
    `a.${evil}.example.com`,
    `A.B.${evil.toUpperCase()}.example.com.:8443`,
  ]) {
    expect([host, await faultOf(`https://${host}/x`)]).toEqual([
      host,
      ['payload.link must not point to a host that the operator of this service has blocked'],
    ]);
  }
  for (const host of ['example.com', `not${evil}.example.com`, `sub.${former}.example.net`]) {
    expect([host, await faultOf(`https://${host}/x`)]).toEqual([host, []]);
  }
});

test('a host belongs to its domains, but not to a top-level one', () => {
  expect(domainsOf('a.b.example.com.')).toEqual(['a.b.example.com', 'b.example.com', 'example.com']);
  expect(domainsOf('[2606:4700::1111]')).toEqual(['[2606:4700::1111]']);
  expect(domainsOf('a.'.repeat(120).concat('example.com')).length).toBeLessThanOrEqual(8);
});

test('a host of eight labels can be blocked, with its subdomains', async () => {
  const { destinations } = stores();
  const host = `a.b.c.d.e.${unique('evil')}.example.com`;
  await destinations.block(host, now);
  const isBlocked = await takedownStore(visitorReads(db.table)).isBlocked();
  for (const one of [host, `sub.${host}`]) {
    expect([one, isBlocked?.(one)]).toEqual([one, true]);
    expect(await destinations.faults({ link: `https://${one}/` }, [])).toHaveLength(1);
  }
});
