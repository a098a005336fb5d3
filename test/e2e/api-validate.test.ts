import { randomUUID } from 'node:crypto';
import { DynamicLinks } from '../../client/index.ts';
import type { LinkDraft } from '../../client/types.ts';
import { scopes } from '../../core/api-keys/scopes.ts';
import { limits } from '../../core/base/limits.ts';
import { appCountKey, tagNamesKey } from '../../core/table/keys.ts';
import { coded, newLink, newProject, payload, type TestProject } from '../support/api.ts';
import { unique } from '../support/builders.ts';
import { openWholeTable } from '../support/lean-table.ts';
import { tableOf } from '../support/local-stack.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);

type Item = {
  readonly success: boolean;
  readonly error?: { readonly code: string; readonly message: string };
};

const bulk = async (of: TestProject, links: readonly unknown[], query = '?validateOnly=true') => {
  const { status, body } = await of.call('POST', `/links/bulk${query}`, { links });
  expect(status).toBe(200);
  return body.data as {
    created: number;
    failed: number;
    results: (Item & { index: number; link?: unknown })[];
  };
};

/** The failure of an item, without a creation's own fields. */
const outcomeOf = ({ success, error }: Item) => ({ success, error });

test('validates links in order and stores nothing', async () => {
  const code = unique('free');
  const { body } = await project.call('GET', '/tags');
  const data = await bulk(project, [
    { code, tags: ['unheard-of'], payload },
    { payload: { link: 'x.com' } },
    1,
    { payload, status: 'EXPIRED' },
    { payload, status: 'PAUSED' },
  ]);
  expect(data).toEqual({
    created: 0,
    failed: 3,
    results: [
      { index: 0, success: true },
      {
        index: 1,
        success: false,
        error: {
          ...coded('VALIDATION_ERROR').error,
          message: 'payload.link: must be an absolute http or https URL',
        },
      },
      { index: 2, success: false, error: coded('VALIDATION_ERROR').error },
      { index: 3, success: false, error: coded('VALIDATION_ERROR').error },
      { index: 4, success: true },
    ],
  });
  expect((await project.call('GET', `/links/check/${code}`)).body.data.available).toBe(true);
  expect((await project.call('GET', '/tags')).body.data).toEqual(body.data);
});

test('the first valid link gets a repeated code, as in a creation', async () => {
  const code = unique('twice');
  const links = [
    { code, payload: { link: 'x.com' } },
    { code, payload },
    { code, payload },
  ];
  for (const query of ['?validateOnly=true', '']) {
    const { results } = await bulk(project, links, query);
    expect(results.map(({ error }) => error?.code)).toEqual([
      'VALIDATION_ERROR',
      undefined,
      'CODE_ALREADY_EXISTS',
    ]);
    expect(results[2]?.error?.message).toContain('repeated in the request');
  }
});

test('reports the same as a creation for states that only the table knows', async () => {
  const { code: taken } = await newLink(project);
  const { code: deleted } = await newLink(project);
  await project.call('DELETE', `/links/${deleted}`);
  const blocked = `${unique('bad')}.example.org`;
  await stack.admin('destination', 'block', blocked);
  // The function remembers for half a second which hosts are blocked.
  while ((await bulk(project, [{ payload: { link: `https://${blocked}/` } }])).failed === 0);
  const saving = { link: 'https://example.com/', android: { package: 'a.b', saveApp: true, appName: 'A' } };
  const links = [
    { code: taken, payload },
    { code: deleted, payload },
    { code: taken, payload: { link: `https://${blocked}/` } },
    { payload: { link: `https://${blocked}/` } },
    { payload: { ...payload, iosAppId: randomUUID() } },
    { payload: saving },
  ];
  const validated = await bulk(project, links);
  expect((await project.call('GET', '/mobile-apps')).body.data.total).toBe(0);
  expect(validated.results.map(outcomeOf)).toEqual((await bulk(project, links, '')).results.map(outcomeOf));
  expect(validated.results.map(({ error }) => error?.code)).toEqual([
    'CODE_ALREADY_EXISTS',
    'CODE_ALREADY_EXISTS',
    ...Array(3).fill('VALIDATION_ERROR'),
    undefined,
  ]);
});

