import { GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { generateCode } from '../../../core/links/code-generator.ts';
import { linkStore, type NewLink } from '../../../core/links/link-store.ts';
import { projectStore, type StoredProject } from '../../../core/projects/project-store.ts';
import { codeKey, expiryKey, linkKey } from '../../../core/table/keys.ts';
import { aLinkDraft, aProject, unique } from '../../support/builders.ts';
import { startTable, type TestTable, tableName } from '../../support/engine.ts';

let db: TestTable;
let project: StoredProject;
beforeAll(async () => {
  db = await startTable();
});
afterAll(() => db.stop());
beforeEach(async () => {
  project = aProject();
  await projectStore(db.table).create(project);
});

const now = new Date('2026-03-01T00:00:00.000Z');
const links = () => linkStore(db.table);
const draftOf = (fields: Partial<NewLink> = {}) => aLinkDraft({ project: project.id, ...fields });
const create = (fields: Partial<NewLink> = {}) => links().create(draftOf(fields), { project, generateCode });

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
  test('stores a link that get returns', async () => {
    const link = await create({ name: 'Launch', expiresAt: '2026-06-01T00:00:00.000Z' });
    const { link: stored, figures } = await links().get(project.id, link.code);
    expect(stored).toEqual(link);
    expect(figures).toEqual({ clicks: 0, uniques: 0, platforms: {}, countries: {} });
  });

  test('puts the link on the list and counts it', async () => {
    const { code } = await create();
    expect(await listOf(project.id)).toEqual({ codes: [code], counted: 1 });
  });

  test('refuses a code that the project has used', async () => {
    const { code } = await create();
    await expect(create({ code })).rejects.toMatchObject({ code: 'CODE_ALREADY_EXISTS' });
    expect(await listOf(project.id)).toEqual({ codes: [code], counted: 1 });
  });

  test('lets another project have the same code', async () => {
    const { code } = await create();
    const other = aProject();
    const link = await links().create(aLinkDraft({ project: other.id, code }), {
      project: other,
      generateCode,
    });
    expect(link.code).toBe(code);
  });

  test('generates a code that no project uses', async () => {
    const chosen = await create({ code: 'Abcdef1234' });
    const candidates = [chosen.code, 'Zyxwvu9876'];
    const other = aProject();
    const draft = aLinkDraft({ project: other.id, code: undefined });
    const link = await links().create(draft, {
      project: other,
      generateCode: () => candidates.shift() ?? generateCode(),
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
  test('pauses and activates', async () => {
    const { code } = await create();
    expect(await links().setStatus(project.id, code, 'PAUSED', { now })).toMatchObject({
      status: 'PAUSED',
      updatedAt: now.toISOString(),
    });
    expect(await links().setStatus(project.id, code, 'ACTIVE', { now })).toMatchObject({ status: 'ACTIVE' });
  });

  test('refuses the status that the link has', async () => {
    const { code } = await create();
    await expect(links().setStatus(project.id, code, 'ACTIVE', { now })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'The link is already ACTIVE',
    });
  });

  test.each([
    [-1, 'PAUSED'],
    [0, 'BAD_REQUEST'],
    [1, 'BAD_REQUEST'],
  ])('%i ms from the expiry the result is %s', async (offset, answer) => {
    const { code } = await create({ expiresAt: new Date(now.getTime() - offset).toISOString() });
    const outcome = links().setStatus(project.id, code, 'PAUSED', { now });
    const told = await outcome.then(
      ({ status }) => status,
      (failure) => failure.code,
    );
    expect(told).toBe(answer);
  });

  test('finds no link of another project', async () => {
    const { code } = await create();
    await expect(links().setStatus('another', code, 'PAUSED', { now })).rejects.toMatchObject({
      code: 'LINK_NOT_FOUND',
    });
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
  /** Updates a link, and runs `meanwhile` after the update has read it. */
  const updateMeeting = (code: string, meanwhile: () => Promise<unknown>) =>
    links().update(
      { project: project.id, code },
      { payload: { link: 'https://example.com/new' } },
      { now, checks: meanwhile() },
    );

  test('a delete is refused, and leaves no expiry marker', async () => {
    const { code } = await create();
    const update = updateMeeting(code, () => links().delete(project.id, code, { now }));
    await expect(update).rejects.toMatchObject({ code: 'LINK_NOT_FOUND' });
    expect(await item(linkKey(project.id, code))).toMatchObject({
      status: 'DELETED',
      payload: { link: 'https://example.com/landing' },
    });
  });

  test('the expiry of the link is refused', async () => {
    const expiresAt = '2026-04-01T00:00:00.000Z';
    const { code } = await create({ expiresAt });
    const update = updateMeeting(code, () => links().expire(project.id, code, expiresAt));
    await expect(update).rejects.toBeDefined();
    expect(await item(linkKey(project.id, code))).toMatchObject({
      status: 'EXPIRED',
      payload: { link: 'https://example.com/landing' },
    });
  });
});
