import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { totalsKeys } from '../../../core/analytics/analytics-items.ts';
import type { SentLink } from '../../../core/links/link-draft.ts';
import type { LinkWithAnalytics } from '../../../core/links/link-reads.ts';
import type { NewLink } from '../../../core/links/link-store.ts';
import { openStores } from '../../../core/stores.ts';
import { analyticsKey } from '../../../core/table/analytics-keys.ts';
import { codeKey, expiryKey, linkKey } from '../../../core/table/keys.ts';
import type { Table } from '../../../core/table/table.ts';
import { aLinkDraft, aProject, unique, withFields } from '../../support/builders.ts';
import { fileProject, fileTable, tableName } from '../../support/engine.ts';

const db = fileTable();
const project = fileProject(db);

const now = new Date('2026-03-01T00:00:00.000Z');
const links = () => openStores(db.table).links;
const draftOf = (fields: Partial<NewLink> = {}) => aLinkDraft({ project: project.id, ...fields });
const create = (fields: Partial<NewLink> = {}) => links().create(draftOf(fields), { project });

const item = async (key: { PK: string; SK: string }) =>
  (await db.client.send(new GetCommand({ TableName: tableName, Key: key }))).Item;

/** The project's list and its counters. */
const listOf = async (id: string) => {
  const { Items = [] } = await db.client.send(
    new QueryCommand({
      TableName: tableName,
      KeyConditionExpression: 'PK = :pk',
      ExpressionAttributeValues: { ':pk': `LINKS#${id}` },
    }),
  );
  const listed = Items.filter(({ SK }) => SK.startsWith('LINK#'));
  const counted = Items.filter(({ SK }) => SK.startsWith('SEGMENT#')).reduce((sum, { n }) => sum + n, 0);
  return { codes: listed.map(({ SK }) => SK.split('#').at(-1)), counted };
};

describe('create', () => {
  test('stores a link that get returns, once on the list, for one project', async () => {
    const link = await create({ name: 'Launch', expiresAt: '2026-06-01T00:00:00.000Z' });
    const { link: stored, analytics } = await links().get(project.id, link.code);
    expect(stored).toEqual(link);
    expect(analytics).toEqual({ clicks: 0, uniques: 0, platforms: {}, countries: {} });
    await expect(create({ code: link.code })).rejects.toMatchObject({ code: 'CODE_ALREADY_EXISTS' });
    expect(await listOf(project.id)).toEqual({ codes: [link.code], counted: 1 });
    const other = aProject();
    const same = await links().create(aLinkDraft({ project: other.id, code: link.code }), { project: other });
    expect(same.code).toBe(link.code);
  });

  test('generates a code that no project uses', async () => {
    const chosen = await create({ code: 'Abcdef1234' });
    const candidates = [chosen.code, 'Zyxwvu9876'];
    const other = aProject();
    const draft = aLinkDraft({ project: other.id, code: undefined });
    const link = await links().create(draft, {
      project: other,
      generateCode: () => candidates.shift() ?? unique('code'),
    });
    expect(link.code).toBe('Zyxwvu9876');
    expect(await item(codeKey('Zyxwvu9876'))).toBeDefined();
  });

  test('gives a code to one of twenty concurrent creations', async () => {
    const code = unique('race');
    const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => create({ code })));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await listOf(project.id)).toEqual({ codes: [code], counted: 1 });
  });

  test('marks the expiry for TTL, in a separate item', async () => {
    const { code } = await create({ expiresAt: '2026-06-01T00:00:00.001Z' });
    expect(await item(expiryKey(project.id, code))).toMatchObject({ ttl: 1780272001 });
    expect(await item(linkKey(project.id, code))).not.toHaveProperty('ttl');
  });
});

