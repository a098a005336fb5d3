import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { examplePayload } from '../../../core/links/example-payload.ts';
import { columns, moreColumns, settingColumns, textOf } from '../../../core/links/link-columns.ts';
import { UsageError } from '../../../ops/base/operator-error.ts';
import { assignDomain } from '../../../ops/hosts/domains.ts';
import { forgetTag } from '../../../ops/links/tags.ts';
import { blockLink } from '../../../ops/takedowns/takedowns.ts';
import { aLinkDraft } from '../../support/builders.ts';
import { outputOf } from '../../support/command.ts';
import { newFolder } from '../../support/folder.ts';
import { importText } from '../../support/imports.ts';
import { isNightly } from '../../support/nightly.ts';
import { fileDeployment, projectIn, writeFacts } from '../../support/ops-deployment.ts';
import { shortUrlEndings } from '../../support/short-url-endings.ts';

const deployment = fileDeployment();
const folder = newFolder();
let project: string;
beforeAll(() => writeFacts(folder, deployment));
beforeEach(async () => {
  project = await projectIn(deployment);
});

/** The result of a command; throws its error. */
// biome-ignore lint/suspicious/noExplicitAny: each command has its own result
const admin = async (args: readonly string[], input = '', environment = {}): Promise<any> =>
  JSON.parse(await outputOf([...args, '--data', folder, '--json'], { input, environment }));
const create = (...args: string[]) => admin(['link', 'create', '--project', project, ...args]);
const update = (code: string, ...args: string[]) =>
  admin(['link', 'update', code, '--project', project, ...args]);

test('a link is created from its flags, and shown', async () => {
  const words = ['--code', 'launch', '--name', 'Launch', '--expires', '2036-01-31'];
  const created = await create('--link', 'https://example.com/', ...words);
  expect(created).toMatchObject({
    code: 'launch',
    shortUrl: `https://go.example/${project}/launch`,
    name: 'Launch',
    expiresAt: '2036-01-31T00:00:00.000Z',
    payload: { link: 'https://example.com/' },
    createdBy: 'operator',
  });
  expect(await admin(['link', 'show', 'launch', '--project', project])).toEqual(created);
  const other = await create('--link', 'https://example.com/', '--paused');
  expect([other.code, other.status]).toEqual([expect.stringMatching(/^\w{3,}$/), 'PAUSED']);
});

test('flags win over the file, whose other fields stay', async () => {
  const file = path.join(folder, 'body.json');
  const payload = { link: 'https://example.com/file', desktop_fallback: 'https://example.com/d' };
  writeFileSync(file, JSON.stringify({ code: 'from-file', name: 'File', payload }));
  expect(await create('--file', file, '--link', 'https://example.com/flag')).toMatchObject({
    code: 'from-file',
    name: 'File',
    payload: { ...payload, link: 'https://example.com/flag' },
  });
  const body = JSON.stringify({ payload: { link: 'https://example.com/in' } });
  const read = await admin(
    ['link', 'create', '--project', project, '--file', '-', '--code', 'in'],
    body,
  ).catch(String);
  expect(read).toContain('code: must be 3 to 50');
});

/** A value for every column that an import of CSV reads but two, and for the address. */
const values: Readonly<Record<string, string>> = {
  ...{ code: 'by-word', name: ' Spring ', tags: 'a,b', expiresAt: '2036-01-31' },
  ...Object.fromEntries(
    settingColumns.map(({ name, field = '' }) => [name, textOf(valueAt(examplePayload, field)) ?? '']),
  ),
};
function valueAt(payload: object, field: string): unknown {
  return field
    .split('.')
    .slice(1)
    .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], payload);
}
const optionOf = (column: string) =>
  column === 'expiresAt'
    ? '--expires'
    : `--${column.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;

const alone = isNightly ? Object.keys(values).map((name) => [name]) : [];
test.each([...alone, Object.keys(values)])(
  'a link made by options is the one that a table makes: %s',
  async (...columns) => {
    const link = 'https://example.com/landing';
    const words = columns.flatMap((name) => [optionOf(name), values[name] ?? '']);
    const code = columns.includes('code') ? [] : ['--code', 'by-word'];
    const made = await admin(['link', 'create', link, ...words, ...code, '--project', project]);
    const cells = columns.filter((name) => name !== 'code').map((name) => [name, values[name] ?? '']);
    const rows = [['code', 'by-table'], ['link', link], ...cells];
    const text = rows.map(([, value = '']) => `"${value.replaceAll('"', '""')}"`).join();
    await importText(deployment, {
      ...{ project, name: 'links.csv' },
      text: `${rows.map(([name]) => name).join()}\n${text}\n`,
    });
    const imported = await admin(['link', 'show', 'by-table', '--project', project]);
    const same = ({ payload, name, tags, expiresAt, status }: typeof made) => ({
      ...{ payload, name, tags, expiresAt, status },
    });
    expect(same(made)).toEqual(same(imported));
    expect(made.code).toBe('by-word');
  },
);

