import createClient from 'openapi-fetch';
import type { Browser, Page } from 'playwright-core';
import type { paths } from '../../client/api-types.ts';
import { api as contracts } from '../../core/api/index.ts';
import { openApi } from '../../core/api/openapi.ts';
import { violationsOf } from '../support/accessibility.ts';
import { aTime, newProject } from '../support/api.ts';
import { describeInBrowser, startBrowser } from '../support/browser.ts';
import { isNightly } from '../support/nightly.ts';
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

  test('the page and its files are served, and may load nothing else', async () => {
    const page = await get('/docs');
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
    const addresses = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address);
    const files = addresses.filter((address) => address !== 'data:,');
    expect(files.length).toBeGreaterThan(4);
    for (const file of files) {
      // Relative, so that they are found below a stage as well.
      expect(file).toMatch(/^(docs\/|openapi\.json$)/);
      const { status, headers } = await get(`/${file}`);
      expect([file, status]).toEqual([file, 200]);
      expect(headers.get('cache-control')).toMatch(/^public, max-age=\d+/);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  test.each([
    ['/1.0/docs/', '/1.0/docs'],
    ['//1.0/docs/', '/1.0/docs'],
    ['/dev/1.0/docs/', '/dev/1.0/docs'],
  ])('a trailing slash redirects to the page: %s', async (asked, location) => {
    const answer = await fetch(stack.facts.apiBaseUrl + asked, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([308, location]);
  });

  test('the page and its files are the same below the stage', async () => {
    const { apiBaseUrl } = stack.facts;
    const page = await (await fetch(`${apiBaseUrl}/dev/1.0/docs`)).text();
    expect(page).toBe((await get('/docs')).text);
    for (const [, file = ''] of page.matchAll(/(?:src|href)="([^":]+)"/g)) {
      const address = new URL(file, `${apiBaseUrl}/dev/1.0/docs`);
      expect(address.pathname).toMatch(/^\/dev\/1\.0\//);
      expect((await fetch(address)).status).toBe(200);
    }
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
  let browser: Browser;
  // One for all, so that what the page loads is compiled once.
  let page: Page;
  beforeAll(async () => {
    browser = await startBrowser();
    page = await browser.newPage();
  });
  afterAll(() => browser?.close());
  afterEach(() => page.removeAllListeners());

  test.each([
    ['phone', { width: 390, height: 844 }],
    ['desktop', { width: 1280, height: 900 }],
  ])('is dark on a dark %s, with readable lines', async (_, viewport) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.goto(`${stack.facts.apiBaseUrl}/1.0/docs`);
    await page.locator('.opblock').first().waitFor();
    const color: string = await page
      .locator('body')
      .evaluate((body) => body.ownerDocument.defaultView?.getComputedStyle(body).backgroundColor);
    const parts = (/\d+, \d+, \d+/.exec(color)?.[0] ?? '255').split(', ').map(Number);
    expect(Math.max(...parts)).toBeLessThan(64);
    const paragraph = page.locator('.info .renderedMarkdown p').first();
    expect(await paragraph.evaluate((p) => p.getBoundingClientRect().width)).toBeLessThan(800);
    await page.emulateMedia({ colorScheme: 'light' });
    await page.locator('html:not(.dark-mode)').waitFor();
  });

  test.each([
    ['phone', { width: 390, height: 844 }],
    ['desktop', { width: 1280, height: 900 }],
  ])('shows every operation on a %s and asks no other host', async (_, viewport) => {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme: 'light' });
    const faults: string[] = [];
    const asked = new Set<string>();
    page.on('pageerror', ({ message }) => faults.push(message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('request', (request) => asked.add(new URL(request.url()).origin));
    await page.goto(`${stack.facts.apiBaseUrl}/1.0/docs`);
    await page.locator('.opblock').first().waitFor();
    expect(await page.locator('.opblock').count()).toBe(Object.keys(contracts).length);
    const operation = page.locator('#operations-Links-createLink');
    await operation.locator('.opblock-summary-control').click();
    await operation.locator('.responses-table').waitFor();
    const shown = await operation.textContent();
    const words = ['SUBSCRIPTION_REQUIRED', 'CODE_ALREADY_EXISTS', 'SERVICE_UNAVAILABLE'];
    for (const word of [...words, 'X-RateLimit-Remaining', 'summer']) expect(shown).toContain(word);
    expect(await page.locator('.info').textContent()).toContain('METHOD_NOT_ALLOWED');
    // The renderer's buttons hold buttons, and its title is in no landmark.
    const known = /^(nested-interactive|region):/;
    if (isNightly) expect((await violationsOf(page)).filter((one) => !known.test(one))).toEqual([]);
    // Nothing overflows sideways.
    const width = await page.locator('html').evaluate((html) => html.scrollWidth);
    expect(width).toBeLessThanOrEqual(viewport.width);
    expect({ faults, asked: [...asked] }).toEqual({ faults: [], asked: [stack.facts.apiBaseUrl] });
  });
});

describe('a generated client', () => {
  test('drives the whole API', async () => {
    const { key } = await newProject(stack);
    const baseUrl = `${stack.facts.apiBaseUrl}/1.0`;
    const api = createClient<paths>({ baseUrl, headers: { 'X-API-KEY': key } });

    const made = await api.POST('/mobile-apps', {
      body: { platform: 'IOS', name: 'Shop', bundleId: 'com.example.shop', appStoreId: '1' },
    });
    const app = { params: { path: { id: made.data?.data.id ?? '' } } };
    expect((await api.GET('/mobile-apps')).data?.data.total).toBe(1);
    expect((await api.GET('/mobile-apps/{id}', app)).data?.data.packageName).toBeNull();
    const renamed = await api.PUT('/mobile-apps/{id}', { ...app, body: { name: 'New', appStoreId: null } });
    expect(renamed.data?.data).toMatchObject({ name: 'New', appStoreId: null });

    const link = { params: { path: { code: 'launch' } } };
    expect((await api.GET('/links/check/{code}', link)).data?.data.available).toBe(true);
    const payload = { link: 'https://example.com/a', iosAppId: app.params.path.id };
    const created = await api.POST('/links', { body: { code: 'launch', payload } });
    expect(created.data?.timestamp).toEqual(aTime);
    expect(created.response.headers.get('location')).toBe('/1.0/links/launch');
    const again = await api.POST('/links', { body: { code: 'launch', payload } });
    expect(again.error).toMatchObject({ error: { code: 'CODE_ALREADY_EXISTS' } });
    const listed = await api.GET('/links', { params: { query: { page: 1, pageSize: 10 } } });
    expect([listed.data?.data[0]?.code, listed.data?.pagination]).toEqual([
      'launch',
      { page: 1, pageSize: 10, total: 1, totalPages: 1 },
    ]);
    const update = { payload: { link: 'https://example.com/b', social: { title: 'T' } }, name: null };
    expect((await api.PUT('/links/{code}', { ...link, body: update })).data?.success).toBe(true);
    const paused = await api.PUT('/links/{code}/status', { ...link, body: { status: 'PAUSED' } });
    expect(paused.data?.data.status).toBe('PAUSED');
    const shown = await api.GET('/links/{code}', link);
    expect(shown.data?.data).toMatchObject({
      originalUrl: 'https://example.com/b',
      analytics: { totalClicks: 0 },
    });
    expect((await api.DELETE('/links/{code}', link)).data?.data.code).toBe('launch');
    const gone = await api.PUT('/links/{code}', { ...link, body: update });
    expect(gone.error?.error).toBe('Link not found');

    expect((await api.DELETE('/mobile-apps/{id}', app)).data?.success).toBe(true);
    expect((await api.GET('/mobile-apps/{id}', app)).error?.error).toBe('Mobile app not found');
    expect((await api.GET('/usage')).data?.data.used).toBe(15);
  });
});
