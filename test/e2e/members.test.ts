import type { Browser, Page } from 'playwright-core';
import { violationsOf } from '../support/accessibility.ts';
import { payload } from '../support/api.ts';
import { describeInBrowser, openTab, startBrowser, type Tab, watchRequests } from '../support/browser.ts';
import { ownStack, sharedStack } from '../support/stack-fixtures.ts';

const stack = ownStack('--memory', '--sign-in', '--console-port', '0');

const plain = sharedStack();

const memberConsole = () => String(stack.facts.memberConsoleUrl);
const origin = () => new URL(memberConsole()).origin;

/** Signs in by HTTP, as a browser does. */
const signIn = async (email: string) => {
  const cookies = new Map<string, string>();
  const visit = async (address: string, init: RequestInit = {}) => {
    const cookie = [...cookies].map((one) => one.join('=')).join('; ');
    const headers = { ...init.headers, ...(address.startsWith(origin()) && { cookie }) };
    const answer = await fetch(address, { redirect: 'manual', ...init, headers });
    for (const set of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      if (set.includes('Max-Age=0')) cookies.delete(name);
      else cookies.set(name, value);
    }
    return answer;
  };
  const to = (answer: Response) => answer.headers.get('location') ?? '';
  const form = to(await visit(`${memberConsole()}/sign-in`));
  const back = await visit(form, {
    method: 'POST',
    headers: { origin: new URL(form).origin },
    body: new URLSearchParams({ email }),
  });
  const answer = await visit(to(back));
  const exchange = async (project = 'demo') => {
    const made = await visit(`${memberConsole()}/session`, {
      method: 'POST',
      headers: { origin: origin(), 'content-type': 'application/json' },
      body: JSON.stringify({ project }),
    });
    return { status: made.status, ...((await made.json()) as { readonly key?: string }) };
  };
  return { answer, visit, exchange, callback: to(back) };
};

test('without sign-in no path of it is there', async () => {
  const { apiBaseUrl } = plain.facts;
  for (const path of ['', '/sign-in', '/session', '/app.js', '/p/demo'])
    expect((await fetch(`${apiBaseUrl}/console${path}`, { redirect: 'manual' })).status).toBe(404);
  expect((await fetch(`${memberConsole()}/nothing`)).status).toBe(404);
});

test('a viewer sees and an editor changes, by keys of their own; a stranger gets nowhere', async () => {
  const { code } = (await stack.api('POST', '/links', { body: { payload } })).body.data;
  const viewer = await signIn('viewer@example.com');
  expect(viewer.answer.headers.get('location')).toBe(memberConsole());
  const { key = '' } = await viewer.exchange();
  expect(key).toMatch(/^dls_m_[A-Za-z0-9]{40}$/);
  expect((await stack.api('GET', `/links/${code}`, { key })).status).toBe(200);
  expect((await stack.api('PATCH', `/links/${code}`, { key, body: { name: 'N' } })).status).toBe(403);
  expect((await viewer.exchange('other')).status).toBe(403);

  const editor = await signIn('editor@example.com');
  const made = await editor.exchange();
  expect((await stack.api('PATCH', `/links/${code}`, { key: made.key, body: { name: 'N' } })).status).toBe(
    200,
  );
  const own = await stack.api('POST', '/links', { key: made.key, body: { payload } });
  const shown = await stack.api('GET', `/links/${own.body.data.code}`);
  expect(shown.body.data.createdBy).toMatch(/^m_[A-Za-z0-9]{16}$/);
  expect(stack.log()).not.toMatch(/example\.com|dls_m_|code=|state=/);

  const stranger = await signIn('eve@example.com');
  expect([stranger.answer.status, await stranger.answer.text()]).toEqual([
    403,
    expect.stringContaining('eve@example.com'),
  ]);
  expect((await stranger.exchange()).status).toBe(401);
  expect((await editor.visit(editor.callback)).status).toBe(400);
});