test('every column that an import reads has its option', () => {
  const read = [...columns, ...moreColumns].filter(({ field }) => field !== undefined);
  const names = read
    .map(({ name }) => name)
    .filter((name) => !['createdAt', 'status', 'link'].includes(name));
  expect(Object.keys(values).sort()).toEqual(['code', ...names].sort());
});

test('the argument wins over the file', async () => {
  const body = JSON.stringify({
    name: 'File',
    payload: { link: 'https://example.com/file', ios: { bundleId: 'a.b' } },
  });
  const words = ['--file', '-', '--ios-app-store-id', '42', '--project', project];
  expect(await admin(['link', 'create', 'https://example.com/word', ...words], body)).toMatchObject({
    name: 'File',
    payload: { link: 'https://example.com/word', ios: { bundleId: 'a.b', app_store_id: '42' } },
  });
});

test('DLS_PROJECT names the project, unless an option does', async () => {
  const other = await projectIn(deployment);
  const environment = { DLS_PROJECT: project };
  const made = await admin(['link', 'create', 'https://example.com/', '--code', 'env'], '', environment);
  expect(made.shortUrl).toContain(`/${project}/`);
  expect((await admin(['link', 'show', 'env'], '', environment)).code).toBe('env');
  // A short URL names its project itself.
  expect((await admin(['link', 'show', made.shortUrl], '', { DLS_PROJECT: other })).code).toBe('env');
  const elsewhere = ['link', 'list', '--project', other];
  expect(await admin(elsewhere, '', environment)).toEqual([]);
  await expect(admin(['link', 'list'], '', { DLS_PROJECT: '' })).rejects.toBeInstanceOf(UsageError);
});

test('an update changes given fields and clears empty ones', async () => {
  const words = '--link https://example.com/ --code launch --name A --expires 2036-01-31';
  await create(...words.split(' '));
  const moved = await update('launch', '--link', 'https://example.com/moved');
  expect(moved).toMatchObject({ name: 'A', payload: { link: 'https://example.com/moved' } });
  const cleared = await update('launch', '--name', '', '--expires', '');
  expect(cleared).toMatchObject({ payload: { link: 'https://example.com/moved' }, updatedBy: 'operator' });
  expect(cleared).not.toHaveProperty('name');
  expect(cleared).not.toHaveProperty('expiresAt');
});

test('arguments that are wrong in themselves are usage errors, without a stack', async () => {
  const file = path.join(folder, 'broken.json');
  writeFileSync(file, '{"payload":');
  const wrong = [
    ['link', 'create', '--project', 'x', '--link', 'https://example.com/', '--expires', '2020-01-01'],
    ['link', 'create', '--project', 'x', '--file', file],
    ['link', 'create', '--project', 'x', '--file', path.join(folder, 'none')],
    ['link', 'update', 'launch', '--project', 'x'],
    ['project', 'rename', 'x', '--name', 'a\nb'],
    ['link', 'tag', 'launch', '--project', 'x'],
    ['link', 'tag', 'launch', '--project', 'x', '--add', 'a,,b'],
    ['link', 'tag', 'launch', '--project', 'x', '--remove', ''],
    ['link', 'tag', 'launch', '--project', 'x', '--add', 'sale', '--remove', 'SALE'],
    ['link', 'list', '--project', 'x', '--tag', '-a'],
    ['link', 'export', '--project', 'x', '--tag', 'ä'],
    ['tag', 'forget', 'a,b', '--project', 'x'],
  ];
  for (const args of wrong) await expect(admin(args)).rejects.toBeInstanceOf(UsageError);
  await expect(create('--file', '-')).rejects.toThrow('Standard input is not JSON');
});

