import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page, Route } from 'playwright-core';
import { loadLinks } from '../../bench/bulk-load.ts';
import { describeInBrowser, startBrowser } from '../support/browser.ts';
import { looks, type OpenedConsole, openConsole } from '../support/console-page.ts';
import { isNightly } from '../support/nightly.ts';
import { ownStack } from '../support/stack-fixtures.ts';
import { userAgents } from '../support/user-agents.ts';
import { writeYearOfClicks } from '../support/year-of-clicks.ts';

const links = 1000;

const stack = ownStack('--memory', '--console-port', '0');

test('the local stack prints the address of the console, whose token it requires', async () => {
  const { consoleUrl } = stack.facts;
  expect(consoleUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}$/);
  expect((await fetch(new URL('/', consoleUrl))).status).toBe(401);
  const opened = await fetch(consoleUrl, { redirect: 'manual' });
  expect([opened.status, opened.headers.get('set-cookie')]).toEqual([
    303,
    expect.stringContaining('HttpOnly'),
  ]);
});

const sale = {
  code: 'summer-sale',
  name: 'Summer sale',
  payload: {
    link: 'https://shop.example.com/summer',
    desktop_fallback: 'https://shop.example.com/desktop',
    android: { package: 'com.example.shop' },
    ios: { app_store_id: '123456789', bundleId: 'com.example.shop' },
    social: {
      title: 'Summer sale',
      description: 'Everything must go',
      image: 'https://shop.example.com/s.png',
    },
    campaign: { utm_source: 'newsletter' },
  },
};

let yearOfClicks = 0;

/** Creates a link with a year of clicks and some today, and a project with many links. */
const seed = async () => {
  const { dynamodbEndpoint: endpoint, tableName: name, operatorKey } = stack.facts;
  await stack.admin('project', 'create', 'acme', '--name', 'Acme Outdoor');
  const codes = Array.from({ length: links }, (_, i) => `code-${i}`);
  await loadLinks({ endpoint, name, operatorKey }, 'acme', codes);
  const lastYear = new Date(Date.now() - 364 * 86_400_000).toISOString();
  writeFileSync(path.join(stack.data, 'sale.ndjson'), JSON.stringify({ ...sale, createdAt: lastYear }));
  await stack.admin('link', 'import', path.join(stack.data, 'sale.ndjson'), '--project', 'demo');
  yearOfClicks = await writeYearOfClicks(
    { endpoint, name, operatorKey },
    { project: 'demo', code: sale.code },
  );
  await stack.api('POST', '/mobile-apps', {
    body: { platform: 'IOS', name: 'Example Shop', bundleId: 'com.example.shop', appStoreId: '123456789' },
  });
  for (const [i, agent] of [userAgents.iphone, userAgents.android, userAgents.desktop].entries()) {
    await stack.visit('/summer-sale', {
      'User-Agent': agent,
      'x-sim-viewer-country': ['DE', 'FR', 'JP'][i] ?? 'DE',
    });
  }
  await stack.visit('/summer-sale', { 'User-Agent': 'curl/8.5.0' });
};