describe('setStatus', () => {
  test('pauses and activates, and refuses that status again, for another project, and of a blocked link', async () => {
    const { code } = await create();
    const set = (status: 'ACTIVE' | 'PAUSED', of = project.id) =>
      links().setStatus(of, code, status, { now });
    expect(await set('PAUSED')).toMatchObject({ status: 'PAUSED', updatedAt: now.toISOString() });
    expect(await set('ACTIVE')).toMatchObject({ status: 'ACTIVE' });
    const message = 'The link is already ACTIVE';
    await expect(set('ACTIVE')).rejects.toMatchObject({ code: 'BAD_REQUEST', message });
    await expect(set('PAUSED', 'another')).rejects.toMatchObject({ code: 'LINK_NOT_FOUND' });
    await links().block(project.id, code, { now });
    await expect(set('PAUSED')).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  });

  test.each([
    [-1, 'PAUSED'],
    [0, 'BAD_REQUEST'],
    [1, 'BAD_REQUEST'],
  ])('%i ms from the expiry the result is %s', async (offset, answer) => {
    const { code } = await create({ expiresAt: new Date(now.getTime() - offset).toISOString() });
    const outcome = links().setStatus(project.id, code, 'PAUSED', { now });
    const reply = await outcome.then(
      ({ status }) => status,
      (failure) => failure.code,
    );
    expect(reply).toBe(answer);
  });
});

describe('delete', () => {
  test('hides the link everywhere and keeps its code taken', async () => {
    const { code } = await create({ expiresAt: '2026-06-01T00:00:00.000Z' });
    await links().delete(project.id, code, { now });
    await expect(links().get(project.id, code)).rejects.toMatchObject({ code: 'LINK_NOT_FOUND' });
    await expect(links().setStatus(project.id, code, 'PAUSED', { now })).rejects.toMatchObject({
      code: 'LINK_NOT_FOUND',
    });
    await expect(links().delete(project.id, code, { now })).rejects.toMatchObject({ code: 'LINK_NOT_FOUND' });
    await expect(create({ code })).rejects.toMatchObject({ code: 'CODE_ALREADY_EXISTS' });
    expect(await links().isTaken(project.id, code)).toBe(true);
    expect(await listOf(project.id)).toEqual({ codes: [], counted: 0 });
    expect(await item(expiryKey(project.id, code))).toBeUndefined();
  });

  test('succeeds once for concurrent calls', async () => {
    const { code } = await create();
    await create();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 8 }, () => links().delete(project.id, code, { now })),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect((await listOf(project.id)).counted).toBe(1);
  });
});

