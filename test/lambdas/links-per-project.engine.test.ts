import { openStores } from '../../core/stores.ts';
import { addLink } from '../../ops/links/link-edits.ts';
import { fileTable, newProject } from '../support/engine.ts';
import { type ApiCall, type ApiHandler, callApi } from '../support/function-calls.ts';
import { handlerOf } from '../support/handler-of.ts';
import { ofFile } from '../support/of-file.ts';

const limit = 3;
const payload = { link: 'https://example.com/' };
const db = fileTable();
const stores = ofFile(() => openStores(db.table));
let project: string;
const environment = { LINKS_PER_PROJECT: String(limit) };
const handlers: Record<string, ApiHandler> = {
  '/links': handlerOf(() => import('../../lambdas/api/create-link.ts'), db, environment),
  '/links/bulk': handlerOf(() => import('../../lambdas/api/create-links.ts'), db, environment),
};
beforeEach(async () => {
  ({ id: project } = await newProject(db));
});

const post = async (path: string, body: object, key?: string, query?: ApiCall['query']) => {
  const headers: ApiCall['headers'] = key === undefined ? {} : { 'Idempotency-Key': [key] };
  const answer = await callApi(handlers[path] as ApiHandler, {
    method: 'POST',
    path,
    query,
    body,
    headers,
    project,
  });
  return { status: answer.status, body: answer.body };
};

const refusal = {
  success: false,
  error: { code: 'LIMIT_REACHED', message: expect.stringContaining(`its limit of ${limit} links`) },
};

test('one link after the other is created up to the limit, and again after a deletion', async () => {
  for (let i = 0; i < limit; i += 1)
    expect((await post('/links', { code: `one-${i}`, payload })).status).toBe(201);
  for (let i = 0; i < 2; i += 1)
    expect(await post('/links', { payload })).toEqual({ status: 403, body: refusal });
  await stores.links.delete(project, 'one-1', { now: new Date() });
  expect((await post('/links', { payload })).status).toBe(201);
  expect(await post('/links', { payload })).toEqual({ status: 403, body: refusal });
});

test('only links of a bulk call beyond the limit fail, and links that fail take no place', async () => {
  await post('/links', { code: 'taken', payload });
  const links = [{ code: 'taken', payload }, {}, { payload }, { payload }, { payload }, { payload }];
  const { status, body } = await post('/links/bulk', { links }, 'once');
  expect([status, body.data.created]).toEqual([200, 2]);
  expect(body.data.results.map(({ error }: { error?: { code: string } }) => error?.code)).toEqual([
    'CODE_ALREADY_EXISTS',
    'VALIDATION_ERROR',
    undefined,
    undefined,
    'LIMIT_REACHED',
    'LIMIT_REACHED',
  ]);
  // Links of a repeated call need no place.
  const again = await post('/links/bulk', { links }, 'once');
  expect(again.body.data.created).toBe(2);
});

test('a missing subscription comes before the limit', async () => {
  ({ id: project } = await newProject(db, { subscription: 'inactive' }));
  const deployment = { stores, shortBase: 'https://go.example.com' };
  for (let i = 0; i < limit; i += 1) await addLink(deployment, project, { payload });
  const error = { code: 'SUBSCRIPTION_REQUIRED' };
  expect((await post('/links', { payload })).body).toMatchObject({ error });
  const { body } = await post('/links/bulk', { links: [{ payload }] }, undefined, { validateOnly: 'true' });
  expect(body.data.results).toMatchObject([{ error }]);
});

test('operators create as many', async () => {
  const deployment = { stores, shortBase: 'https://go.example.com', linksPerProject: 1 };
  await addLink(deployment, project, { payload });
  await expect(addLink(deployment, project, { payload })).rejects.toMatchObject({ code: 'LIMIT_REACHED' });
});

test('a project with more links than a lowered limit gets no other', async () => {
  const deployment = { stores, shortBase: 'https://go.example.com' };
  for (let i = 0; i < limit + 1; i += 1) await addLink(deployment, project, { payload });
  expect(await post('/links', { payload })).toEqual({ status: 403, body: refusal });
});