test('files are JSON in UTF-8, with or without a byte order mark', async () => {
  const given = JSON.stringify({ code: 'launch', name: 'Früh', payload: { link: 'https://example.com/' } });
  const file = path.join(folder, 'encoded.json');
  writeFileSync(file, `\ufeff${given}`);
  expect(await create('--file', file)).toMatchObject({ name: 'Früh' });
  writeFileSync(file, given, 'latin1');
  await expect(create('--file', file)).rejects.toThrow(`${file} isn't in UTF-8`);
});

test('values that no stack could take are usage errors', async () => {
  for (const args of [
    ['domain', 'assign', 'http://a b/', '--project', project],
    ['domain', 'assign', '203.0.113.7', '--project', project],
    ['domain', 'remove', 'go_acme'],
    ['domain', 'assign', 'go.acme.test', '--project', project, '--root', 'nonsense'],
    ['destination', 'block', 'https://evil.example.com/x'],
    ['association', 'set', '--project', project],
    ['key', 'revoke', 'nonsense'],
    ['link', 'analytics', 'launch', '--project', project, '--days', '999999'],
    ['link', 'import', path.join(folder, 'none'), '--project', project],
  ])
    await expect(admin(args)).rejects.toBeInstanceOf(UsageError);
});

describe('a short URL stands for project and code', () => {
  const show = (url: string, ...more: string[]) => admin(['link', 'show', url, ...more]);
  beforeEach(() => create('--link', 'https://example.com/', '--code', 'launch'));

  test('in the folder of the project, and on its host', async () => {
    const code = { code: 'launch', projectId: project };
    for (const url of [`https://go.example/${project}/launch`, `go.example/${project}/l%61unch/?qr`])
      expect(await show(url)).toMatchObject(code);
    const host = `go.${project}.example`;
    await assignDomain(deployment, host, { project });
    for (const url of [`https://${host}/launch`, `https://${host.toUpperCase()}/${project}/launch#top`])
      expect(await show(url)).toMatchObject(code);
  });

  test('with text that people append to it', async () => {
    for (const [path, leads] of shortUrlEndings) {
      if (!path.includes('demo') || leads === 'nothing') continue;
      const shown = await show(`https://go.example${path.replace('demo', project)}`);
      expect([path, shown.code]).toEqual([path, 'launch']);
    }
    for (const text of ['”', '\u200b).', '\u3000'])
      expect(await show(`go.example/${project}/launch${text}`)).toMatchObject({ code: 'launch' });
  });

  test('another URL is refused with the reason', async () => {
    await expect(show('https://go.example/launch')).rejects.toThrow(
      'The host go.example belongs to no project',
    );
    await expect(show('https://go.example/')).rejects.toThrow("isn't a short URL of this service");
    await expect(show(`https://elsewhere.example/${project}/launch`)).rejects.toThrow('shows no links');
    await expect(show(`https://go.example/${project}/launch`, '--project', 'other')).rejects.toThrow(
      `of the project ${project}, not of other`,
    );
    await expect(show('launch')).rejects.toThrow('Give a code with --project ID');
  });
});

test('a project gets another name, and keeps all else', async () => {
  const before = await admin(['project', 'show', project]);
  const renamed = await admin(['project', 'rename', project, '--name', 'The Shop']);
  expect(renamed).toEqual({ ...before, name: 'The Shop' });
  await expect(admin(['project', 'rename', 'nowhere', '--name', 'N'])).rejects.toThrow(
    'There is no project nowhere',
  );
  await expect(admin(['project', 'create', project])).rejects.toThrow(
    `The project ${project} already exists`,
  );
});

