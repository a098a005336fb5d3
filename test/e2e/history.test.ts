import type { Page } from 'playwright-core';
import { DynamicLinks } from '../../client/dynamic-links.ts';
import { faultsOf } from '../support/accessibility.ts';
import { coded, newLink, newProject, payload } from '../support/api.ts';
import { describeInBrowser, expectSoon, fileTab, settled } from '../support/browser.ts';
import { signInto } from '../support/console-page.ts';
import { eventually, expectEventually } from '../support/local-stack.ts';
import { extendedStack } from '../support/stack-fixtures.ts';

const stack = extendedStack();

type Entries = readonly { readonly id: string; readonly type: string }[];

/** The history of a link of the demo project, once it has so many entries. */
const historyOf = (code: string, count: number): Promise<Entries> =>
  eventually(
    async () => (await stack.api('GET', `/history?code=${code}`)).body.data as Entries,
    (data) => data.length >= count,
  );

const patch = (code: string, body: object, key?: string) =>
  stack.api('PATCH', `/links/${code}`, { body, ...(key && { key }) });

test('a link is created paused, and its history begins with that', async () => {
  const project = await newProject(stack);
  const status = 'PAUSED';
  const { code, shortUrl } = await newLink(project, { status });
  const bulk = (await project.call('POST', '/links/bulk', { links: [{ payload, status }] })).body.data;
  expect(bulk.results[0].link.status).toBe(status);
  const listed = (await project.call('GET', '/links?status=PAUSED&cursor=')).body.data;
  expect(listed.map((link: { code: string }) => link.code)).toEqual([bulk.results[0].link.code, code]);
  const visit = async () => (await stack.visit(new URL(shortUrl).pathname)).status;
  expect(await visit()).toBe(404);
  await project.call('PUT', `/links/${code}/status`, { status: 'ACTIVE' });
  await eventually(visit, (answer) => answer === 302);
  await expectEventually(
    async () => (await project.call('GET', `/history?code=${code}`)).body.data,
  ).toMatchObject([
    { type: 'updated', previous: { status } },
    { type: 'created', by: 'ann' },
  ]);
});

test("history lists a link's changes by pages, and one entry with the link before it", async () => {
  const project = await newProject(stack);
  const { code, createdAt } = await newLink(project, { name: 'First', tags: ['a'] });
  const get = async (query: string) => (await project.call('GET', `/history?code=${code}${query}`)).body;
  const created = { id: expect.any(String), at: createdAt, type: 'created', by: 'ann' };
  expect(await get('')).toEqual({
    success: true,
    data: [created],
    pagination: { pageSize: 50, nextCursor: null },
  });
  // Neither a suspension nor a change that is no event keeps an entry away.
  await project.call('PATCH', `/links/${code}`, { name: null, payload: { query: 'ignore' } });
  await stack.admin('link', 'block', code, '--project', project.id, '--reason', 'Phishing');
  await stack.admin('project', 'suspend', project.id);
  await stack.admin('link', 'unblock', code, '--project', project.id);
  await stack.admin('project', 'resume', project.id);
  const whole = await eventually(
    () => get(''),
    ({ data }) => data.length === 4,
  );
  const entry = { id: expect.stringMatching(/^his_/), at: expect.any(String), by: 'operator' };
  expect(whole.data).toEqual([
    { ...entry, type: 'unblocked' },
    { ...entry, type: 'blocked' },
    { ...entry, type: 'updated', by: 'ann', previous: { name: 'First', payload } },
    created,
  ]);
  const pages: unknown[] = [];
  for (let cursor = ''; cursor !== null; ) {
    const page = await get(`&pageSize=3&cursor=${cursor}`);
    pages.push(...page.data);
    cursor = page.pagination.nextCursor;
  }
  expect(pages).toEqual(whole.data);
  const [, , updated] = whole.data;
  expect(await get(`&id=${updated.id}`)).toEqual({
    success: true,
    data: { ...updated, before: { name: 'First', tags: ['a'], payload } },
  });
  expect((await get(`&id=${whole.data[3].id}`)).data).toEqual({ ...whole.data[3], before: null });
  const client = new DynamicLinks({ url: stack.facts.apiBaseUrl, key: project.key });
  const listed: unknown[] = [];
  for await (const one of client.links.history(code)) listed.push(one);
  expect(listed).toEqual(whole.data);
  const ofOperators = await stack.admin('link', 'history', code, '--project', project.id, '--limit', '2');
  expect(ofOperators).toEqual([whole.data[0], { ...whole.data[1], reason: 'Phishing' }]);

  const other = await newLink(project);
  const refusals: readonly (readonly [query: string, status: number, code: string])[] = [
    [`code=${code}&id=his_x`, 404, 'NOT_FOUND'],
    [`code=${code}&id=`, 404, 'NOT_FOUND'],
    [`code=${other.code}&id=${updated.id}`, 404, 'NOT_FOUND'],
    [`code=${code}x&id=${updated.id}`, 404, 'LINK_NOT_FOUND'],
    ['', 400, 'INVALID_PARAMETERS'],
    [`code=${code}&pageSize=101`, 400, 'INVALID_PARAMETERS'],
    [`code=${code}&cursor=x`, 400, 'INVALID_PARAMETERS'],
  ];
  for (const [query, status, failed] of refusals)
    expect(await project.call('GET', `/history?${query}`)).toMatchObject({ status, body: coded(failed) });
  const writer = await project.keyWith(['links:write']);
  expect((await stack.api('GET', `/history?code=${code}`, { key: writer })).status).toBe(403);
  await project.call('DELETE', `/links/${code}`);
  expect((await project.call('GET', `/history?code=${code}`)).body).toEqual(coded('LINK_NOT_FOUND'));
  const all = await eventually(
    () => stack.admin('link', 'history', code, '--project', project.id) as Promise<Entries>,
    (entries) => entries.length === 5,
  );
  expect(all[0]).toMatchObject({ type: 'deleted', by: 'ann' });
});