test('a removed member is refused at the next call, and may come back with new keys', async () => {
  const email = 'ann@example.com';
  const add = (role: string) => stack.admin('member', 'add', email, '--project', 'demo', '--role', role);
  const first = await add('viewer');
  const ann = await signIn(email);
  const { key } = await ann.exchange();
  const list = (one = key) => stack.api('GET', '/links', { key: one });
  // The gateway remembers the key from here on.
  expect((await list()).status).toBe(200);
  await stack.admin('member', 'remove', email, '--project', 'demo');
  expect((await list()).status).toBe(401);
  expect((await ann.exchange()).status).toBe(401);
  const second = await add('editor');
  expect(second.id).not.toBe(first.id);
  expect((await list()).status).toBe(401);
  const again = await (await signIn(email)).exchange();
  expect((await list(again.key)).status).toBe(200);
  const { keyId } = await stack.adminReading(again.key ?? '', 'key', 'revoke', '-');
  expect(keyId).toMatch(/^key-/);
  expect((await list(again.key)).status).toBe(401);
  expect(await stack.admin('key', 'list', '--project', 'demo')).toHaveLength(1);
});

test('a suspended project refuses its members, and a deleted one has none', async () => {
  await stack.admin('project', 'create', 'gone');
  await stack.admin('member', 'add', 'ann@example.com', '--project', 'gone', '--role', 'viewer');
  expect(await stack.admin('member', 'list', '--project', 'gone')).toHaveLength(1);
  await stack.admin('project', 'delete', 'gone', '--yes');
  expect(
    (await stack.admin('member', 'list')).filter(({ project }: { project: string }) => project === 'gone'),
  ).toEqual([]);
});

describeInBrowser("the members' console in a browser", () => {
  let browser: Browser;
  let tab: Tab;
  beforeAll(async () => {
    browser = await startBrowser();
    tab = await openTab(browser);
  });
  afterAll(() => browser.close());

  const desktop = { viewport: { width: 1280, height: 900 } };
  const arrive = async (page: Page, email: string) => {
    await page.context().clearCookies();
    await page.goto(memberConsole());
    await page.fill('#email', email);
    await page.click('button');
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
  };

  test('an editor makes a link, finds it, sees its figures and code, and signs out', async () => {
    const page = await tab.of(desktop);
    await arrive(page, 'editor@example.com');
    await page.getByRole('link', { name: 'Demo' }).click();
    await page.getByRole('link', { name: 'New link' }).first().click();
    await page.getByLabel('Destination').first().fill('https://example.com/console');
    await page.getByLabel('Code', { exact: false }).first().fill('from-console');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('heading', { name: 'from-console' }).waitFor();
    await page.getByText('by editor@example.com').waitFor();
    await page.getByRole('img', { name: 'QR code of' }).waitFor();
    await stack.visit('/from-console', {
      'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0 Safari/537.36',
    });
    await page.getByRole('link', { name: 'Projects' }).click();
    await page.getByRole('link', { name: 'Demo' }).click();
    await page.getByRole('searchbox').fill('from-console');
    await page.getByText('1 link found').waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'from-console', exact: true }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('button', { name: 'Activate' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
    await page.reload();
    await page.waitForURL(/\/authorize\?/);
  });

  test.each([
    [desktop, 'light'],
    [desktop, 'dark'],
    [{ viewport: { width: 390, height: 844 } }, 'light'],
  ] as const)('a viewer is offered nothing to change, at %j in %s', async (size, colorScheme) => {
    const page = await tab.of({ ...size, colorScheme });
    const requests = watchRequests(page);
    await arrive(page, 'viewer@example.com');
    const foreign: string[] = [];
    page.on('request', (request) => request.url().startsWith(origin()) || foreign.push(request.url()));
    const { code } = (await stack.api('POST', '/links', { body: { payload } })).body.data;
    for (const path of ['', '/p/demo', `/p/demo/links/${code}`, '/p/demo/figures', '/p/demo/apps']) {
      await page.goto(memberConsole() + path);
      await requests.quiet();
      await page.locator('h1').waitFor();
      const words = await page.locator('button, a.button').allInnerTexts();
      expect(words.filter((text) => /new|edit|delete|pause|block|duplicate|save/i.test(text))).toEqual([]);
      expect(await violationsOf(page)).toEqual([]);
      const width = await page.evaluate('document.documentElement.scrollWidth');
      expect(Number(width)).toBeLessThanOrEqual(size.viewport.width);
    }
    await page.goto(`${memberConsole()}/p/demo/links/~new`);
    await page.getByText('This address shows nothing').waitFor();
    expect(foreign.filter((url) => !url.startsWith('data:'))).toEqual([]);
  });
});
