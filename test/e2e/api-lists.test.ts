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

const createAll = (project: TestProject, count: number): Promise<{ code: string }[]> =>
  Promise.all(Array.from({ length: count }, () => newLink(project)));

const newestFirst = (links: readonly { createdAt: string; code: string }[]) =>
  links.toSorted((a, b) => (`${a.createdAt}#${a.code}` < `${b.createdAt}#${b.code}` ? 1 : -1));

describe('pages of links', () => {
  beforeAll(async () => {
    await createAll(project, 23);
    const { codes } = await page(project, '?pageSize=100');
    for (const code of codes.filter((_, i) => i % 4 === 0)) await project.call('DELETE', `/links/${code}`);
  });

  test('hold the remaining links, newest first, even within one millisecond', async () => {
    const { codes, links, pagination } = await page(project);
    expect(pagination).toEqual({ page: 1, pageSize: 50, total: 17, totalPages: 1 });
    expect(codes).toHaveLength(17);
    expect(links).toEqual(newestFirst(links));
  });

  test.each([1, 5, 16, 17, 100])('with size %i hold every link once', async (pageSize) => {
    const { codes: all } = await page(project);
    const totalPages = Math.ceil(17 / pageSize);
    const pages = await Promise.all(
      Array.from({ length: totalPages + 1 }, (_, i) => page(project, `?page=${i + 1}&pageSize=${pageSize}`)),
    );
    expect(pages.flatMap(({ codes }) => codes)).toEqual(all);
    for (const [i, { codes, pagination }] of pages.entries()) {
      expect(pagination).toEqual({ page: i + 1, pageSize, total: 17, totalPages });
      expect(codes).toHaveLength(Math.max(0, Math.min(pageSize, 17 - i * pageSize)));
    }
  });

  test('a page far past the end is empty and shows the total', async () => {
    const far = await page(project, '?page=999999999999999&pageSize=100');
    expect(far).toMatchObject({ codes: [], pagination: { page: 999999999999999, total: 17, totalPages: 1 } });
  });
});

test.each(['page', 'pageSize'])('a %s that is no whole number in its range is refused', async (name) => {
  const wrong = ['0', '-1', '1.5', '1e3', '', '%205', '+5', 'abc', '0x10', '１', '1'.repeat(16), '1,2'];
  for (const value of [...wrong, ...(name === 'pageSize' ? ['101'] : [])]) {
    const { status, body } = await project.call('GET', `/links?${name}=${value}`);
    expect([value, status, body]).toEqual([value, 400, coded('INVALID_PARAMETERS')]);
    expect(body.error.message).toMatch(new RegExp(`^${name}: `));
  }
});

test('the message names both faults', async () => {
  const { body } = await project.call('GET', '/links?page=0&pageSize=101');
  expect(body.error.message).toMatch(/page: .*; pageSize: /);
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