test('counts tags and apps of the project', async () => {
  const full = await newProject(stack);
  const table = openWholeTable(stack.facts.services.dynamodb, tableOf(stack));
  const names = new Set(Array.from({ length: limits.tagsPerProject }, (_, i) => `tag-${i}`));
  await table.put({ Item: { ...tagNamesKey(full.id), names } });
  await table.put({ Item: { ...appCountKey(full.id), n: limits.appsPerProject } });
  const saving = { link: 'https://example.com/', ios: { bundleId: 'a.b', saveApp: true, appName: 'A' } };
  const links = [{ tags: ['new'], payload }, { tags: ['tag-7'], payload }, { payload: saving }];
  const validated = await bulk(full, links);
  expect(validated.results.map(outcomeOf)).toEqual((await bulk(full, links, '')).results.map(outcomeOf));
  expect(validated.results.map(({ success }) => success)).toEqual([false, true, false]);
});

test('needs links:read, and apps:write for links that save an app', async () => {
  const reader = await project.keyWith(['links:read']);
  const saving = { link: 'https://example.com/', ios: { bundleId: 'a.b', saveApp: true, appName: 'A' } };
  const body = { links: [{ payload }, { payload: saving }] };
  const answer = await stack.api('POST', '/links/bulk?validateOnly=true', { key: reader, body });
  expect(answer.body.data.results).toMatchObject([
    { success: true },
    { error: { code: 'INSUFFICIENT_PERMISSIONS' } },
  ]);
  expect((await stack.api('POST', '/links/bulk', { key: reader, body })).status).toBe(403);
  expect((await stack.api('POST', '/links/bulk?validateOnly=false', { key: reader, body })).status).toBe(403);
  const writer = await project.keyWith(scopes.filter((scope) => scope !== 'links:read'));
  expect((await stack.api('POST', '/links/bulk?validateOnly=true', { key: writer, body })).status).toBe(403);
});

test('without a subscription, only links that are valid otherwise fail for it', async () => {
  const free = await newProject(stack, { subscription: 'inactive' });
  const { results } = await bulk(free, [{ payload }, { payload: { link: 'x.com' } }]);
  expect(results.map(({ error }) => error?.code)).toEqual(['SUBSCRIPTION_REQUIRED', 'VALIDATION_ERROR']);
  expect((await free.call('POST', '/links/bulk', { links: [{ payload }] })).status).toBe(402);
});

test.each(['yes', '1', 'TRUE', ''])('validateOnly=%s is refused', async (value) => {
  const { status, body } = await project.call('POST', `/links/bulk?validateOnly=${value}`, {
    links: [{ payload }],
  });
  expect([status, body.error.code]).toEqual([400, 'INVALID_PARAMETERS']);
});

test('ignores Idempotency-Key, valid or not, and counts as one request', async () => {
  const used = async () => (await project.call('GET', '/usage')).body.data.used;
  const before = await used();
  for (const key of ['once', '', 'ü', 'x'.repeat(300)]) {
    const headers = { 'Idempotency-Key': Buffer.from(key).toString('latin1') };
    const { status, headers: answered } = await project.call(
      ...([
        'POST',
        '/links/bulk?validateOnly=true',
        { links: [{ code: unique('c'), payload }] },
        headers,
      ] as const),
    );
    expect([status, answered.has('idempotent-replayed')]).toEqual([200, false]);
  }
  expect(await used()).toBe(before + 4);
});

test('the client validates as many links as the caller has', async () => {
  const client = new DynamicLinks({
    url: stack.facts.apiBaseUrl,
    key: await project.keyWith(['links:read']),
  });
  const large = { payload: { ...payload, social: { description: 'ä'.repeat(2000) } } };
  const drafts = Array.from(
    { length: 330 },
    (_, i): LinkDraft => (i % 7 === 0 ? { payload: { link: 'x' } } : large),
  );
  const all = await client.links.validate(drafts);
  expect(all.map(({ index }) => index)).toEqual(drafts.map((_, i) => i));
  expect(all.map(({ success }) => success)).toEqual(drafts.map((_, i) => i % 7 !== 0));
  expect(await client.links.validate([])).toEqual([]);
});
