import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { newMobileApp } from '../../../core/apps/mobile-app.ts';
import { makeShareLink } from '../../../core/share-links/make-share-link.ts';
import { blockedKey } from '../../../core/table/keys.ts';
import { UsageError } from '../../../ops/base/operator-error.ts';
import { setSubscription } from '../../../ops/projects/projects.ts';
import { replayRecord } from '../../../ops/takedowns/takedown-replay.ts';
import { outputOf, runCommand } from '../../support/command.ts';
import { newFolder } from '../../support/folder.ts';
import {
  fileDeployment,
  isRedirected,
  projectIn,
  storeLink,
  writeFacts,
} from '../../support/ops-deployment.ts';

const deployment = fileDeployment();
const folder = newFolder();
const file = path.join(folder, 'template.json');
const template = { payload: { link: 'https://shop.example/join' }, allow: ['link.path'], maxLinks: 2 };
let project: string;
beforeAll(() => {
  writeFacts(folder, deployment);
  writeFileSync(file, JSON.stringify(template));
});
beforeEach(async () => {
  project = await projectIn(deployment);
});

const input = (fields: object = {}) => ({ input: JSON.stringify({ ...template, ...fields }) });
/** The JSON that a command prints; throws its error. */
// biome-ignore lint/suspicious/noExplicitAny: each command has its own result
const admin = async (line: string, surroundings = {}): Promise<any> =>
  JSON.parse(await outputOf([...line.split(' '), '--data', folder, '--json'], surroundings));
const errorOf = async (line: string, surroundings = {}) =>
  (await runCommand([...line.split(' '), '--data', folder], surroundings)).error;
const keyWith = (fields: object = {}) => admin(`key create --project ${project} --share -`, input(fields));
const listed = () => admin(`key list --project ${project}`);

const share = async (keyId: string, link = template.payload.link): Promise<string> => {
  const call = { caller: { project, keyId }, now: new Date(), shortBase: 'https://go.example' };
  return (await makeShareLink({ link }, { ...call, shortHosts: ['go.example'] }, deployment.stores)).code;
};

const redirects = (code: string) => isRedirected(deployment, { project, code });

const reasonsFor = async (code: string) => (await admin(`link show ${code} --project ${project}`)).stopped;

test('a publishable key is created, updated and listed with its template', async () => {
  const created = await admin(`key create --project ${project} --share ${file}`);
  expect(created).toEqual({
    keyId: expect.stringMatching(/^key-/),
    kind: 'publishable',
    project,
    apiKey: expect.stringMatching(/^dlp_[A-Za-z0-9]{40}$/),
    createdBy: 'admin',
    createdAt: expect.stringMatching(/Z$/),
    template,
    made: 0,
    problem: null,
  });
  const secret = await admin(`key create --project ${project}`);
  await share(created.keyId);
  const list = await listed();
  expect(list).toEqual([
    { ...created, made: 1 },
    expect.objectContaining({ keyId: secret.keyId, kind: 'secret' }),
  ]);
  expect(list[1]).not.toHaveProperty('apiKey');
  const updated = await admin(`key update ${created.keyId} --share -`, input({ maxLinks: 1 }));
  expect(updated).toEqual({
    ...created,
    template: { ...template, maxLinks: 1 },
    made: 1,
    problem: expect.stringContaining('1'),
  });
  expect((await listed())[0]).toEqual(updated);
});

const memberKey = async (): Promise<string> => {
  const { members, sessions } = deployment.stores;
  const ann = await members.add({ email: 'ann@example.com', project, role: 'editor' }, new Date());
  if (typeof ann === 'string') throw new Error(ann);
  const made = await sessions.exchange({ ...ann, projects: [project] }, project, new Date());
  if (typeof made === 'string') throw new Error(made);
  return made.key;
};

test('a secret key has each scope once, however often it is given', async () => {
  const { scopes } = await admin(`key create --project ${project} --scopes links:read,links:read`);
  expect(scopes).toEqual(['links:read']);
});

test('calls that no template makes right are usage errors', async () => {
  const { keyId, apiKey } = await admin(`key create --project ${project}`);
  const create = `key create --project ${project} --share ${file}`;
  for (const [line, message] of [
    [`${create} --scopes links:read`, 'leave out --scopes and --user'],
    [`${create} --user ann`, 'leave out --scopes and --user'],
    [`key update ${keyId} --share ${file}`, 'is a secret key'],
    [`key revoke ${keyId} --with-links`, 'is a secret key'],
    [`key revoke ${apiKey} --with-links`, 'is a secret key'],
    [`key revoke ${await memberKey()} --with-links`, "is a member's key"],
    [`key restore-links ${keyId}`, 'is a secret key'],
  ] as const) {
    const error = await errorOf(line);
    expect([line, error instanceof UsageError, error?.message]).toEqual([
      line,
      true,
      expect.stringContaining(message),
    ]);
  }
  expect((await listed())[0]).not.toHaveProperty('revokedAt');
});

