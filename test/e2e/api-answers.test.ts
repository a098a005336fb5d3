import { iosApp, newProject, payload } from '../support/api.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);

test.each(['/1.0/links', '//1.0/links', '/dev/1.0/links', '//dev//1.0/links'])(
  'Location of a link created by %s leads to the link',
  async (where) => {
    const base = stack.facts.apiBaseUrl;
    const headers = { 'X-API-KEY': (await newProject(stack)).key, 'Content-Type': 'application/json' };
    const body = JSON.stringify({ payload });
    const created = await fetch(base + where, { method: 'POST', headers, body });
    expect(created.status).toBe(201);
    const found = await fetch(new URL(created.headers.get('location') ?? '', base), { headers });
    expect(found.status).toBe(200);
    expect(found.url.startsWith(`${base}/`)).toBe(true);
  },
);

test('a new app has its address in Location, and updates show when they were made', async () => {
  const { body, headers } = await project.call('POST', '/mobile-apps', iosApp);
  const { id, createdAt, updatedAt } = body.data;
  expect(headers.get('location')).toBe(`/1.0/mobile-apps/${id}`);
  const change = { name: 'New', platform: 'ANDROID', packageName: null, id: 'other' };
  const { data } = (await project.call('PUT', `/mobile-apps/${id}`, change)).body;
  expect(data).toMatchObject({ ...iosApp, id, name: 'New', createdAt });
  expect(data.updatedAt > updatedAt).toBe(true);
});