describeInBrowser('in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    [browser] = await Promise.all([startBrowser(), seed()]);
  });
  afterAll(() => browser?.close());

  const views = [
    ['projects', '/', 'Projects'],
    ['new-project', '/new', 'New project'],
    ['destinations', '/destinations', 'Blocked destinations'],
    ['links', '/p/acme', 'Links'],
    ['no-links', '/p/acme?q=nothing-has-this', 'Links'],
    ['link', '/p/demo/links/summer-sale?interval=90d', 'summer-sale'],
    ['new-link', '/p/demo/links/~new', 'New link'],
    ['edit-link', '/p/demo/links/summer-sale/edit', 'Edit summer-sale'],
    ['figures', '/p/demo/figures?interval=1y', 'Figures'],
    ['no-figures', '/p/acme/figures', 'Figures'],
    ['apps', '/p/demo/apps', 'Saved apps'],
    ['no-apps', '/p/acme/apps', 'Saved apps'],
    ['new-app', '/p/demo/apps/~new', 'New app'],
    ['keys', '/p/demo/keys', 'API keys'],
    ['hosts', '/p/demo/hosts', 'Hosts'],
    ['import', '/p/demo/import', 'Import links'],
    ['export', '/p/demo/export', 'Export links'],
    ['settings', '/p/demo/settings', 'Settings'],
    ['nothing', '/p/demo/nothing', 'Nothing here'],
    ['no-project', '/p/missing', 'Links'],
  ] as const;

  test.each(isNightly ? looks : looks.slice(0, 1))(
    'every view is complete, accessible and fits ($name)',
    async (look) => {
      const opened = await openConsole(browser, stack.facts.consoleUrl, look);
      for (const [name, view, heading] of views) {
        await opened.go(view);
        expect(await opened.page.textContent('h1')).toContain(heading);
        expect({ view, complaints: await opened.complaints() }).toEqual({
          view,
          // The console's own error; the browser logs a failed request.
          complaints: name === 'no-project' ? [expect.stringContaining('400')] : [],
        });
        await opened.picture(name);
      }
      await opened.close();
    },
  );

  /** One for all: a new one would take seconds, until all it loads is compiled. */
  let onDesktop: OpenedConsole | undefined;
  const desktop = async (): Promise<OpenedConsole> => {
    onDesktop ??= await openConsole(browser, stack.facts.consoleUrl, looks[0] as (typeof looks)[0]);
    onDesktop.forget();
    return onDesktop;
  };

  const textOf = async ({ page }: OpenedConsole, selector: string): Promise<string[]> =>
    (await page.locator(selector).allTextContents()).map((text) => text.trim());

  /** Keeps the next call of this name from the server, until it is released. */
  const hold = async (page: Page, call: string): Promise<() => void> => {
    const released = Promise.withResolvers<void>();
    const pass = async (route: Route) => {
      await released.promise;
      await route.continue();
    };
    await page.route(`**/api/${call}`, pass, { times: 1 });
    return released.resolve;
  };

  test('a year of clicks has a plot, values by arrow keys, and a table', async () => {
    const opened = await desktop();
    const { page } = opened;
    const whole = new Intl.NumberFormat('en').format;
    await opened.go('/p/demo/links/summer-sale');
    await page.getByRole('button', { name: '1 year' }).click();
    await page.waitForURL('**interval=1y');
    // Three clicks were made by browsers.
    await page
      .locator('.totals')
      .getByText(whole(yearOfClicks + 3), { exact: true })
      .waitFor();
    const plot = page.getByRole('slider');
    await plot.focus();
    await page.keyboard.press('ArrowRight');
    expect(await plot.getAttribute('aria-valuenow')).toBe('0');
    await page.keyboard.press('ArrowRight');
    expect(await plot.getAttribute('aria-valuenow')).toBe('1');
    expect(await plot.getAttribute('aria-valuetext')).toMatch(
      /^\w+, \w+ \d+, 20\d\d, \d+ Clicks, \d+ Visitors$/,
    );
    const box = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    expect(Number(await plot.getAttribute('aria-valuenow'))).toBeGreaterThan(100);
    await page.getByText('Show as a table').click();
    expect(await textOf(opened, '.plot tbody th')).toHaveLength(365);
    await page.getByText('Instagram', { exact: true }).waitFor();
    await page.getByText('Crawlers of social networks').waitFor();
    expect(await opened.complaints()).toEqual([]);
    await page.goBack();
    await page.getByRole('button', { name: '30 days', pressed: true }).waitFor();
  });

  test('a long list of links starts with the newest, and can be searched, sorted and paged', async () => {
    const opened = await desktop();
    const { page } = opened;
    const codes = () => textOf(opened, '.links tbody th a');
    await opened.go('/p/acme');
    expect((await codes())[0]).toBe(`code-${links - 1}`);
    expect(await page.textContent('.count')).toBe('1,000 links');

    await page.keyboard.press('/');
    await page.keyboard.type('code-7');
    await page.waitForURL('**/p/acme?q=code-7');
    await page.getByText('111 links found').waitFor();

    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL('**page=2');
    await opened.settled();
    expect(await codes()).toHaveLength(50);
    await page.goBack();
    await page.getByText('Page 1 of 3').waitFor();

    await page.getByLabel('Order').selectOption('code');
    await page.waitForURL('**sort=code**');
    await page
      .locator('.links tbody tr:first-child')
      .getByRole('link', { name: 'code-7', exact: true })
      .waitFor();
    await page.getByLabel('Status').selectOption('PAUSED');
    await page.getByText('No link matches').waitFor();
  });

  test('a link can be created, changed, paused, activated and deleted', async () => {
    const opened = await desktop();
    const { page } = opened;
    await opened.go('/p/demo');
    await page.keyboard.press('n');
    await page.getByLabel('Destination').fill('https://example.com/made');
    await page.getByLabel('Code').fill('summer-sale');
    await page.getByText('Taken.').waitFor();
    await page.getByLabel('Code').fill('by-hand');
    await page.getByText('Free.').waitFor();
    await page.getByLabel('Name').fill('Made by hand');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.waitForURL('**/links/by-hand');
    expect((await stack.visit('/by-hand')).headers.get('location')).toBe('https://example.com/made');

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.waitForURL('**/edit');
    await page.getByLabel('Destination').fill('http://127.0.0.1/private');
    await page.getByRole('button', { name: 'Save link' }).click();
    await page.getByRole('alert').waitFor();
    expect(await page.textContent('[role=alert]')).toContain('payload.link');
    await page.getByLabel('Destination').fill('https://example.com/changed');
    await page.getByText('iPhone and iPad').click();
    await page.getByLabel('App Store id').fill('123456789');
    await page.getByRole('button', { name: 'Save link' }).click();
    await page.waitForURL('**/links/by-hand');
    expect(await stack.admin('link', 'show', 'by-hand', '--project', 'demo')).toMatchObject({
      name: 'Made by hand',
      payload: { link: 'https://example.com/changed', ios: { app_store_id: '123456789' } },
      updatedBy: 'operator',
    });

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.waitForURL('**/edit');
    const name = page.getByLabel('Name');
    await name.waitFor();
    await stack.api('PUT', '/links/by-hand', {
      body: { payload: { link: 'https://example.com/elsewhere' } },
    });
    await name.fill('Renamed');
    await page.getByRole('button', { name: 'Save link' }).click();
    await page.waitForURL('**/links/by-hand');
    expect((await stack.api('GET', '/links/by-hand')).body.data).toMatchObject({
      name: 'Renamed',
      payload: { link: 'https://example.com/elsewhere', ios: { app_store_id: '123456789' } },
    });

    const press = async (action: string, confirm: string) => {
      await page.getByRole('button', { name: action, exact: true }).click();
      expect(await opened.complaints()).toEqual([expect.stringContaining('400')].slice(0, noted--));
      await page.getByRole('dialog').getByRole('button', { name: confirm, exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    // The refused edit, which the browser logs once.
    let noted = 1;
    await press('Pause', 'Pause');
    await page.getByText('This link is paused').waitFor();
    expect((await stack.visit('/by-hand')).status).toBe(404);
    await press('Activate', 'Activate');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    expect((await stack.visit('/by-hand')).status).toBe(302);

    await page.getByRole('button', { name: 'Delete' }).click();
    const remove = page.getByRole('button', { name: 'Delete link' });
    expect(await remove.isDisabled()).toBe(true);
    await page.getByLabel('Type by-hand to go on').fill('by-hand');
    await remove.click();
    await page.waitForURL('**/p/demo');
    expect((await stack.api('GET', '/links/by-hand')).status).toBe(404);
  });

  test('a key is shown once, works, and is revoked', async () => {
    const opened = await desktop();
    const { page } = opened;
    await opened.go('/p/demo/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = (await page.textContent('.secret code')) ?? '';
    expect((await stack.api('GET', '/links', { key })).status).toBe(200);
    expect(await opened.complaints()).toEqual([]);
    await page.reload();
    await opened.settled();
    expect(await page.content()).not.toContain(key);
    const [{ keyId }] = (await stack.admin('key', 'list', '--project', 'demo')).slice(-1);
    await page.getByRole('button', { name: `Revoke ${keyId}` }).click();
    await page.getByRole('button', { name: 'Revoke key', exact: true }).click();
    await page.getByText(/^Revoked /).waitFor();
    expect((await stack.api('GET', '/links', { key })).status).toBe(401);
  });

  test('apps and hosts can be added and removed', async () => {
    const opened = await desktop();
    const { page } = opened;
    await opened.go('/p/acme/apps/~new');
    await page.getByLabel('Platform').selectOption('ANDROID');
    await page.getByLabel('Name', { exact: true }).fill('Outdoor');
    await page.getByLabel('Package name').fill('com.example.outdoor');
    await page.getByRole('button', { name: 'Create app' }).click();
    await page.getByRole('link', { name: 'Outdoor' }).click();
    await page.getByLabel('Package name').waitFor();
    const id = page.url().split('/').at(-1);
    const { apiKey: key } = await stack.admin('key', 'create', '--project', 'acme');
    await stack.api('PUT', `/mobile-apps/${id}`, { key, body: { name: 'Renamed' } });
    await page.getByLabel('Package name').fill('com.example.renamed');
    await page.getByRole('button', { name: 'Save app' }).click();
    await page.getByRole('link', { name: 'Renamed' }).waitFor();
    expect((await stack.api('GET', `/mobile-apps/${id}`, { key })).body.data).toMatchObject({
      name: 'Renamed',
      packageName: 'com.example.renamed',
    });
    await page.getByRole('button', { name: 'Delete Renamed' }).click();
    await page.getByRole('button', { name: 'Delete app' }).click();
    await page.getByText('No saved apps yet').waitFor();

    await opened.go('/p/acme/hosts');
    await page.getByLabel('Host', { exact: true }).fill('go.acme.test');
    await page.getByRole('button', { name: 'Assign host' }).click();
    await page.getByRole('heading', { name: 'go.acme.test' }).waitFor();
    await page.getByText('A local stack has none').first().waitFor();
    expect(await stack.admin('project', 'show', 'acme')).toMatchObject({ shortBase: 'https://go.acme.test' });
    await page.getByRole('button', { name: 'Remove go.acme.test' }).click();
    await page.getByLabel('Type go.acme.test to go on').fill('go.acme.test');
    await page.getByRole('button', { name: 'Remove host' }).click();
    await page.getByText('No custom host').waitFor();
  });

  test('a link, a project and a destination can be blocked and unblocked', async () => {
    const opened = await desktop();
    const { page } = opened;
    const press = async (action: string, confirm: string) => {
      await page.getByRole('button', { name: action, exact: true }).click();
      await page.getByRole('dialog').getByRole('button', { name: confirm, exact: true }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    };
    await opened.go('/p/demo/links/summer-sale');
    await press('Block', 'Block link');
    await page.getByText('This link is blocked').waitFor();
    expect((await stack.visit('/summer-sale')).status).toBe(404);
    await opened.picture('blocked-link');
    await press('Unblock', 'Unblock');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    expect((await stack.visit('/summer-sale')).status).toBe(302);

    await opened.go('/p/acme/settings');
    await press('Suspend project', 'Suspend project');
    await page.getByText('This project is suspended').waitFor();
    expect(await stack.admin('project', 'show', 'acme')).toMatchObject({ suspended: true });
    await press('Resume', 'Resume');
    await page.getByRole('heading', { name: 'Suspend this project' }).waitFor();

    await opened.go('/destinations');
    await page.getByLabel('Host').fill('evil.example.com');
    await page.getByRole('button', { name: 'Block host' }).click();
    await page.getByRole('heading', { name: 'evil.example.com' }).waitFor();
    expect(await stack.admin('destination', 'list')).toEqual([
      { host: 'evil.example.com', blockedAt: expect.any(String) },
    ]);
    await press('Unblock evil.example.com', 'Unblock');
    await page.getByText('No destination is blocked').waitFor();
  });

  test('links can be exported, and imported after a dry run', async () => {
    const opened = await desktop();
    const { page } = opened;
    await opened.go('/p/demo/export');
    await page.getByLabel('Format').selectOption('ndjson');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export all links' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('demo.ndjson');
    const exported = readFileSync((await download.path()) ?? '', 'utf8');
    expect(exported.split('\n').map((row) => row && JSON.parse(row).code)).toContain('summer-sale');

    await opened.go('/p/demo/import');
    const row = (code: string, link: string) => JSON.stringify({ code, payload: { link } });
    const rows = [
      exported.trim(),
      row('imported', 'https://example.com/in'),
      row('refused', 'ftp://example.com'),
    ];
    await page.getByLabel('File').setInputFiles({
      name: 'links.ndjson',
      mimeType: 'application/x-ndjson',
      buffer: Buffer.from(rows.join('\n')),
    });
    await page.getByRole('button', { name: 'Try without writing' }).click();
    const go = page.getByRole('button', { name: 'Import 1 link', exact: true });
    await go.waitFor();
    expect(await textOf(opened, 'tbody th')).toEqual(['refused']);
    expect(await opened.complaints()).toEqual([]);
    expect((await stack.api('GET', '/links/imported')).status).toBe(404);
    await opened.picture('import-report');
    const release = await hold(page, 'importLinks');
    await go.click();
    await page.getByRole('status').getByText('Import 1 link').waitFor();
    for (const label of ['File', 'Format', 'Host of the links']) {
      expect(await page.getByLabel(label, { exact: true }).isDisabled()).toBe(true);
    }
    expect(await page.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
    for (const way of [
      'location.reload()',
      'history.back()',
      "document.querySelector('.tabs a').click()",
      "dispatchEvent(new KeyboardEvent('keydown', { key: 'p' }))",
    ]) {
      const asked = page.waitForEvent('dialog');
      await page.evaluate(`setTimeout(() => { ${way} })`);
      const question = await asked;
      expect(question.type()).toBe('beforeunload');
      await question.dismiss();
      expect(new URL(page.url()).pathname).toBe('/p/demo/import');
    }
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped after about 0 rows. To go on, import the file again.').waitFor();
    release();
    await go.click();
    await page.getByText('What the import did').waitFor();
    expect((await stack.api('GET', '/links/imported')).body.data).toMatchObject({ createdBy: 'operator' });
    await page.getByRole('link', { name: 'Show the links' }).click();
    await page.getByRole('heading', { name: 'Links' }).waitFor();
    expect(await opened.complaints()).toEqual([]);
  });

  test('an export and an import say what a CSV leaves out', async () => {
    const opened = await desktop();
    const { page } = opened;
    const payload = { link: 'https://example.com/asks', interstitial: 'auto' };
    await stack.api('POST', '/links', { body: { code: 'asks', payload } });
    await opened.go('/p/demo/export');
    const exportAll = page.getByRole('button', { name: 'Export all links' });
    await Promise.all([page.waitForEvent('download'), exportAll.click()]);
    await page.getByText('CSV has no columns for settings of some links: interstitial').waitFor();
    await page.getByLabel('Format').selectOption('ndjson');
    await page.getByText('CSV has no columns').waitFor({ state: 'detached' });

    await opened.go('/p/demo/import');
    await page.getByLabel('File').setInputFiles({
      name: 'links.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('code,link,desktop_fallback\nfrom-csv,https://example.com/csv,x\n'),
    });
    await page.getByRole('button', { name: 'Try without writing' }).click();
    await page.getByText('Ignored columns: desktop_fallback (did you mean desktopFallback?)').waitFor();
    expect(await opened.complaints()).toEqual([]);
    await opened.picture('import-notes');
  });

  test('a file that cannot be imported is refused as a whole', async () => {
    const opened = await desktop();
    const { page } = opened;
    await opened.go('/p/demo/import');
    for (const [bytes, message] of [
      [Buffer.from('code,link\ncafe,https://example.com/caf\xe9\n', 'latin1'), "isn't in UTF-8, see line 2"],
      [Buffer.from(''), 'is empty'],
    ] as const) {
      await page.getByLabel('File').setInputFiles({ name: 'links.csv', mimeType: 'text/csv', buffer: bytes });
      await page.getByRole('button', { name: 'Try without writing' }).click();
      await page.getByText(`The file ${message}`).waitFor();
    }
    opened.forget();
  });

  test('a project can be created and deleted with the keyboard alone', async () => {
    const opened = await desktop();
    const { page } = opened;
    await opened.go('/');
    await page.keyboard.press('n');
    await page.waitForURL('**/new');
    await page.getByLabel('Id', { exact: true }).focus();
    await page.keyboard.type('short-lived');
    await page.keyboard.press('Enter');
    await page.waitForURL('**/p/short-lived');
    await page.getByText('No links yet').waitFor();
    await opened.go('/p/short-lived/settings');
    await page.getByRole('button', { name: 'Delete project' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Type short-lived to go on').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await page.getByLabel('Type short-lived to go on').waitFor();
    await page.keyboard.type('short-lived');
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.pathname === '/');
    await opened.settled();
    expect((await textOf(opened, '.cards h2')).sort()).toEqual(['Acme Outdoor', 'Demo']);
  });
});
