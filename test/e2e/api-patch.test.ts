import { linkKey } from '../../core/table/keys.ts';
import { updateOf } from '../../core/table/update.ts';
import { aTime, coded, fullPayload, newApp, newLink, payload } from '../support/api.ts';
import { openWholeTable } from '../support/lean-table.ts';
import { tableOf } from '../support/local-stack.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);

const shown = async (code: string) => (await project.call('GET', `/links/${code}`)).body.data;
const patch = (code: string, body: unknown, headers?: Record<string, string>) =>
  project.call('PATCH', `/links/${code}`, body, headers);
const table = () => openWholeTable(stack.facts.services.dynamodb, tableOf(stack));
const updated = { success: true, data: { message: 'The link was updated' } };

test('a patch changes only the fields that it names', async () => {
  const expiresAt = '2099-01-01T00:00:00.000Z';
  const { code } = await newLink(project, { name: 'N', tags: ['a', 'b'], payload: fullPayload, expiresAt });
  const before = await shown(code);
  const { status, body } = await patch(
    code,
    { payload: { social: { title: 'New' }, android: { min_version: null }, campaign: null } },
    { 'content-type': 'application/merge-patch+json' },
  );
  expect([status, body]).toEqual([200, updated]);
  const { campaign, ...kept } = fullPayload;
  const { min_version, ...android } = fullPayload.android ?? {};
  expect(await shown(code)).toEqual({
    ...before,
    payload: { ...kept, android, social: { ...fullPayload.social, title: 'New' } },
    updatedAt: expect.any(String),
  });
  expect((await shown(code)).updatedAt > before.updatedAt).toBe(true);
  await patch(code, { name: null, tags: ['c'], expiresAt: null, payload: { link: 'https://example.org/' } });
  const after = await shown(code);
  expect(after).toMatchObject({ tags: ['c'], originalUrl: 'https://example.org/' });
  expect(after).not.toHaveProperty('name');
  expect(after).not.toHaveProperty('expiresAt');
  await patch(code, { tags: [] });
  expect(await shown(code)).not.toHaveProperty('tags');
});

test('rules and tags are replaced whole', async () => {
  const rule = (name: string) => ({ name, platforms: ['ios'], link: `https://example.com/${name}` });
  const { code } = await newLink(project, { payload: { ...payload, rules: [rule('a'), rule('b')] } });
  await patch(code, { payload: { rules: [rule('c')] } });
  expect((await shown(code)).payload.rules).toEqual([rule('c')]);
  await patch(code, { payload: { rules: null } });
  expect((await shown(code)).payload).toEqual(payload);
});

test.each<[string, object]>([
  ['nothing', {}],
  ['an empty payload', { payload: {} }],
  ['what is stored already', { name: 'N', payload: { social: { title: 'T' }, link: payload.link } }],
  ['what is missing already', { expiresAt: null, payload: { campaign: null, social: { image: null } } }],
  ['fields of an answer', { id: 'x', code: null, status: 'ACTIVE', clickCount: 9, projectId: 'x' }],
])('a patch of %s changes nothing, and emits no event', async (_, body) => {
  const { code } = await newLink(project, { name: 'N', payload: { ...payload, social: { title: 'T' } } });
  const before = await table().get(linkKey(project.id, code));
  expect((await patch(code, body)).status).toBe(200);
  expect(await table().get(linkKey(project.id, code))).toEqual(before);
});

test.each([
  ['PUT', 'only updatedAt'],
  ['PATCH', 'nothing'],
])('a %s of the response of GET changes %s', async (method, changed) => {
  const expiresAt = '2099-01-01T00:00:00.000Z';
  const { code } = await newLink(project, { name: 'N', tags: ['a'], payload: fullPayload, expiresAt });
  const before = await shown(code);
  expect((await project.call(method, `/links/${code}`, before)).status).toBe(200);
  const after = await shown(code);
  expect(after).toEqual({ ...before, updatedAt: aTime });
  expect(after.updatedAt === before.updatedAt).toBe(changed === 'nothing');
});