describe('tags', () => {
  const tag = (code: string, ...args: string[]) =>
    admin(['link', 'tag', code, '--project', project, ...args]);
  const codesOf = async (...args: string[]) =>
    (await admin(['link', 'list', '--project', project, ...args])).map(({ code }: { code: string }) => code);
  const link = ['--link', 'https://example.com/'];

  test('are set with a link, added and removed one by one, and cleared', async () => {
    expect((await create(...link, '--code', 'launch', '--tags', 'B,a')).tags).toEqual(['b', 'a']);
    expect((await tag('launch', '--add', 'C,a', '--remove', 'b')).tags).toEqual(['a', 'c']);
    expect((await tag('launch', '--remove', 'nothing')).tags).toEqual(['a', 'c']);
    expect((await update('launch', '--tags', 'D')).tags).toEqual(['d']);
    expect((await update('launch', '--name', 'N')).tags).toEqual(['d']);
    expect(await update('launch', '--tags', '')).not.toHaveProperty('tags');
    await expect(tag('nope', '--add', 'a')).rejects.toThrow(`The project ${project} has no link nope`);
    const eleven = Array.from({ length: 11 }, (_, i) => `t${i}`).join();
    await expect(tag('launch', '--add', eleven)).rejects.toThrow('addTags: must have at most 10 items');
  });

  test('tags of blocked and expired links can also be changed', async () => {
    await create(...link, '--code', 'blocked');
    await blockLink(deployment, { project, code: 'blocked' });
    expect(await tag('blocked', '--add', 'a')).toMatchObject({ tags: ['a'], blocked: true });
  });

  test('select the links of a list and of an export', async () => {
    await create(...link, '--code', 'one', '--tags', 'a');
    await create(...link, '--code', 'two', '--tags', 'a,b');
    await create(...link, '--code', 'three', '--tags', 'b');
    expect((await codesOf('--tag', 'A')).sort()).toEqual(['one', 'two']);
    expect(await codesOf('--tag', 'a,b')).toEqual(['two']);
    expect(await codesOf('--tag', 'b', '--search', 'thr', '--status', 'ACTIVE')).toEqual(['three']);
    const out = path.join(folder, 'tagged.csv');
    const csv = ['link', 'export', '--project', project, '--format', 'csv', '--out', out];
    expect(await admin([...csv, '--tag', 'a,b'])).toEqual({ links: 1, out });
    const [header, row] = readFileSync(out, 'utf8').split('\r\n');
    expect(header).toMatch(/,tags,appData$/);
    expect(row).toMatch(/^two,.*,a b,$/);
    const other = await projectIn(deployment);
    const counts = { created: 1, unchanged: 0, conflict: 0, refused: 0 };
    expect(await admin(['link', 'import', out, '--project', other])).toEqual(counts);
    expect((await admin(['link', 'show', 'two', '--project', other])).tags).toEqual(['a', 'b']);
    expect(await admin(['link', 'import', out, '--project', other])).toMatchObject({ unchanged: 1 });
  });

  test('that no link has any more can be forgotten', async () => {
    const { stores } = deployment;
    const forget = (one: string, meanwhile: () => Promise<unknown> = async () => undefined) =>
      forgetTag(deployment, { project, tag: one }, meanwhile);
    await create(...link, '--code', 'one', '--tags', 'a,b');
    await expect(forget('a')).rejects.toThrow('one has the tag a');
    await expect(forget('c')).rejects.toThrow(`The project ${project} has no tag c`);
    await tag('one', '--remove', 'a');
    expect(await forget('a')).toEqual({ project, tag: 'a' });
    expect(await stores.tags.list(project)).toEqual(['b']);
    await tag('one', '--remove', 'b');
    // A creation that had read the names before they were changed.
    const late = () => stores.links.create(aLinkDraft({ project, tags: ['b'] }), creation);
    const creation = { project: await stores.projects.get(project), generateCode: () => 'unused' };
    const forgetting = forget('b', async () => {
      await late();
      await stores.tags.forget(project, 'b');
    });
    await expect(forgetting).rejects.toThrow('has the tag b');
    expect(await stores.tags.list(project)).toEqual(['b']);
  });
});
