import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { PNG } from 'pngjs';
import decodeQR from 'qr/decode.js';
import { localDeployment } from '../../ops/deployment/deployment.ts';
import { runChecks } from '../../ops/smoke/run.ts';
import { openSession } from '../../ops/smoke/session.ts';
import { signInCheck } from '../../ops/smoke/sign-in-check.ts';
import { faultsOf } from '../support/accessibility.ts';
import { payload } from '../support/api.ts';
import { describeInBrowser, downloadBy, expectSoon, fileTab, settled } from '../support/browser.ts';
import { signInto } from '../support/console-page.ts';
import { isNightly, testAtNight } from '../support/nightly.ts';
import { extendedStack, sharedStack } from '../support/stack-fixtures.ts';

const stack = extendedStack();

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
  const change = async (email: string, role: string | null, project = 'demo') => {
    const made = await visit(`${memberConsole()}/members`, {
      method: 'POST',
      headers: { origin: origin(), 'content-type': 'application/json' },
      body: JSON.stringify({ project, email, role }),
    });
    return made.status;
  };
  return { answer, visit, exchange, change, callback: to(back) };
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
  expect(stack.log()).not.toMatch(/@example\.com|dls_m_|code=|state=/);

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

test('an admin manages members of the own project, and nobody else or with a key does', async () => {
  const email = 'kit@example.com';
  await stack.admin('project', 'create', 'aside', '--name', 'Aside');
  await stack.admin('member', 'add', 'boss@example.com', '--project', 'aside', '--role', 'admin');
  const admin = await signIn('admin@example.com');
  expect(await admin.change(email, 'viewer')).toBe(200);
  const kit = await signIn(email);
  const { key = '' } = await kit.exchange();
  const change = (name: string) => stack.api('PATCH', '/links/none', { key, body: { name } });
  expect((await change('A')).status).toBe(403);
  expect(await admin.change(email, 'admin')).toBe(200);
  const roles = async () =>
    new Map(
      ((await stack.admin('member', 'list', '--project', 'demo')) as { email: string; role: string }[]).map(
        (one) => [one.email, one.role],
      ),
    );
  expect((await roles()).get(email)).toBe('admin');
  expect(await kit.change('admin@example.com', 'editor')).toBe(200);
  expect(await admin.change(email, null)).toBe(403);
  expect(await kit.change(email, 'editor')).toBe(400);
  expect(await kit.change('admin@example.com', 'admin')).toBe(200);
  for (const role of ['viewer', null]) expect(await kit.change('boss@example.com', role, 'aside')).toBe(403);
  expect(await admin.change(email, null)).toBe(200);
  expect((await kit.exchange()).status).toBe(401);
  expect((await change('B')).status).toBe(401);

  for (const role of ['editor', 'viewer'])
    expect(await (await signIn(`${role}@example.com`)).change('eve@example.com', 'admin')).toBe(403);
  const { key: ofMember = '' } = await admin.exchange();
  for (const apiKey of [ofMember, stack.facts.apiKey])
    expect(
      (
        await fetch(`${memberConsole()}/members`, {
          method: 'POST',
          headers: { origin: origin(), 'content-type': 'application/json', 'x-api-key': apiKey },
          body: JSON.stringify({ project: 'demo', email: 'eve@example.com', role: 'admin' }),
        })
      ).status,
    ).toBe(401);
  expect((await roles()).has('eve@example.com')).toBe(false);
  expect(stack.log()).not.toMatch(/@example\.com/);
});