test.each<[object | string, string]>([
  [{ payload: null }, 'payload'],
  [{ payload: 'x' }, 'payload'],
  [{ payload: { link: null } }, 'payload.link'],
  [{ payload: { android: { package: 'https://play.google.com/x' } } }, 'payload.android.package'],
  [{ payload: { social: 'x' } }, 'payload.social'],
  [{ payload: { rules: [{ name: 'none' }] } }, 'payload.rules.0'],
  [{ payload: { ios: { saveApp: true } } }, 'payload.ios.appName'],
  [{ expiresAt: '2001-01-01T00:00:00Z' }, 'expiresAt'],
  [{ tags: ['a b!'] }, 'tags'],
  ['[]', ''],
])('the patch %j is refused', async (body, field) => {
  const { code } = await newLink(project, { payload: { ...payload, social: { title: 'T' } } });
  const before = await shown(code);
  const answer = await patch(code, body);
  expect([answer.status, answer.body]).toEqual([400, coded('VALIDATION_ERROR')]);
  expect(answer.body.error.message).toContain(field);
  expect(await shown(code)).toEqual(before);
});

test('a stored value that would be refused today hinders only a patch that names it', async () => {
  const { code } = await newLink(project, { payload: { ...payload, android: { min_version: '1' } } });
  const stored = await table().get(linkKey(project.id, code));
  const wrong = { ...(stored?.payload as object), android: { package: 'my app', min_version: '1' } };
  await table().update(updateOf(linkKey(project.id, code), { set: { payload: wrong } }));
  expect((await patch(code, { payload: { android: { min_version: '2' } } })).status).toBe(200);
  expect((await shown(code)).payload.android).toEqual({ package: 'my app', min_version: '2' });
  expect((await patch(code, { payload: { android: { package: 'my app' } } })).status).toBe(400);
  // As an app it is judged whole.
  const saving = await patch(code, { payload: { android: { saveApp: true, appName: 'A' } } });
  expect(saving.body.error.message).toContain('payload.android.package');
});

test("a campaign that is too long only together with the link's is refused", async () => {
  const half = '€'.repeat(200);
  const campaign = { utm_source: half };
  const { code } = await newLink(project, { payload: { ...payload, campaign } });
  const { status, body } = await patch(code, { payload: { campaign: { utm_term: half } } });
  expect([status, body]).toEqual([400, coded('VALIDATION_ERROR')]);
  expect(body.error.message).toMatch(/^payload\.campaign: /);
  expect((await shown(code)).payload.campaign).toEqual(campaign);
});

test('an app is not saved with an address of the link that became a short host', async () => {
  const host = `${project.id}.example.com`.toLowerCase();
  const android = { package: 'com.example.a', store_fallback: `https://${host}/` };
  const { code } = await newLink(project, { payload: { ...payload, android } });
  await stack.admin('domain', 'assign', host, '--project', project.id);
  expect((await patch(code, { payload: { android: { min_version: '2' } } })).status).toBe(200);
  const { status, body } = await patch(code, { payload: { android: { saveApp: true, appName: 'A' } } });
  expect([status, body]).toEqual([400, coded('VALIDATION_ERROR')]);
  expect(body.error.message).toMatch(/^payload\.android\.store_fallback: /);
});

test('saving an app takes the merged settings, and needs the scope', async () => {
  const { code } = await newLink(project, { payload: { ...payload, ios: { bundleId: 'com.example.a' } } });
  const body = { payload: { ios: { saveApp: true, appName: 'Mine' } } };
  const key = await project.keyWith(['links:write']);
  expect((await stack.api('PATCH', `/links/${code}`, { key, body })).status).toBe(403);
  expect((await patch(code, body)).status).toBe(200);
  const { iosAppId } = (await shown(code)).payload;
  const { data } = (await project.call('GET', `/mobile-apps/${iosAppId}`)).body;
  expect(data).toMatchObject({ name: 'Mine', bundleId: 'com.example.a' });
  // Whatever else the patch changes.
  expect((await patch(code, body)).status).toBe(200);
  expect((await shown(code)).payload.iosAppId).not.toBe(iosAppId);
});

test('settings of a saved app are not merged into the link', async () => {
  const app = await newApp(project);
  const { code } = await newLink(project, { payload: { ...payload, iosAppId: app.id } });
  await patch(code, { payload: { ios: { min_version: '9' } } });
  const { payload: stored } = (await table().get(linkKey(project.id, code))) ?? {};
  expect(stored).toEqual({ ...payload, iosAppId: app.id, ios: { min_version: '9' } });
});