test('all faults of a template are refused at once, each with its path', async () => {
  const bad = { payload: { link: 'nowhere' }, allow: ['link.path', 'links'], perHour: 0, colour: 'red' };
  for (const line of ['key create --project x', `key update ${(await keyWith()).keyId}`]) {
    const error = await errorOf(`${line} --share -`, { input: JSON.stringify(bad) });
    expect(error).toBeInstanceOf(UsageError);
    for (const at of ['payload.link', 'allow.1', 'perHour', 'colour'])
      expect(error?.message).toContain(`${at}: `);
  }
  const unread = await errorOf(`key create --project ${project} --share -`, { input: '{' });
  expect(unread).toMatchObject({
    exitCode: 2,
    message: expect.stringContaining('Standard input is not JSON'),
  });
});

test('a project has 20 publishable keys that are not revoked, also if two are created at once', async () => {
  const create = () => errorOf(`key create --project ${project} --share -`, input());
  const { keyId } = await keyWith();
  for (let made = 1; made < 19; made += 1) await keyWith();
  for (const change of [async () => undefined, () => admin(`key revoke ${keyId}`)]) {
    await change();
    const outcomes = await Promise.all([create(), create()]);
    expect(outcomes.filter(Boolean)).toEqual([
      expect.objectContaining({ message: expect.stringContaining('20') }),
    ]);
  }
});

test.each<[what: string, problem: string, change: () => Promise<unknown>]>([
  [
    'its app is deleted',
    'payload.iosAppId: no saved iOS app',
    () => deployment.stores.apps.delete(project, 'app-1'),
  ],
  ['its host is blocked', 'payload.link: must not', () => admin('destination block shop.example')],
  ['the project is suspended', 'has suspended the project', () => admin(`project suspend ${project}`)],
  ['the project has no subscription', 'subscription', () => setSubscription(deployment, project, 'inactive')],
  ['this version refuses its template', 'payload', () => storeTemplate({ allow: [] })],
  ['the key has made all its links', '2', () => Promise.all(['a', 'b'].map((at) => madeBy(`/${at}`)))],
])('a key shows why it makes no link: %s', async (_, problem, change) => {
  const app = newMobileApp('app-1', { name: 'App', platform: 'IOS', bundleId: 'com.shop' }, new Date());
  await deployment.stores.apps.create(project, app);
  const { keyId } = await keyWith({ payload: { ...template.payload, iosAppId: 'app-1' } });
  madeBy = (path) => share(keyId, template.payload.link + path);
  expect((await listed())[0].problem).toBeNull();
  await change();
  expect((await listed())[0].problem).toContain(problem);
});
afterEach(() => errorOf('destination unblock shop.example'));
let madeBy: (path: string) => Promise<string>;
const storeTemplate = async (stored: object) => {
  const { apiKeys } = deployment.stores;
  const [{ keyId, share } = {}] = await apiKeys.list(project);
  if (keyId && share) await apiKeys.changeTemplate(keyId, { ...share, template: JSON.stringify(stored) });
};

test('the links of a key lead nowhere until they are restored', async () => {
  const { keyId } = await keyWith();
  const code = await share(keyId);
  const blocked = await share(keyId, `${template.payload.link}/7`);
  await storeLink(deployment, { project, code: 'launch' });
  await admin(`link block ${blocked} --project ${project}`);
  expect(await outputOf(['key', 'revoke', keyId, '--data', folder])).not.toContain('scopes');
  expect(await redirects(code)).toBe(true);
  expect((await listed())[0].problem).toBe('The key is revoked');
  await admin(`key revoke ${keyId} --with-links`);
  expect([await redirects(code), await redirects('launch')]).toEqual([false, true]);
  expect(await reasonsFor(code)).toEqual([
    expect.stringContaining(`The links of the key ${keyId} are blocked since`),
  ]);
  for (const line of [`link pause ${code}`, `link update ${code} --name A`])
    expect((await errorOf(`${line} --project ${project}`))?.message).toContain(
      'has blocked the links of the publishable key',
    );
  expect(await admin('destination list')).toEqual([]);
  expect((await errorOf(`destination unblock ${keyId}`))?.message).toContain("can't be blocked");
  // A restored table may lack the block.
  await deployment.db.table.delete({ Key: blockedKey(keyId) });
  const lines: string[] = [];
  const replay = () => replayRecord(deployment, { progress: (line) => lines.push(line) });
  await replay();
  await replay();
  expect(lines.filter((line) => line.includes(keyId))).toEqual([
    expect.stringContaining(`destination block ${keyId}, as on`),
  ]);
  expect(await redirects(code)).toBe(false);
  expect(await admin(`key restore-links ${keyId}`)).toMatchObject({ keyId, made: 2 });
  expect([await redirects(code), await redirects(blocked)]).toEqual([true, false]);
  expect(await reasonsFor(code)).toBeUndefined();
  expect(await admin(`link update ${code} --name A --project ${project}`)).toMatchObject({ name: 'A' });
  expect(await admin(`link pause ${code} --project ${project}`)).toMatchObject({ status: 'PAUSED' });
  expect((await errorOf(`key restore-links ${keyId}`))?.message).toContain('are not blocked');
  await expect(share(keyId)).rejects.toThrow();
});