describe('expire', () => {
  const expiresAt = '2026-02-02T00:00:00.000Z';

  test('stores the status and keeps updatedAt', async () => {
    const { code, updatedAt } = await create({ expiresAt });
    expect(await links().expire(project.id, code, expiresAt)).toBe(true);
    const { link } = await links().get(project.id, code);
    expect(link).toMatchObject({ status: 'EXPIRED', updatedAt });
    await expect(links().setStatus(project.id, code, 'ACTIVE', { now })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  test('ignores markers of moved expiries and of deleted links', async () => {
    const { code } = await create({ expiresAt });
    expect(await links().expire(project.id, code, '2026-01-01T00:00:00.000Z')).toBe(false);
    await links().delete(project.id, code, { now });
    expect(await links().expire(project.id, code, expiresAt)).toBe(false);
  });
});

describe('an update concurrent with', () => {
  /** Updates a link, and runs `meanwhile` between its first reading and its write. */
  const updateMeeting = (code: string, meanwhile: () => Promise<unknown>) => {
    let isRead = false;
    const table: Table = {
      ...db.table,
      async get(key) {
        const found = await db.table.get(key);
        if (!isRead) await meanwhile();
        isRead = true;
        return found;
      },
    };
    return openStores(table).links.update(
      { project: project.id, code },
      withFields({ payload: { link: 'https://example.com/new' } }),
      { now },
    );
  };

  const expiresAt = '2026-04-01T00:00:00.000Z';

  test.each<[string, (code: string) => Promise<unknown>, string, string]>([
    ['a delete', (code) => links().delete(project.id, code, { now }), 'DELETED', 'LINK_NOT_FOUND'],
    [
      'the expiry of the link',
      (code) => links().expire(project.id, code, expiresAt),
      'EXPIRED',
      'LINK_EXPIRED',
    ],
  ])('%s is refused', async (_, end, status, refusal) => {
    const { code, payload } = await create({ expiresAt });
    await expect(updateMeeting(code, () => end(code))).rejects.toMatchObject({ code: refusal });
    expect(await item(linkKey(project.id, code))).toMatchObject({ status, payload });
  });

  test('another update is made after it, and neither is lost', async () => {
    const { code } = await create();
    const other = { project: project.id, code };
    const named = { name: 'Named', payload: {} };
    await updateMeeting(code, () => links().update(other, withFields(named), { now, by: 'ann' }));
    expect((await links().get(project.id, code)).link).toMatchObject({
      name: 'Named',
      payload: { link: 'https://example.com/new' },
    });
  });
});

describe('an update', () => {
  const update = (code: string, change: SentLink) =>
    links().update({ project: project.id, code }, withFields(change), { now });

  test('that moves the expiry moves its marker, and one that clears it removes it', async () => {
    const { code, payload } = await create({ expiresAt: '2026-06-01T00:00:00.000Z' });
    const marker = () => item(expiryKey(project.id, code));
    await update(code, { payload, expiresAt: '2026-07-01T00:00:00.000Z' });
    expect(await marker()).toMatchObject({ expiresAt: '2026-07-01T00:00:00.000Z', ttl: 1782864000 });
    await update(code, { payload, name: 'Named' });
    expect(await marker()).toMatchObject({ expiresAt: '2026-07-01T00:00:00.000Z' });
    await update(code, { payload, expiresAt: null });
    expect(await marker()).toBeUndefined();
    await update(code, { payload, expiresAt: '2026-08-01T00:00:00.000Z' });
    expect(await marker()).toMatchObject({ expiresAt: '2026-08-01T00:00:00.000Z' });
  });

  test('that moves the destination leaves its host to the rules, which may lead to ten others', async () => {
    const rules = Array.from({ length: 11 }, (_, i) => ({
      name: `r${i}`,
      countries: ['DE'],
      link: `https://host-${i}.example/`,
    }));
    const { code } = await create({ payload: { link: 'https://host-0.example/', rules } });
    await expect(update(code, { payload: { link: 'https://other.example/' } })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      message: expect.stringMatching(/^payload\.rules: must lead to at most 10 hosts/),
    });
    expect((await links().get(project.id, code)).link.payload.link).toBe('https://host-0.example/');
    await update(code, { payload: { link: 'https://host-10.example/' } });
    const more = { name: 'more', countries: ['DE'], link: 'https://more.example/' };
    await expect(update(code, { payload: { rules: [...rules, more] } })).rejects.toMatchObject({
      message: expect.stringMatching(/^payload\.rules: must lead to at most 10 hosts/),
    });
  });
});

test('the groups of a link never become fewer', async () => {
  const { code } = await create();
  const groups = async () => (await links().get(project.id, code)).link.groups;
  expect([await links().spread(project.id, code, 16), await groups()]).toEqual([true, 16]);
  for (const fewer of [8, 16])
    expect([await links().spread(project.id, code, fewer), await groups()]).toEqual([false, 16]);
  expect([await links().spread(project.id, code, 32), await groups()]).toEqual([true, 32]);
});

test('lists add up all totals of a link whose visitors are in groups', async () => {
  const { code } = await create({ tags: ['sale'] });
  const plain = await create({ tags: ['sale'] });
  await links().spread(project.id, code, 16);
  const keys = [analyticsKey({ project: project.id, code }), ...totalsKeys({ project: project.id, code })];
  for (const [i, key] of keys.entries()) await db.table.put({ Item: { ...key, n: i + 1, u: 1 } });
  await db.table.put({ Item: { ...analyticsKey({ project: project.id, code: plain.code }), n: 5, u: 2 } });
  const sum = (keys.length * (keys.length + 1)) / 2;
  const wanted = { [code]: [sum, keys.length], [plain.code]: [5, 2] };
  const clicksOf = (found: readonly LinkWithAnalytics[]) =>
    Object.fromEntries(
      found.map(({ link, analytics }) => [link.code, [analytics.clicks, analytics.uniques]]),
    );
  expect(clicksOf((await links().page(project.id, 1, 10)).links)).toEqual(wanted);
  expect(clicksOf(await links().of(project.id, [code, plain.code]))).toEqual(wanted);
  for (const filter of [{ tags: ['sale'] }, { status: 'ACTIVE' as const }]) {
    const { links: walked } = await links().walk(project.id, filter, { pageSize: 10, now });
    expect(clicksOf(walked)).toEqual(wanted);
  }
  for await (const portion of links().all(project.id)) expect(clicksOf(portion)).toEqual(wanted);
  expect(clicksOf([await links().get(project.id, code)])).toEqual({ [code]: wanted[code] });
});
