import { randomUUID } from 'node:crypto';
import { aTime, coded, newApp, newLink, newProject, payload, type TestProject } from '../support/api.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);

const page = async ({ call }: TestProject, query = '') => {
  const { status, body } = await call('GET', `/links${query}`);
  expect(status).toBe(200);
  return {
    codes: body.data.map(({ code }: { code: string }) => code) as string[],
    pagination: body.pagination,
    links: body.data,
  };
};

test.each(['page', 'pageSize'])('a %s that is no whole number in its range is refused', async (name) => {
  const wrong = ['0', '-1', '1.5', '1e3', '', '%205', '+5', 'abc', '0x10', '１', '1'.repeat(16), '1,2'];
  for (const value of [...wrong, ...(name === 'pageSize' ? ['101'] : [])]) {
    const { status, body } = await project.call('GET', `/links?${name}=${value}`);
    expect([value, status, body]).toEqual([value, 400, coded('INVALID_PARAMETERS')]);
    expect(body.error.message).toMatch(new RegExp(`^${name}: `));
  }
});

test('mobile apps are on one page, newest first', async () => {
  const project = await newProject(stack);
  const apps = [await newApp(project), await newApp(project), await newApp(project)];
  const list = async () => (await project.call('GET', '/mobile-apps')).body;
  const newest = apps.toSorted((a, b) =>
    a.createdAt === b.createdAt ? (a.id < b.id ? -1 : 1) : a.createdAt < b.createdAt ? 1 : -1,
  );
  expect(await list()).toEqual({ success: true, data: { apps: newest, total: 3 }, timestamp: aTime });
  await project.call('DELETE', `/mobile-apps/${apps[1].id}`);
  expect((await list()).data.total).toBe(2);
});

test('a deleted app disappears from every link at once', async () => {
  const project = await newProject(stack);
  const [app, other] = [await newApp(project), await newApp(project)];
  const links = [
    await newLink(project, { payload: { ...payload, iosAppId: app.id } }),
    await newLink(project, { payload: { ...payload, iosAppId: app.id } }),
    await newLink(project, { payload: { ...payload, iosAppId: other.id } }),
  ];
  const shown = async () => [
    ...(await Promise.all(links.map(({ code }) => project.call('GET', `/links/${code}`)))).map(
      ({ body }) => body.data.payload.iosAppId,
    ),
    ...(await page(project)).links
      .toSorted((a: { createdAt: string }, b: { createdAt: string }) => (a.createdAt < b.createdAt ? -1 : 1))
      .map((link: { payload: { iosAppId?: string } }) => link.payload.iosAppId),
  ];
  expect(await shown()).toEqual([app.id, app.id, other.id, app.id, app.id, other.id]);
  await project.call('DELETE', `/mobile-apps/${app.id}`);
  expect(await shown()).toEqual([undefined, undefined, other.id, undefined, undefined, other.id]);
  // Links can't name the app any more, and an update that leaves it out doesn't bring it back.
  const naming = await project.call('PUT', `/links/${links[0].code}`, {
    payload: { ...payload, iosAppId: app.id },
  });
  expect([naming.status, naming.body]).toEqual([400, coded('VALIDATION_ERROR')]);
  expect((await project.call('PUT', `/links/${links[0].code}`, { payload })).status).toBe(200);
  expect(await shown()).toContain(undefined);
  expect((await project.call('DELETE', `/mobile-apps/${randomUUID()}`)).status).toBe(404);
});
