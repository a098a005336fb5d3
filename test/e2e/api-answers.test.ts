import { iosApp, newLink, newProject, payload } from '../support/api.ts';
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

test('usage shows the rest of the quota as the headers do', async () => {
  const { headers, body } = await project.call('GET', '/usage');
  const used = 180_000 - Number(headers.get('x-ratelimit-remaining'));
  expect(body).toEqual({
    success: true,
    data: {
      limit: 180_000,
      used,
      remaining: 180_000 - used,
      resetAt: headers.get('x-ratelimit-reset'),
      windowSeconds: 3600,
    },
  });
});

test('generated codes are 8 to 12 letters and digits, and unique', async () => {
  const links = await Promise.all(Array.from({ length: 30 }, () => newLink(project)));
  const codes = links.map(({ code }) => code);
  expect(new Set(codes).size).toBe(30);
  for (const code of codes) expect(code).toMatch(/^[A-Za-z0-9]{8,12}$/);
});
