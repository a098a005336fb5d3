import { spawnSync } from 'node:child_process';
import createClient from 'openapi-fetch';
import type { Page } from 'playwright-core';
import type { paths } from '../../client/api-types.ts';
import { api as contracts } from '../../core/api/index.ts';
import { openApi } from '../../core/api/openapi.ts';
import { faultsOf } from '../support/accessibility.ts';
import { aTime, newProject } from '../support/api.ts';
import { describeInBrowser, expectSoon, fileTab } from '../support/browser.ts';
import { sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();

const get = (where: string) => stack.api('GET', where, { key: undefined });

describe('without a key', () => {
  test('the description is served, with its own address as its server', async () => {
    const { status, headers, body } = await get('/openapi.json');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json']);
    expect(body).toEqual(openApi());
    const { apiBaseUrl } = stack.facts;
    const server = new URL(body.servers[0].url, `${apiBaseUrl}/1.0/openapi.json`).href;
    expect(server).toBe(`${apiBaseUrl}/1.0`);
  });

  test('the page is served, and may load nothing', async () => {
    const page = await get('/docs');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe|self/);
    expect(page.headers.get('cache-control')).toMatch(/^public, max-age=\d+/);
    expect(page.headers.get('x-content-type-options')).toBe('nosniff');
    // Relative, so that it is found below a stage as well.
    const addresses = [...page.text.matchAll(/(?:src|href)="([^#"][^"]*)"/g)].map(([, address]) => address);
    expect(addresses).toEqual(['openapi.json']);
  });

  test.each([
    ['/1.0/docs/', '/1.0/docs'],
    ['//1.0/docs/', '/1.0/docs'],
    ['/dev/1.0/docs/', '/dev/1.0/docs'],
  ])('a trailing slash redirects to the page: %s', async (asked, location) => {
    const answer = await fetch(stack.facts.apiBaseUrl + asked, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([308, location]);
  });

  test('the page is the same below the stage', async () => {
    const page = await (await fetch(`${stack.facts.apiBaseUrl}/dev/1.0/docs`)).text();
    expect(page).toBe((await get('/docs')).text);
  });

  test.each(['/docs/nothing', '/docs/index.mjs', '/docs/..%2findex.mjs', '/docs/__proto__', '/docs/docs'])(
    '%s is not found',
    async (where) => {
      const { status, body } = await get(where);
      expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
    },
  );
});

describeInBrowser('the reference page', () => {
  // One for all, so that the page's code is compiled once.
  const tab = fileTab();
  let page: Page;
  beforeEach(() => {
    page = tab.page.removeAllListeners();
  });

  const open = async (where = '/1.0/docs') => {
    await page.goto(stack.facts.apiBaseUrl + where);
    await page.locator('article').last().waitFor();
  };

  test.each([
    ['light', { width: 320, height: 568 }],
    ['dark', { width: 390, height: 844 }],
    ['light', { width: 1280, height: 900 }],
  ] as const)(
    'shows every operation to everybody, in %s at %j, and asks no other host',
    async (colorScheme, size) => {
      await page.setViewportSize(size);
      await page.emulateMedia({ colorScheme });
      const faults: string[] = [];
      const asked = new Set<string>();
      page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
      page.on('request', (request) => asked.add(new URL(request.url()).origin));
      await open();
      const ids = () => page.locator('section article').evaluateAll((all) => all.map(({ id }) => id).sort());
      await expectSoon(ids).toEqual(Object.keys(contracts).sort());
      const shown = await page.locator('#createLink').textContent();
      const words = ['SUBSCRIPTION_REQUIRED', 'CODE_ALREADY_EXISTS', 'SERVICE_UNAVAILABLE'];
      for (const word of [...words, 'X-RateLimit-Remaining', 'summer']) expect(shown).toContain(word);
      await page.locator('#createLink summary').first().click();
      expect(await faultsOf(page)).toEqual([]);
      // On a phone the page begins with its title, not with its contents.
      const contents = page.locator('nav').getByRole('link', { name: 'Create link', exact: true });
      await expectSoon(() => contents.isVisible()).toBe(size.width > 960);
      expect({ faults, asked: [...asked] }).toEqual({ faults: [], asked: [stack.facts.apiBaseUrl] });
    },
  );

  test.each(['', '/dev'])('names the address at which it is served, below "%s"', async (stage) => {
    await open(`${stage}/1.0/docs`);
    const base = stack.facts.apiBaseUrl + stage;
    await expectSoon(() => page.locator('#getLink .curl').textContent()).toContain(
      `'${base}/1.0/links/summer'`,
    );
    await expectSoon(() => page.locator('main').textContent()).not.toContain('BASE_URL');
  });

  test('has the smallest call first, its response beside it, and limits of fields that may be null', async () => {
    await open();
    const create = page.locator('#createLink');
    const [first = '', whole] = await create.locator('.sample.curl').allTextContents();
    expect(first).toMatch(/"payload": \{\n +"link": "https:[^"]+"\n +\}\n\}'$/);
    expect(first).not.toContain('"code"');
    expect(whole).toContain('"code": "summer"');
    const answer = create.locator('.samples > pre:not(.sample)');
    expect(JSON.parse((await answer.textContent()) ?? '')).toMatchObject({ success: true });
    const code = create.locator('dt', { hasText: /^code / }).first();
    await expectSoon(() => code.textContent()).toBe(
      'code string or null, like ^[A-Za-z0-9_-]{3,50}$, optional',
    );
  });

  test('finds operations and messages by their words', async () => {
    await open();
    await page.fill('#search', 'Destination  merge patch');
    const shown = () => page.locator('article:not([hidden])').evaluateAll((all) => all.map(({ id }) => id));
    await expectSoon(shown).toEqual(['patchLink']);
    await expectSoon(() => page.textContent('#found')).toMatch(/^1 of \d+$/);
    const hits = () =>
      page.evaluate(`[...(CSS.highlights.get('found') ?? [])].map((hit) => hit.toString().toLowerCase())`);
    await expectSoon(async () => new Set((await hits()) as string[])).toEqual(
      new Set(['destination', 'merge', 'patch']),
    );
    await expectSoon(() => page.locator('nav h2:visible').allTextContents()).toEqual(['Links']);
    // Fields of an object wait behind its name until a search finds one.
    const nested = page.locator('#createLink dl dl').first();
    await expectSoon(() => nested.isVisible()).toBe(false);
    await page.fill('#search', 'app_store_id');
    await nested.waitFor();
    await page.fill('#search', 'xyzzy');
    await expectSoon(() => page.textContent('#found')).toBe('Nothing found');
    await expectSoon(() =>
      page.evaluate("getComputedStyle(document.querySelector('main'), '::after').content"),
    ).toContain('Nothing found');
    await page.fill('#search', '');
    await expectSoon(hits).toEqual([]);
    await expectSoon(async () => (await shown()).length).toBeGreaterThan(Object.keys(contracts).length);
  });

  test.each([
    ['above', 320],
    ['beside', 1440],
  ] as const)(
    'has a sample %s the fields at %d pixels, copies it, and marks the place',
    async (place, width) => {
      await page.setViewportSize({ width, height: 900 });
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await open('/1.0/docs#createLink');
      const article = page.locator('#createLink');
      const topOf = async (selector: string) =>
        Math.round((await article.locator(selector).first().boundingBox())?.y ?? 0);
      const [title, sample, fields] = [await topOf('h3'), await topOf('.sample:visible'), await topOf('dl')];
      expect(place === 'above' ? sample < fields : sample - title < 30).toBe(true);
      await article.locator('.copy:visible').first().press('Enter');
      await article.getByRole('button', { name: 'Copied' }).waitFor();
      await expectSoon(() => page.evaluate('navigator.clipboard.readText()')).toBe(
        await article.locator('.sample:visible').textContent(),
      );
      const current = page.locator('nav [aria-current]');
      await page.locator('nav [aria-current][href="#createLink"]').waitFor({ state: 'attached' });
      await page.locator('#deleteLink').evaluate((deletion) => deletion.scrollIntoView());
      await page.locator('nav [aria-current][href="#deleteLink"]').waitFor({ state: 'attached' });
      await expectSoon(() => current.count()).toBe(1);
      if (width > 960) await expectSoon(() => current.isVisible()).toBe(true);
      expect(await faultsOf(page)).toEqual([]);
      const { SCREENSHOTS } = process.env;
      if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/reference-${width}.png` });
    },
  );

  test.each([
    ['curl', (code: string) => ['sh', '-c', code]],
    ['JavaScript', (code: string) => [process.execPath, '--input-type=module', '-e', code]],
    ['Python', (code: string) => ['python3', '-c', code]],
  ] as const)('has samples in %s that run', async (language, command) => {
    const { key } = await newProject(stack);
    await open();
    await page.check(`#${language}`);
    for (const operation of ['createLink', 'listLinks', 'updateLinkStatus', 'getLink']) {
      // The first one has only what is required.
      const samples = await page.locator(`#${operation} .sample.${language}`).allTextContents();
      expect(samples).toHaveLength(operation === 'createLink' ? 2 : 1);
      for (const sample of samples) {
        const [program = '', ...args] = command(sample);
        const { stdout, error } = spawnSync(program, args, {
          env: { PATH: process.env.PATH, API_KEY: key },
          encoding: 'utf8',
        });
        // Not everybody has Python.
        if (error) return;
        expect([operation, stdout]).toEqual([operation, expect.stringMatching(/'?"?success'?"?: ?true/i)]);
      }
    }
  });
});

test('a client with the generated types sends requests and reads responses', async () => {
  const { key } = await newProject(stack);
  const baseUrl = `${stack.facts.apiBaseUrl}/1.0`;
  const api = createClient<paths>({ baseUrl, headers: { 'X-API-KEY': key } });
  const app = await api.POST('/mobile-apps', {
    body: { platform: 'IOS', name: 'Shop', bundleId: 'com.example.shop', appStoreId: '1' },
  });
  const payload = { link: 'https://example.com/a', iosAppId: app.data?.data.id ?? '' };
  const created = await api.POST('/links', { body: { code: 'launch', payload } });
  expect(created.data?.timestamp).toEqual(aTime);
  const again = await api.POST('/links', { body: { code: 'launch', payload } });
  expect(again.error).toMatchObject({ error: { code: 'CODE_ALREADY_EXISTS' } });
  const link = { params: { path: { code: 'launch' } } };
  const patch = { name: null, payload: { social: { description: 'D' } } };
  expect((await api.PATCH('/links/{code}', { ...link, body: patch })).data?.success).toBe(true);
  const shown = await api.GET('/links/{code}', link);
  expect(shown.data?.data).toMatchObject({ payload: { ...payload, social: { description: 'D' } } });
  const query = { code: 'launch', groupBy: 'countries' } as const;
  expect((await api.GET('/analytics', { params: { query } })).data?.data).toEqual([]);
  expect((await api.DELETE('/links/{code}', link)).data?.data.code).toBe('launch');
  const gone = await api.PUT('/links/{code}', { ...link, body: { payload } });
  expect(gone.error?.error).toBe('Link not found');
});