test('no export and no list of operators holds anything of a member', async () => {
  const email = 'kim@example.com';
  const { id } = await stack.admin('member', 'add', email, '--project', 'demo', '--role', 'editor');
  const { key = '' } = await (await signIn(email)).exchange();
  const { code } = (await stack.api('POST', '/links', { key, body: { payload } })).body.data;
  const exported = async (format: string) => {
    const file = path.join(stack.data, `links.${format}`);
    await stack.admin('link', 'export', '--project', 'demo', '--format', format, '--out', file);
    return readFileSync(file, 'utf8');
  };
  const exports = await Promise.all(['csv', 'ndjson'].map(exported));
  expect(exports.filter((text) => text.includes(code))).toHaveLength(2);
  const keys = JSON.stringify(await stack.admin('key', 'list', '--project', 'demo'));
  const projects = JSON.stringify(await stack.admin('project', 'list'));
  expect([...exports, keys, projects].join('')).not.toMatch(/@example\.com|dls_m_/);
  expect(keys).not.toContain(id);
});

test('the smoke test looks at sign-in where there is one', async () => {
  for (const [one, result] of [
    [stack, 'ok'],
    [plain, 'skipped'],
  ] as const) {
    const session = await openSession(await localDeployment(one.data), { pauseSeconds: 0 });
    expect(await runChecks([signInCheck], session)).toMatchObject([{ result }, { result: 'ok' }]);
  }
});