test('a command puts a link back, or gives the reason why it stays as it is', async () => {
  const { code } = (await stack.api('POST', '/links', { body: { payload, name: 'First' } })).body.data;
  const revert = (entry: string) =>
    stack.admin('link', 'revert', code, '--project', 'demo', '--before', entry);
  await patch(code, { name: 'Second', tags: ['x'], payload: { social: { title: 'T' } } });
  const [change, created] = await historyOf(code, 2);
  expect(await revert(change?.id ?? '')).toMatchObject({ name: 'First', payload });
  const [undone] = await historyOf(code, 3);
  expect(await revert(change?.id ?? '')).toMatchObject({ name: 'First' });
  expect(await revert(undone?.id ?? '')).toMatchObject({ name: 'Second', tags: ['x'] });
  expect(await historyOf(code, 4)).toHaveLength(4);
  await expect(revert(created?.id ?? '')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`created ${code}`),
  });
  await expect(revert('his_x')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`has no entry his_x`),
  });
  await stack.admin('link', 'block', code, '--project', 'demo');
  await expect(revert(change?.id ?? '')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is blocked'),
  });
});

describeInBrowser('in a browser', () => {
  const tab = fileTab();
  let code: string;
  beforeAll(async () => {
    const rules = [{ name: 'teaser', countries: ['DE'], link: 'https://example.com/de' }];
    const first = { payload: { ...payload, rules }, name: 'Summer', tags: ['poster'] };
    ({ code } = (await stack.api('POST', '/links', { body: first })).body.data);
    await patch(code, { name: 'Summer sale', payload: { link: 'https://example.com/sale', rules: null } });
    await stack.api('PUT', `/links/${code}/status`, { body: { status: 'PAUSED' } });
    await patch(code, { tags: null, payload: { campaign: { utm_source: 'mail' } } });
    await historyOf(code, 4);
  });

  const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' as const };
  const desktop = { viewport: { width: 1280, height: 900 } };

  const signIn = async (page: Page, role: string) => {
    await signInto(page, stack.facts.memberConsoleUrl, `${role}@example.com`);
    return `${stack.facts.memberConsoleUrl}/p/demo/links/${code}`;
  };

  test.each([
    ['members', desktop],
    ['members', phone],
    ['operators', desktop],
    ['operators', phone],
  ] as const)(
    'the console of %s shows changes and puts them back with only keys, %j',
    async (of, visitor) => {
      const page = await tab.of(visitor);
      if (of === 'members') await page.goto(await signIn(page, 'editor'));
      else {
        const { consoleUrl } = stack.facts;
        await page.goto(consoleUrl);
        await page.getByRole('heading', { name: /^(Projects|Links)$/ }).waitFor();
        await page.goto(`${new URL(consoleUrl).origin}/p/demo/links/${code}`);
      }
      const asked: string[] = [];
      const watch = (request: { url(): string }) => asked.push(request.url());
      page.on('request', watch);
      const summary = page.locator('.history > summary');
      await summary.waitFor();
      await settled(page);
      expect(asked.filter((url) => url.includes('history'))).toEqual([]);
      await summary.press('Enter');
      const changes = page.locator('.changes > li');
      await changes.first().waitFor();
      page.off('request', watch);
      await settled(page);
      const texts = await changes.allInnerTexts();
      const oldest = texts.at(-2)?.replaceAll(/\s+/g, ' ');
      expect(oldest).toContain('Name Before Summer After Summer sale');
      expect(oldest).toContain(
        'Destination Before https://example.com/landing After https://example.com/sale',
      );
      expect(oldest).toMatch(/Rule 1 Before teaser: Visitors in Germany → \S+ After not set/);
      expect(texts.at(-3)).toMatch(/^Paused/);
      expect(texts.at(-1)).toMatch(/^Created .* by demo$/);
      expect(await faultsOf(page)).toEqual([]);
      await changes
        .nth(texts.length - 2)
        .getByRole('button', { name: /^Put back/ })
        .press('Enter');
      const dialog = page.locator('dialog[open]');
      await dialog.waitFor();
      await expectSoon(() => dialog.textContent()).toMatch(/Name\s*Now\s*Summer sale\s*Then\s*Summer/);
      expect(await faultsOf(page)).toEqual([]);
      const before = texts.length;
      await dialog.getByRole('button', { name: 'Put back' }).press('Enter');
      await dialog.waitFor({ state: 'detached' });
      const { body } = await stack.api('GET', `/links/${code}`);
      expect(body.data).toMatchObject({ name: 'Summer', tags: ['poster'], status: 'PAUSED' });
      expect(body.data.payload.rules).toHaveLength(1);
      await historyOf(code, before + 1);
      await page.reload();
      await summary.press('Enter');
      await changes.nth(before).waitFor();
      const by = of === 'members' ? 'by editor@example.com' : 'by operator';
      await expectSoon(() => changes.first().textContent()).toContain(by);
      await patch(code, {
        name: 'Summer sale',
        tags: null,
        payload: { link: 'https://example.com/sale', rules: null },
      });
      await historyOf(code, before + 2);
    },
  );

  test('a viewer sees the history and puts nothing back', async () => {
    const page = await tab.of(desktop);
    await page.goto(await signIn(page, 'viewer'));
    await page.locator('.history > summary').click();
    await page.locator('.changes > li').first().waitFor();
    await expectSoon(() => page.getByRole('button', { name: /^Put back/ }).count()).toBe(0);
    expect(await faultsOf(page)).toEqual([]);
  });
});