describeInBrowser("the members' console in a browser", () => {
  const tab = fileTab();
  const desktop = { viewport: { width: 1280, height: 900 } };
  /** The page of a member of this role who has signed in. */
  const arrive = async (role: string, page?: Page) => {
    const at = page ?? (await tab.of(desktop));
    await signInto(at, memberConsole(), `${role}@example.com`);
    return at;
  };

  const browserAgent = 'Mozilla/5.0 (X11; Linux x86_64) Chrome/120.0 Safari/537.36';

  test('an editor makes a link, finds it, sees its analytics and code, and signs out', async () => {
    const page = await arrive('editor');
    await page.getByRole('link', { name: 'New link' }).first().click();
    await page.getByLabel('Destination').first().fill('https://example.com/console');
    await page.getByLabel('Code', { exact: false }).first().fill('from-console');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByRole('heading', { name: 'from-console' }).waitFor();
    await page.getByRole('link', { name: 'Details' }).click();
    await page.getByText('by editor@example.com').waitFor();
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('img', { name: 'QR code of' }).waitFor();
    await stack.visit('/from-console', { 'user-agent': browserAgent });
    const { content } = await downloadBy(page.getByRole('link', { name: 'Download PNG' }));
    expect(decodeQR(PNG.sync.read(content))).toMatch(/\/from-console\?qr$/);
    await page.getByRole('link', { name: 'Edit' }).click();
    await page.locator('summary', { hasText: 'Social card' }).click();
    await page.getByLabel('Title').fill('From the console');
    const patched = page.waitForRequest((request) => request.method() === 'PATCH');
    await page.getByRole('button', { name: 'Save link' }).click();
    expect((await patched).postDataJSON()).toEqual({ payload: { social: { title: 'From the console' } } });
    await page.getByRole('heading', { name: 'from-console' }).waitFor();

    await page.goto(`${memberConsole()}/p/demo/links/~many`);
    await page.getByLabel('Addresses').fill('example.com/many\nnowhere');
    await page.getByLabel('Addresses').blur();
    await expectSoon(() => page.getByLabel('Addresses').inputValue()).toBe(
      'https://example.com/many\nnowhere',
    );
    await page.getByRole('button', { name: 'Create 2 links' }).click();
    await page.getByRole('heading', { name: '1 of 2 links created' }).waitFor();
    await page.getByText('The address must').waitFor();
    await expectSoon(() => page.getByLabel('Addresses').inputValue()).toBe('nowhere');
    await page.getByRole('link', { name: 'Projects' }).click();
    await page.getByRole('link', { name: 'Demo' }).click();
    await page.getByRole('heading', { name: 'Links', exact: true }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    await page.goForward();
    await page.getByRole('searchbox').fill('no such link');
    await page.getByText('The search looks for all words').waitFor();
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

  const dark = { ...desktop, colorScheme: 'dark' } as const;
  const phone = { viewport: { width: 390, height: 844 } };
  const darkPhone = { ...phone, colorScheme: 'dark' } as const;

  /** Goes on by Tab until the focus is on this name. */
  const tabTo = async (page: Page, name: RegExp) => {
    for (let presses = 0; presses < 80; presses += 1) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate(
        "[document.activeElement.ariaLabel, document.activeElement.labels?.[0]?.innerText, document.activeElement.innerText].find(Boolean) ?? ''",
      );
      if (name.test(String(focused).trim())) return;
    }
    throw new Error(`Tab reaches nothing that is called ${name}`);
  };
  const isGood = async (page: Page) => expect(await faultsOf(page)).toEqual([]);
  const walks = [
    ['viewer', 'light', desktop],
    ['editor', 'dark', dark],
    ['viewer', 'dark, on a phone', darkPhone],
    ['editor', 'light, on a phone', phone],
    ...(isNightly
      ? ([
          ['editor', 'light', desktop],
          ['viewer', 'dark', dark],
          ['editor', 'dark, on a phone', darkPhone],
          ['viewer', 'light, on a phone', phone],
        ] as const)
      : []),
  ] as const;

  test.each(walks)(
    "%s: from sign-in to a link's analytics with only the keyboard, %s",
    async (role, _, look) => {
      const { code } = (await stack.api('POST', '/links', { body: { payload } })).body.data;
      const isEditor = role === 'editor' ? 1 : 0;
      const page = await tab.of(look);
      await page.context().clearCookies();
      await page.goto(memberConsole());
      await isGood(page);
      await tabTo(page, /^E-mail$/);
      await page.keyboard.press('ControlOrMeta+a');
      await page.keyboard.type(`${role}@example.com`);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: code, exact: true }).waitFor();
      await isGood(page);
      await expectSoon(() => page.getByRole('link', { name: 'New link' }).count()).toBe(isEditor);
      await tabTo(page, new RegExp(`^${code}$`));
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: code }).waitFor();
      await isGood(page);
      await tabTo(page, /^Analytics$/);
      await page.keyboard.press('Enter');
      // Of the link: Tab would pass its tabs by, if they weren't there yet, and get to those of the project.
      await page.waitForURL(`**/links/${code}?tab=analytics`);
      await page.getByRole('heading', { name: 'No clicks' }).waitFor();
      await expectSoon(() => page.getByRole('button', { name: 'Pause' }).count()).toBe(isEditor);
      await isGood(page);
      await tabTo(page, /^Sign out$/);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
      await isGood(page);
    },
  );

  test('a page reports that the console does not answer, and that the session goes on', async () => {
    const page = await arrive('viewer');
    await page.route(/\/console\/sign-out$/, (route) => route.fulfill({ status: 503 }));
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are still signed in. Try again in a moment.').waitFor();
    await page.getByRole('heading', { name: 'Links', exact: true }).waitFor();
    await page.route(/\/console\/session$/, (route) => route.abort());
    await page.reload();
    await page.getByRole('heading', { name: 'The console does not answer.' }).waitFor();
    await isGood(page);
    await page.unrouteAll();
    await page.getByRole('link', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'You are signed out' }).waitFor();
  });

  // Each loads the page anew, which so asks for another key.
  testAtNight('sixty reloads and thirty tabs each show the list', async () => {
    const page = await arrive('viewer');
    const { code } = (await stack.api('POST', '/links', { body: { payload } })).body.data;
    const shows = async (one: Page) => {
      await one.getByRole('link', { name: code, exact: true }).waitFor();
      await expectSoon(() => one.locator('main [role=alert]').count()).toBe(0);
    };
    await page.goto(`${memberConsole()}/p/demo`);
    for (let i = 0; i < 60; i += 1) {
      await page.reload();
      await shows(page);
    }
    const tabs = await Promise.all(Array.from({ length: 30 }, () => page.context().newPage()));
    // Together they may take as long as the test.
    await Promise.all(tabs.map((one) => one.goto(`${memberConsole()}/p/demo`, { timeout: 0 })));
    await Promise.all(tabs.map(shows));
    await page.reload();
    await shows(page);
    await Promise.all(tabs.map((one) => one.close()));
  });

  test("a link's year takes few calls of the API: the link, its clicks, its opens and its changes", async () => {
    const { code } = (await stack.api('POST', '/links', { body: { payload } })).body.data;
    const page = await arrive('viewer');
    // The list that a member lands in goes on asking; this view asks for nothing.
    await page.goto(`${memberConsole()}/p/demo/nothing`);
    const asked: string[] = [];
    const base = memberConsole().replace(/\/console$/, '/1.0/');
    const watch = (request: { url(): string }) =>
      request.url().startsWith(base) && asked.push(request.url().slice(base.length));
    page.on('request', watch);
    const callsOf = async (path: string, shown: string) => {
      // Calls of the view before aren't its own.
      await settled(page);
      asked.length = 0;
      await page.goto(memberConsole() + path);
      await page.locator(shown).waitFor();
      await settled(page);
      return asked.map((one) => one.replace(/\?.*/, '')).sort();
    };
    expect(await callsOf(`/p/demo/links/${code}?tab=analytics&interval=1y`, '.totals')).toEqual([
      'analytics',
      'analytics',
      'history',
      `links/${code}`,
      `links/${code}`,
    ]);
    expect(asked.filter((one) => one.includes('event=opens'))).toHaveLength(1);
    // Besides, one for the name of each link in sight.
    const ofProject = await callsOf('/p/demo/analytics?interval=1y', '.totals');
    expect(ofProject.filter((one) => !one.startsWith('links/'))).toEqual(['analytics', 'analytics']);
    expect(ofProject.length).toBeLessThanOrEqual(2 + 8);
    expect(await callsOf('/p/demo?page=2', '.count')).toEqual(['links', 'tags']);
    // And one for each link in sight, for its last 30 days.
    const rows = await callsOf('/p/demo?q=http', '.count');
    expect(rows.filter((one) => one !== 'analytics')).toEqual(['links', 'tags']);
    // A row asks once it is in sight.
    const title = () => page.locator('.recent-clicks').first().getAttribute('title');
    await expectSoon(title).toMatch(/ in 30 days/);
    const drawn = asked.length - 2;
    expect(drawn).toBeGreaterThan(0);
    expect(drawn).toBeLessThanOrEqual(await page.locator('.links tbody tr').count());
    page.off('request', watch);
  });

  test('an admin adds a colleague, and stays an admin while there is no other', async () => {
    const page = await arrive('admin');
    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await page.getByRole('button', { name: 'Copy the sign-in address' }).waitFor();
    await page.getByLabel('Email').fill('lee@example');
    await page.getByRole('button', { name: 'Add member' }).click();
    await page.getByText('with a domain, such as ann@example.com').waitFor();
    await page.getByLabel('Email').fill('lee@example.com');
    await page.getByRole('button', { name: 'Add member' }).click();
    await page.getByLabel('Role of lee@example.com').waitFor();
    await isGood(page);
    await page.getByLabel('Role of admin@example.com').selectOption('editor');
    await page.getByRole('dialog').getByRole('button', { name: 'Make editor' }).click();
    await page.getByText('This is the last admin of the project').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Remove lee@example.com' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click();
    await page.getByLabel('Role of lee@example.com').waitFor({ state: 'detached' });
  });

  test('a viewer is offered nothing to change, on any page, which asks no other host', async () => {
    const page = await arrive('viewer');
    const foreign: string[] = [];
    page.on('request', (request) => request.url().startsWith(origin()) || foreign.push(request.url()));
    const { code } = (await stack.api('POST', '/links', { body: { payload, tags: ['sale'] } })).body.data;
    await stack.visit(`/${code}?utm_campaign=spring`, { 'user-agent': browserAgent });
    for (const path of ['', '/p/demo', `/p/demo/links/${code}`, '/p/demo/analytics', '/p/demo/apps']) {
      await page.goto(memberConsole() + path);
      await page.locator('h1').waitFor();
      await settled(page);
      const words = await page.locator('button, a.button').allInnerTexts();
      expect(words.filter((text) => /new|edit|delete|pause|block|duplicate|save/i.test(text))).toEqual([]);
      await expectSoon(() => page.locator('main [role=alert]').allTextContents()).toEqual([]);
      await page.keyboard.press('?');
      await expectSoon(() => page.locator('dialog[open]').textContent()).not.toMatch(/new/i);
      await page.keyboard.press('Escape');
      await isGood(page);
    }
    do {
      await page.goto(`${memberConsole()}/p/demo/analytics`);
      await settled(page);
    } while ((await page.getByText('spring', { exact: true }).count()) === 0);
    await isGood(page);
    await page.getByRole('link', { name: 'sale', exact: true }).click();
    await page.waitForURL('**/p/demo?tags=sale');
    await page.getByText('1 link found').waitFor();
    await page.goto(`${memberConsole()}/p/demo/links/${code}`);
    await page.getByRole('heading', { name: 'Where it leads' }).waitFor();
    // Without the operators' columns, a day still fits into its own.
    await page.goto(`${memberConsole()}/p/demo`);
    const lines = () =>
      page
        .locator('td.created')
        .first()
        .evaluate((cell) => {
          const range = cell.ownerDocument.createRange();
          range.selectNodeContents(cell);
          return range.getClientRects().length;
        });
    await expectSoon(lines).toBe(1);
    for (const one of ['links/~new', 'links/~many', `links/${code}/edit`, 'members']) {
      await page.goto(`${memberConsole()}/p/demo/${one}`);
      await page.getByText(/This address shows nothing|Your role in this project can’t do this/).waitFor();
    }
    expect(foreign.filter((url) => !url.startsWith('data:'))).toEqual([]);
  });

  test('a form completes input, asks before it is left, and outlasts connection and session', async () => {
    const page = await arrive('editor');
    await page.goto(`${memberConsole()}/p/demo`);
    await page.getByRole('heading', { name: 'Links' }).waitFor();
    await page.keyboard.press('n');
    const destination = page.getByLabel('Destination').first();
    await destination.waitFor();
    await page.keyboard.type('example.com/spring');
    await page.keyboard.press('Tab');
    await expectSoon(() => destination.inputValue()).toBe('https://example.com/spring');
    await page.getByLabel('Tags').fill('Black Friday');
    await page.getByText('Becomes black-friday').waitFor();
    await page.getByLabel('Code', { exact: true }).fill('spring typed');
    await page.getByRole('button', { name: 'Remove black-friday' }).waitFor();

    const asked = page.waitForEvent('dialog');
    await page.evaluate("setTimeout(() => document.querySelector('.tabs a').click())");
    await (await asked).dismiss();
    const create = page.getByRole('button', { name: 'Create link' });
    const calls = /\/1\.0\/links$/;
    await page.route(calls, (route) => route.abort());
    await create.click();
    await page.getByRole('alert').getByText('No connection. What you typed is still here').waitFor();
    await page.unroute(calls);

    const error = { code: 'INVALID_API_KEY', message: 'Ended' };
    await page.route(calls, (route) => route.fulfill({ status: 401, json: { success: false, error } }));
    await page.context().clearCookies();
    await create.click();
    const over = page.getByRole('dialog', { name: 'Your session has ended' });
    await over.waitFor();
    await isGood(page);
    await page.unroute(calls);
    const [other] = await Promise.all([
      page.context().waitForEvent('page'),
      over.getByRole('link', { name: 'Sign in' }).click(),
    ]);
    await other.fill('#email', 'editor@example.com');
    await other.click('button');
    await other.getByRole('heading', { name: 'Links', exact: true }).waitFor();
    await other.close();
    await over.getByRole('button', { name: 'Close' }).click();
    await create.click();
    await page.getByRole('heading', { name: 'spring-typed' }).waitFor();
    const { body } = await stack.api('GET', '/links/spring-typed');
    expect(body.data).toMatchObject({
      tags: ['black-friday'],
      payload: { link: 'https://example.com/spring' },
    });
  });

  test('every view reports a lost connection, and a refusal names fields as people see them', async () => {
    const page = await arrive('editor');
    const { code } = (await stack.api('POST', '/links', { body: { payload } })).body.data;
    const views = ['/p/demo', '/p/demo/analytics', '/p/demo/apps', `/p/demo/links/${code}/edit`];
    const said = async () => {
      const alert = page.locator('main [role=alert]').first();
      await alert.getByText('No connection. What you typed is still here: try again in a moment.').waitFor();
      await expectSoon(() => alert.textContent()).not.toMatch(/\/1\.0|fetch/i);
    };
    for (const lost of [/\/1\.0\//, /\/console\/session$/])
      for (const view of views) {
        const isLost = (method: string) => !lost.source.includes('session') || method === 'POST';
        await page.route(lost, (route) =>
          isLost(route.request().method()) ? route.abort() : route.continue(),
        );
        await page.goto(memberConsole() + view);
        await said();
        await page.unrouteAll();
        await page.getByRole('button', { name: 'Try again' }).first().click();
        await page.locator('main [role=alert]').waitFor({ state: 'detached' });
      }
    await page.goto(`${memberConsole()}/p/demo`);
    await page.getByLabel(`Choose ${code}`).check();
    const message = 'tags: must be fewer; payload.rules.0.split.1.name: must be shorter';
    const error = { code: 'VALIDATION_ERROR', message };
    await page.route(/\/1\.0\/links\/[^/]+$/, (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 400, json: { success: false, error } })
        : route.continue(),
    );
    await page.getByLabel('Tags of the chosen links').fill('spring,');
    await page.getByRole('button', { name: 'Add tags' }).click();
    await page
      .getByText('Not changed: Tags: must be fewer; Rule 1 › Split 2 › Name: must be shorter')
      .waitFor();
    await page.unrouteAll();
  });

  test('on a phone filters wait behind a button, and a link is copied or shared', async () => {
    const context = await tab.browser.newContext({ ...phone, hasTouch: true, isMobile: true });
    await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: origin() });
    await context.addInitScript('navigator.share = async ({ url }) => { document.title = url; }');
    const page = await context.newPage();
    await arrive('viewer', page);
    const [name, social] = ['تخفيضات الصيف', { title: 'كل شيء' }];
    await stack.api('POST', '/links', {
      body: { code: 'in-hand', name, payload: { ...payload, social } },
    });
    await page.goto(`${memberConsole()}/p/demo?q=in-hand`);
    const order = page.getByLabel('Order');
    const filters = page.getByRole('button', { name: 'Filters' });
    await filters.waitFor();
    await expectSoon(() => order.isVisible()).toBe(false);
    await filters.click();
    await order.selectOption('name');
    await page.getByRole('button', { name: 'Filters (1)', expanded: true }).waitFor();
    await isGood(page);
    const shortUrl = `${stack.facts.shortBaseUrl}/in-hand`;
    for (const view of ['/p/demo?q=in-hand', '/p/demo/links/in-hand']) {
      await page.goto(memberConsole() + view);
      await page
        .getByRole('button', { name: /^Copy the short URL/ })
        .first()
        .click();
      await page.getByText('Copied').waitFor();
      await expectSoon(() => page.evaluate('navigator.clipboard.readText()')).toBe(shortUrl);
      await page
        .getByRole('button', { name: /^Share the short URL/ })
        .first()
        .click();
      await expectSoon(() => page.title()).toBe(shortUrl);
      await isGood(page);
      await expectSoon(() => page.locator('.links .recent-clicks:visible').count()).toBe(0);
      const titles = "[...document.querySelectorAll('bdi, h1 span[dir], .social b')]";
      const directions = `${titles}.map((one) => getComputedStyle(one).direction)`;
      await expectSoon(async () => new Set((await page.evaluate(directions)) as string[])).toEqual(
        new Set(['rtl']),
      );
    }
    await expectSoon(() => page.locator('.social b').textContent()).toBe(social.title);
    await context.close();
  });
});
