import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page, Request } from 'playwright-core';
import { PNG } from 'pngjs';
import decodeQR from 'qr/decode.js';
import { userAgents } from '../../ops/base/user-agents.ts';
import { describeInBrowser, downloadBy, expectSoon, hold, startBrowser } from '../support/browser.ts';
import { loadLinks } from '../support/bulk-load.ts';
import { type Look, looks, type OpenedConsole, openConsole } from '../support/console-page.ts';
import { expectEventually, type RunningStack, tableOf } from '../support/local-stack.ts';
import { isNightly } from '../support/nightly.ts';
import { ownStack, sharedStack } from '../support/stack-fixtures.ts';
import { startReceiver } from '../support/webhook-receiver.ts';
import { writeYearOfClicks } from '../support/year-of-clicks.ts';
import { filesInZip } from '../support/zip.ts';

const links = 1000;

const shared = sharedStack();
/** Whose data the console shows; none is started where there is no browser. */
let stack: RunningStack;

test('the local stack prints the address of the console, whose token it requires', async () => {
  const { consoleUrl } = shared.facts;
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
  tags: ['sale'],
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
  const table = tableOf(stack);
  await stack.admin('project', 'create', 'acme', '--name', 'Acme Outdoor');
  const codes = Array.from({ length: links }, (_, i) => `code-${i}`);
  await loadLinks(table, 'acme', codes);
  const lastYear = new Date(Date.now() - 364 * 86_400_000).toISOString();
  writeFileSync(path.join(stack.data, 'sale.ndjson'), JSON.stringify({ ...sale, createdAt: lastYear }));
  await stack.admin('link', 'import', path.join(stack.data, 'sale.ndjson'), '--project', 'demo');
  yearOfClicks = await writeYearOfClicks(table, { project: 'demo', code: sale.code });
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
  stack = ownStack('--memory', '--console-port', '0');
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
    ['link', '/p/demo/links/summer-sale?interval=90d', 'Summer sale'],
    ['new-link', '/p/demo/links/~new', 'New link'],
    ['many-links', '/p/demo/links/~many', 'Many links'],
    ['edit-link', '/p/demo/links/summer-sale/edit', 'Edit Summer sale'],
    ['analytics', '/p/demo/analytics?interval=1y', 'Analytics'],
    ['no-analytics', '/p/acme/analytics', 'Analytics'],
    ['apps', '/p/demo/apps', 'Saved apps'],
    ['no-apps', '/p/acme/apps', 'Saved apps'],
    ['new-app', '/p/demo/apps/~new', 'New app'],
    ['keys', '/p/demo/keys', 'API keys'],
    ['members', '/p/demo/members', 'Members'],
    ['hosts', '/p/demo/hosts', 'Hosts'],
    ['requests', '/p/demo/requests', 'Requests'],
    ['webhooks', '/p/demo/webhooks', 'Webhooks'],
    ['import', '/p/demo/import', 'Import links'],
    ['export', '/p/demo/export', 'Export links'],
    ['settings', '/p/demo/settings', 'Settings'],
    ['nothing', '/p/demo/nothing', 'Nothing here'],
    ['no-project', '/p/missing', 'Links'],
  ] as const;

  // By day without the slowest checks: a page for each view, and its accessibility, which other tests also judge.
  const byDay: Look[] = [{ ...(looks[0] as Look), way: 'in the app' }];
  test.each(isNightly ? looks : byDay)(
    'every view is complete, accessible and fits ($name)',
    async (look) => {
      const opened = await openConsole(browser, stack.facts.consoleUrl, look);
      for (const [name, view, heading] of views) {
        await opened.go(view);
        await expectSoon(() => opened.page.textContent('h1')).toContain(heading);
        expect({ view, complaints: await opened.complaints(isNightly ? 'all' : 'errors') }).toEqual({
          view,
          // The console's own error; the browser logs a failed request.
          complaints: name === 'no-project' ? [expect.stringContaining('400')] : [],
        });
        await opened.picture(name);
      }
      await opened.close();
    },
  );

  /** One for all on a desktop: a new one would take seconds, until all it loads is compiled. */
  let opened: OpenedConsole;
  let page: Page;
  beforeEach(async () => {
    opened ??= await openConsole(browser, stack.facts.consoleUrl, looks[0] as Look);
    page = opened.page;
    opened.forget();
  });

  const textOf = async (selector: string): Promise<string[]> =>
    (await page.locator(selector).allTextContents()).map((text) => text.trim());

  /** Presses a button that asks, and answers it. */
  const press = async (action: string, confirm: string) => {
    await page.getByRole('button', { name: action, exact: true }).click();
    await page.getByRole('dialog').getByRole('button', { name: confirm, exact: true }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };

  /**
   * A person's complaints about the view as it is now: in light, in the dark, and on a phone. By day accessibility is
   * judged in one of them.
   */
  const complaintsInEveryLook = async (name: string): Promise<string[]> => {
    const found: string[] = [];
    for (const [look, colorScheme, width] of [
      ['light', 'light', 1280],
      ['dark', 'dark', 1280],
      ['phone', 'light', 390],
    ] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await page.setViewportSize({ width, height: 900 });
      const judged = isNightly || look === 'light' ? 'all' : 'errors';
      found.push(...(await opened.complaints(judged)).map((one) => `${look}: ${one}`));
      await opened.picture(`${name}-${look}`);
    }
    await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
    await page.setViewportSize({ width: 1280, height: 900 });
    return found;
  };

  test('a link shows where it leads, and its settings in words and in the own time zone', async () => {
    const [app] = (await stack.api('GET', '/mobile-apps')).body.data.apps;
    const payload = {
      link: 'https://shop.example.com/words',
      iosAppId: app.id,
      interstitial: 'auto',
      social: { title: 'First', description: 'One' },
    };
    const body = { code: 'in-words', expiresAt: '2030-01-31T12:00:00Z', payload };
    await stack.api('POST', '/links', { body });
    await opened.go('/p/demo/links/summer-sale');
    // Only on a click, and from its own host; the test has no such host.
    await page.route(sale.payload.social.image, (route) =>
      route.fulfill({ contentType: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
    );
    const shown = page.waitForRequest(sale.payload.social.image);
    await page.getByRole('button', { name: 'Show the image' }).click();
    await shown;
    opened.forget();
    await opened.go('/p/demo/links/in-words');
    const top = async (name: string) =>
      (await page.getByRole('heading', { name, exact: true }).boundingBox())?.y ?? 0;
    await expectSoon(async () => (await top('Where it leads')) - (await top('QR code'))).toBe(0);
    expect(await complaintsInEveryLook('link-in-words')).toEqual([]);
    await opened.go('/p/demo/links/in-words?tab=settings');
    await expectSoon(() => textOf('.facts > div')).toEqual(
      expect.arrayContaining([
        'ExpiresJan 31, 2030, 17:30 (12:00 UTC)',
        `iPhone and iPadSaved app ${app.name}`,
        'Interstitial pageAuto',
        'Social card: TitleFirst',
      ]),
    );
    await expectSoon(() => page.textContent('body')).not.toMatch(/[\da-f]{8}-[\da-f]{4}-/);
    await expectSoon(() => page.textContent('.crumbs')).toBe('Projects / Demo');
    expect(await complaintsInEveryLook('link-settings')).toEqual([]);
    await page.getByRole('link', { name: app.name }).click();
    await page.waitForURL(`**/apps/${app.id}`);

    await opened.go('/p/demo/links/in-words/edit');
    await expectSoon(() => page.getByLabel('Expires').inputValue()).toBe('2030-01-31T17:30');
    await page.getByLabel('Expires').fill('2030-02-01T01:00');
    await page.getByText('Feb 1, 2030, 01:00 (Jan 31, 2030, 19:30 UTC).').waitFor();
    await page
      .getByText('npx dls link update in-words --project demo --expires')
      .waitFor({ state: 'attached' });
    await stack.api('PATCH', '/links/in-words', { body: { payload: { social: { title: 'Second' } } } });
    await page.getByText('Social card', { exact: false }).first().click();
    await page.getByLabel('Description').fill('Two');
    await page
      .getByText('npx dls link update in-words --project demo --file CHANGE.json')
      .waitFor({ state: 'attached' });
    await page.getByRole('button', { name: 'Save link' }).click();
    await page.waitForURL('**/links/in-words');
    expect((await stack.api('GET', '/links/in-words')).body.data).toMatchObject({
      expiresAt: '2030-01-31T19:30:00.000Z',
      payload: { ...payload, social: { title: 'Second', description: 'Two' } },
    });
  });

  test('a link can be tried as any visitor, at an address for others', async () => {
    const [app] = (await stack.api('GET', '/mobile-apps')).body.data.apps;
    const body = {
      code: 'tried',
      payload: {
        link: 'https://shop.example.com/tried',
        iosAppId: app.id,
        interstitial: 'auto',
        rules: [
          { name: 'dach', countries: ['DE'], platforms: ['android'], link: 'https://shop.example.com/de' },
        ],
      },
    };
    expect((await stack.api('POST', '/links', { body })).status).toBe(201);
    await opened.go('/p/demo/links/tried?as=ios&app=1');
    const tried = page.locator('.visitor-preview');
    await tried.getByText('No iPhone, iPad app is associated').waitFor();
    await tried.getByRole('link', { name: 'apps.apple.com' }).waitFor();
    await tried.getByLabel('Visitor on').selectOption('ios-in-app');
    await tried.getByText('An interstitial page').waitFor();
    await tried.getByLabel('Visitor on').selectOption('android');
    await tried.getByLabel('Country').selectOption('DE');
    await tried.getByText('The rule dach decides.').waitFor();
    expect(await complaintsInEveryLook('try-as')).toEqual([]);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await tried.getByRole('button', { name: 'Copy the address of this try' }).click();
    const copied = await page.evaluate('navigator.clipboard.readText()');
    expect(new URL(String(copied)).search).toBe('?as=android&country=DE&app=1');
    expect(String(copied)).toContain(new URL(stack.facts.consoleUrl).origin);
    await page.goto(String(copied));
    await tried.getByText('The rule dach decides.').waitFor();
  });

  test('the entries of a split stand side by side, with their shares and clicks', async () => {
    const link = 'https://shop.example.com/';
    const split = [
      { name: 'a', percent: 30, link: `${link}a` },
      { name: 'b', percent: 70, link: `${link}b` },
    ];
    const payload = { link, rules: [{ name: 'pages', split }] };
    await stack.api('POST', '/links', { body: { code: 'divided', payload } });
    const led = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        const headers = { 'User-Agent': userAgents.desktop, 'x-sim-viewer-address': `203.0.113.${i}` };
        return (await stack.visit('/divided', headers)).headers.get('location');
      }),
    );
    const clicks = ['a', 'b'].map((name) => led.filter((one) => one === link + name).length);
    const counted = async () => (await stack.api('GET', '/analytics?code=divided')).body.data.clicks;
    await expectEventually(counted).toBe(led.length);
    await opened.go('/p/demo/links/divided?interval=24h');
    const sides = page.locator('.sides > li');
    const shown = () =>
      sides.evaluateAll((all) =>
        all.map((one) =>
          [...one.querySelectorAll('h3, dd:not(.before)')].map(({ textContent }) => textContent),
        ),
      );
    await expectSoon(shown).toEqual([
      ['a', String(clicks[0]), '30 %'],
      ['b', String(clicks[1]), '70 %'],
    ]);
    const [a, b] = [await sides.first().boundingBox(), await sides.last().boundingBox()];
    expect([a?.y, (a?.x ?? 0) < (b?.x ?? 0)]).toEqual([b?.y, true]);
    expect(await complaintsInEveryLook('split')).toEqual([]);
  });

  test('each pasted address creates a link, and wrong ones stay for correction', async () => {
    await opened.go('/p/demo/links/~new');
    await page.getByRole('link', { name: 'Many at once' }).click();
    const addresses = page.getByLabel('Addresses');
    const good = Array.from({ length: 120 }, (_, i) => `https://example.com/many/${i}`);
    await addresses.fill(['', 'shop example', ...good, good[0]].join('\n'));
    await page.getByLabel('Tags').fill('many,');
    await page.getByRole('button', { name: 'Create 121 links' }).click();
    await page.getByRole('heading', { name: '120 of 121 links created' }).waitFor();
    await expectSoon(() => addresses.inputValue()).toBe('shop example');
    await expectSoon(() => page.locator('.outcomes tbody tr').first().textContent()).toMatch(
      /^2shop exampleThe address must /,
    );
    expect(await complaintsInEveryLook('many-outcomes')).toEqual([]);
    const tagged = ['--tag', 'many', '--limit', '200'];
    expect(await stack.admin('link', 'list', '--project', 'demo', ...tagged)).toHaveLength(120);
    await addresses.fill('code\taddress\nfrom-a-sheet\thttps://shop.example.com');
    await page.getByRole('button', { name: 'Create links' }).click();
    await page.getByRole('heading', { name: '1 of 1 link created' }).waitFor();
    await page.locator('.outcomes tbody a[href$="/from-a-sheet"]').waitFor();
    expect((await stack.visit('/from-a-sheet')).headers.get('location')).toBe('https://shop.example.com/');
  });

  test('an address that is pasted into a list becomes a link, and several fill the form for many', async () => {
    await opened.go('/p/demo');
    const paste = (text: string) =>
      page.evaluate(`{
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', ${JSON.stringify(text)});
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
      }`);
    await paste('not an address');
    await paste('example.com/autumn/spring-sale.html?utm_source=a');
    await page.getByRole('heading', { name: 'Spring sale' }).waitFor();
    await page.getByRole('status').getByRole('button', { name: 'Copy link' }).waitFor();
    const { payload } = (await stack.api('GET', '/links?search=spring-sale')).body.data[0];
    expect(payload.link).toBe('https://example.com/autumn/spring-sale.html?utm_source=a');
    await opened.go('/p/demo');
    await paste('example.com/a\nexample.com/b');
    await page.getByRole('button', { name: 'Create 2 links' }).waitFor();
  });

  test('an unknown address leads to existing pages', async () => {
    await opened.go('/p/demo/links/none');
    opened.forget();
    expect(await complaintsInEveryLook('no-link')).toEqual([]);
    await page.getByRole('link', { name: 'All links' }).click();
    await page.getByRole('heading', { name: 'Links', exact: true }).waitFor();
    await opened.go('/p/missing');
    await page.getByRole('link', { name: 'All projects' }).click();
    await page.getByRole('heading', { name: 'Projects' }).waitFor();
    for (const view of ['hosts', 'webhooks']) {
      await opened.go(`/p/acme/${view}`);
      opened.forget();
      expect(await complaintsInEveryLook(`first-of-${view}`)).toEqual([]);
    }
  });

  test('a year of clicks has a plot, values by arrow keys, and a table', async () => {
    const whole = new Intl.NumberFormat('en').format;
    await opened.go('/p/demo/links/summer-sale?tab=analytics');
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
    await expectSoon(() => plot.getAttribute('aria-valuenow')).toBe('0');
    await page.keyboard.press('ArrowRight');
    await expectSoon(() => plot.getAttribute('aria-valuenow')).toBe('1');
    await expectSoon(() => plot.getAttribute('aria-valuetext')).toMatch(
      /^\w+ \d+.*\u2013.*\d+, 20\d\d, [\d,]+ Clicks, [\d,]+ Visitors, [\d,]+ App opens$/,
    );
    await page.keyboard.press('End');
    await expectSoon(() => plot.getAttribute('aria-valuenow')).toBe('52');
    await expectSoon(() => page.locator('.bars .bar rect').count()).toBe(53);
    const box = (await plot.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await expectSoon(() => plot.getAttribute('aria-valuenow')).toBe('26');
    await page.getByText('Busiest day').waitFor();
    await page.getByText('Show as a table').click();
    await page.getByRole('button', { name: 'Show all (365)' }).click();
    await expectSoon(() => textOf('.plot tbody th')).toHaveLength(365);
    await page.getByRole('link', { name: 'Instagram', exact: true }).waitFor();
    await page.getByText('Crawlers of social networks').waitFor();
    await page.getByLabel('Compare with the period before').check();
    await page.getByText('none before').first().waitFor();
    await page.getByRole('link', { name: 'Japan' }).click();
    await page.getByText('Only clicks of Japan').waitFor();
    expect(await opened.complaints()).toEqual([]);
    const dayOf = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);
    await expectSoon(() => page.getByLabel('From', { exact: true }).count()).toBe(0);
    await page.getByRole('button', { name: 'Other days' }).click();
    await page.getByLabel('From', { exact: true }).fill(dayOf(1));
    await page.getByLabel('To', { exact: true }).fill(dayOf(2));
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expectSoon(() => page.evaluate('document.activeElement.validity.rangeUnderflow')).toBe(true);
    await page.getByLabel('From', { exact: true }).fill(dayOf(3));
    // The former range isn't saved as this one's.
    const release = await hold(page, 'analytics');
    await page.getByRole('button', { name: 'Show', exact: true }).click();
    await expectSoon(() => page.getByRole('button', { name: 'CSV over time' }).isDisabled()).toBe(true);
    await expectSoon(() => page.getByText('Reading analytics').count()).toBe(1);
    release();
    await page.waitForURL(`**from=${dayOf(3)}&to=${dayOf(2)}&compare=1&by=countries&is=JP`);
    const csv = await downloadBy(page.getByRole('button', { name: 'CSV over time' }));
    expect(csv.name).toMatch(new RegExp(`^demo.*-clicks-${dayOf(3)}-to-${dayOf(2)}\\.csv$`));
    expect(String(csv.content)).toMatch(/^start,clicks,clicksBefore\r\n/);
    for (const _ of [1, 2, 3]) await page.goBack();
    await page.getByRole('button', { name: '1 year', pressed: true }).waitFor();
  });

  test('campaigns, sources and tags have their shares; a name leads to its clicks, a tag to its links', async () => {
    await opened.go('/p/demo/analytics?interval=1y');
    const list = (title: string) =>
      page.locator('.ranking', { has: page.getByRole('heading', { name: title }) });
    const first = (title: string) =>
      list(title).locator('tbody tr').first().locator('th, td').allTextContents();
    await expectSoon(() => first('Campaigns')).toEqual([
      'Summer',
      expect.any(String),
      expect.stringMatching(/^7\d\s%$/),
    ]);
    await expectSoon(() => list('Campaigns').textContent()).toContain('Other');
    // No name of a source is a word of ours.
    await expectSoon(() => list('Sources').textContent()).toContain('direct');
    await expectSoon(() => first('Tags')).toEqual([
      'sale',
      expect.any(String),
      expect.stringMatching(/^100\s%$/),
    ]);
    expect(await complaintsInEveryLook('campaigns')).toEqual([]);
    await list('Campaigns').getByRole('link', { name: 'Summer' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('Only clicks of Summer').waitFor();
    // With a link, the filter goes on; two fields don't combine.
    await list('Busiest links').getByRole('link', { name: sale.name }).click();
    await page.getByText('Link: Summer sale', { exact: true }).waitFor();
    await page.getByText('Campaigns: Summer', { exact: true }).waitFor();
    await page.getByLabel('Filter').selectOption('platforms:ios');
    await page.getByText('Only clicks of iOS').waitFor();
    await page.getByText('Campaigns: Summer', { exact: true }).waitFor({ state: 'detached' });
    const other = page.getByLabel('Compare with a link');
    await stack.api('POST', '/links', {
      body: { code: 'other-side', payload: sale.payload, name: 'Other side' },
    });
    await other.pressSequentially('side other');
    await page.locator('option[value=other-side]').waitFor({ state: 'attached' });
    await page.keyboard.press('Enter');
    await page.getByText('With: Other side', { exact: true }).waitFor();
    await page.locator('.totals dt', { hasText: 'Clicks of Other side' }).waitFor();
    await expectSoon(() => page.locator('.bars .line').count()).toBe(1);
    expect(await complaintsInEveryLook('compared-links')).toEqual([]);
    await page.getByRole('link', { name: 'Remove Link: Summer sale' }).click();
    await page.waitForURL('**/p/demo/analytics?interval=1y&by=platforms&is=ios');
    await stack.api('PATCH', '/links/other-side', { body: { name: 'Another side' } });
    await stack.visit('/other-side', { 'User-Agent': userAgents.desktop });
    const clicks = async () => (await stack.api('GET', '/analytics?code=other-side')).body.data.clicks;
    await expectEventually(clicks).toBe(1);
    await opened.go('/p/demo/links/other-side?tab=analytics');
    const plot = page.getByRole('slider');
    await plot.focus();
    await page.keyboard.press('End');
    await expectSoon(() => plot.getAttribute('aria-valuetext')).toMatch(/Created, Changed: Name$/);
    await opened.go('/p/demo/analytics?interval=1y');
    await list('Tags').getByRole('link', { name: 'sale' }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL('**/p/demo?tags=sale');
    await page.getByRole('link', { name: sale.name }).first().waitFor();
    await opened.go('/p/demo/links/summer-sale?interval=1y');
    await expectSoon(() => first('Sources')).toContain('newsletter');
    await expectSoon(() => list('Tags').count()).toBe(0);
  });

  test('in high contrast the chosen range, the tab and the legend stay apart from the rest', async () => {
    await opened.go('/p/demo/links/summer-sale?tab=analytics');
    await page.getByRole('slider').waitFor();
    const shades = (selector: string, property: string, part = '') =>
      page.evaluate<string[]>(
        `[...document.querySelectorAll('${selector}')].map((one) => getComputedStyle(one, '${part}').${property})`,
      );
    await page.emulateMedia({ forcedColors: 'active' });
    try {
      const [chosen] = await shades('.ranges [aria-pressed=true]', 'backgroundColor');
      await expectSoon(() => shades('.ranges [aria-pressed=false]', 'backgroundColor')).not.toContain(chosen);
      const [current] = await shades('.tabs [aria-current]', 'borderBottomColor');
      await expectSoon(() => shades('.tabs a:not([aria-current])', 'borderBottomColor')).not.toContain(
        current,
      );
      const marks = await shades('.plot .series:is(.bar, .part)', 'backgroundColor', '::before');
      const drawn = await shades('.bars .bar, .bars .part', 'fill');
      expect(new Set(marks)).toEqual(new Set(drawn));
      expect(marks).not.toContain((await shades('body', 'backgroundColor'))[0]);
    } finally {
      await page.emulateMedia({ forcedColors: 'none' });
    }
  });

  test('a long list of links starts with the newest, and can be searched, sorted and paged', async () => {
    const codes = () => textOf('.links .name');
    await opened.go('/p/acme');
    await expectSoon(async () => (await codes())[0]).toBe(`code-${links - 1}`);
    await expectSoon(() => page.textContent('.count')).toBe('1,000 links');

    await page.keyboard.press('/');
    await page.keyboard.type('code-7 ');
    await page.waitForURL('**/p/acme?q=code-7');
    await page.getByText('111 links found').waitFor();
    await expectSoon(() => page.getByRole('searchbox').inputValue()).toBe('code-7 ');
    await page.keyboard.press('ArrowDown');
    await expectSoon(() => page.evaluate('document.activeElement.textContent')).toBe('code-799');

    await page.getByRole('button', { name: 'Next' }).click();
    await page.waitForURL('**page=2');
    await opened.settled();
    await expectSoon(codes).toHaveLength(50);
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

  test('links chosen over pages get tags, are paused and exported, each that is left with its reason', async () => {
    const codes = () => textOf('.links .name');
    await stack.admin('link', 'pause', 'code-990', '--project', 'acme');
    await stack.admin('link', 'pause', 'code-940', '--project', 'acme');
    await opened.go('/p/acme?page=2');
    await page.getByLabel('Choose code-940').check();
    await page.getByRole('button', { name: 'Previous' }).click();
    await page.getByLabel('Choose code-998').check();
    await page.getByLabel('Choose code-990').check();
    await page.getByText('3 links chosen').waitFor();
    const chosen = page.getByRole('region', { name: 'Chosen links' });
    const tags = chosen.getByLabel('Tags of the chosen links');
    await tags.fill('Summer,');
    await tags.fill('poster/berlin, b@d');
    await chosen.getByRole('button', { name: 'Add tags' }).click();
    await chosen.getByText('must be 1 to 32 letters').waitFor();
    await expectSoon(() => tags.inputValue()).toBe('b@d');
    await page.getByText('3 links changed').waitFor();
    // One ends when the input is left; the other begins as one that is known.
    await tags.fill('summer-2');
    await tags.blur();
    await tags.pressSequentially('summers');
    await chosen.getByRole('button', { name: 'Add tags' }).click();
    await chosen.getByText('summers', { exact: true }).waitFor({ state: 'detached' });
    await opened.settled();
    expect(await opened.complaints()).toEqual([]);
    await opened.picture('tags');

    await chosen.getByRole('button', { name: 'Pause' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Pause' }).click();
    const row = (code: string) => page.locator('.links tbody tr', { hasText: code });
    await row('code-990').getByText('Not changed').waitFor();
    await chosen.getByRole('link', { name: 'code-940' }).waitFor();
    await row('code-998').getByText('Paused', { exact: true }).waitFor();
    const exported = await downloadBy(chosen.getByRole('button', { name: 'Export CSV' }));
    const rows = String(exported.content).trim().split('\n');
    expect(rows.map((line) => line.split(',')[0])).toEqual(['code', 'code-940', 'code-998', 'code-990']);
    const zip = await downloadBy(chosen.getByRole('button', { name: 'QR codes' }));
    const files = filesInZip(zip.content);
    expect([...files.keys()]).toEqual(
      ['code-940', 'code-998', 'code-990'].flatMap((code) => [`${code}.png`, `${code}.svg`]),
    );
    for (const [name, content] of files)
      if (name.endsWith('.png'))
        expect(decodeQR(PNG.sync.read(content))).toBe(
          `${stack.facts.shortBaseUrl}/acme/${name.replace('.png', '')}?qr`,
        );
      else expect(String(content)).toMatch(/^<svg /);

    await row('code-990').getByRole('link', { name: 'summer', exact: true }).click();
    await page.waitForURL('**/p/acme?tags=summer');
    await page.getByText('3 links found').waitFor();
    await expectSoon(codes).toEqual(['code-998', 'code-990', 'code-940']);
    await page.getByLabel('Tags', { exact: true }).focus();
    await page.locator('search datalist option[value="poster/berlin"]').waitFor({ state: 'attached' });
    const tagged = (tags: string) => stack.admin('link', 'list', '--project', 'acme', '--tag', tags);
    expect(await tagged('summer,summers,summer-2')).toHaveLength(3);

    await stack.admin('link', 'tag', 'code-998', '--project', 'acme', '--add', 'kept');
    for (const code of ['code-998', 'code-990', 'code-940']) await page.getByLabel(`Choose ${code}`).check();
    await tags.fill('Kept,');
    await chosen.getByRole('button', { name: 'Add tags' }).click();
    await page.getByText('3 links changed').waitFor();
    expect(await tagged('kept')).toHaveLength(3);
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.click();
    await page.getByText('It is as before').waitFor();
    expect(await tagged('kept')).toMatchObject([{ code: 'code-998' }]);
    // One is active already, so undoing the change pauses the other two only.
    await stack.admin('link', 'activate', 'code-998', '--project', 'acme');
    await chosen.getByRole('button', { name: 'Activate' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Activate' }).click();
    await page.getByText('2 links changed, 1 left as before').waitFor();
    await undo.click();
    await page.getByText('It is as before').waitFor();
    const states = await Promise.all(
      ['code-998', 'code-990'].map((code) => stack.admin('link', 'show', code, '--project', 'acme')),
    );
    expect(states.map(({ status }) => status)).toEqual(['ACTIVE', 'PAUSED']);
  });

  test('a range of links and a whole list can be chosen, changed and deleted', async () => {
    await opened.go('/p/acme?q=code-98');
    const cell = (code: string) =>
      page.locator('.links td.choose', { has: page.getByLabel(`Choose ${code}`) });
    // The cell's corner is outside of its box.
    const corner = { position: { x: 3, y: 3 } };
    await cell('code-988').click(corner);
    await cell('code-985').click({ ...corner, modifiers: ['Shift'] });
    await page.getByText('4 links chosen').waitFor();
    const chosen = page.getByRole('region', { name: 'Chosen links' });
    await chosen.getByRole('button', { name: 'Change fields' }).click();
    const dialog = page.locator('dialog[open]');
    await dialog.getByLabel('utm_source').fill('poster');
    expect(await opened.complaints()).toEqual([]);
    await dialog.getByRole('button', { name: 'Change' }).click();
    await page.getByText('4 links changed').waitFor();
    const sources = async () =>
      (await stack.admin('link', 'list', '--project', 'acme', '--search', 'code-98')).map(
        ({ payload }: { payload: { campaign?: { utm_source: string } } }) =>
          payload.campaign?.utm_source ?? '',
      );
    const four = ['', 'poster', 'poster', 'poster', 'poster', '', '', '', '', '', ''];
    expect(await sources()).toEqual(four);

    await chosen.getByRole('button', { name: 'Choose all 11' }).click();
    await page.getByText('11 links chosen').waitFor();
    await chosen.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByLabel('Type 11 to go on').fill('11');
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('11 links deleted').waitFor();
    await page.getByText('No link matches').waitFor();
    expect(await sources()).toEqual([]);
  });

  test('a link can be created, changed, paused, activated and deleted', async () => {
    await opened.go('/p/demo');
    await page.keyboard.press('n');
    await page.getByLabel('Destination').fill('https://example.com/made');
    await page.getByLabel('Code', { exact: true }).fill('summer-sale');
    await page.getByText('Taken.').waitFor();
    await page.getByLabel('Code', { exact: true }).fill('by-hand');
    await page.getByText('Free.').waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Made by hand');
    await page.getByText('Data for the app', { exact: true }).click();
    await page.getByLabel('Key 1').fill('screen');
    await page.getByLabel('Text 1').fill('sale');
    await page.getByLabel('Key 2').fill('coupon');
    await page.getByRole('button', { name: 'Remove coupon' }).click();
    await page.getByText('Social card', { exact: true }).first().click();
    await page.getByLabel('Title').fill('Made');
    await page.getByText('4 characters; networks show about 60').waitFor();
    await page.getByLabel('Title').fill('');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.waitForURL('**/links/by-hand');
    await page.getByRole('status').getByRole('button', { name: 'Copy link' }).waitFor();
    expect((await stack.visit('/by-hand')).headers.get('location')).toBe('https://example.com/made');

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.waitForURL('**/edit');
    await page.getByLabel('Destination').fill('http://127.0.0.1/private');
    await page.getByRole('button', { name: 'Save link' }).click();
    await page.getByRole('alert').waitFor();
    await expectSoon(() => page.textContent('[role=alert]')).toContain('Destination');
    await page.getByLabel('Destination').fill('https://example.com/changed');
    await page.getByText('iPhone and iPad').click();
    await page.getByLabel('App Store id').fill('123456789');
    await page.getByRole('button', { name: 'Save link' }).click();
    await page.waitForURL('**/links/by-hand');
    expect(await stack.admin('link', 'show', 'by-hand', '--project', 'demo')).toMatchObject({
      name: 'Made by hand',
      payload: {
        link: 'https://example.com/changed',
        ios: { app_store_id: '123456789' },
        data: { screen: 'sale' },
      },
      updatedBy: 'operator',
    });

    await page.getByRole('link', { name: 'Edit' }).click();
    await page.waitForURL('**/edit');
    const name = page.getByLabel('Name', { exact: true });
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
    await page.getByText('The link is paused: visitors get the 404 page').waitFor();
    expect((await stack.visit('/by-hand')).status).toBe(404);
    await press('Activate', 'Activate');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Activate' }).waitFor();
    await press('Activate', 'Activate');
    await page.getByRole('button', { name: 'Pause' }).waitFor();
    expect((await stack.visit('/by-hand')).status).toBe(302);

    await page.getByRole('link', { name: 'Duplicate' }).click();
    await page.getByRole('heading', { name: 'New link like Renamed' }).waitFor();
    await page.getByLabel('Code', { exact: true }).fill('by-copy');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.waitForURL('**/links/by-copy');
    expect((await stack.api('GET', '/links/by-copy')).body.data).toMatchObject({
      name: 'Renamed',
      payload: { link: 'https://example.com/elsewhere', ios: { app_store_id: '123456789' } },
    });

    await opened.go('/p/demo/links/by-hand');
    await page.getByRole('button', { name: 'Delete' }).click();
    const remove = page.getByRole('button', { name: 'Delete link' });
    await expectSoon(() => remove.isDisabled()).toBe(true);
    await page.getByLabel('Type by-hand to go on').fill('by-hand');
    await remove.click();
    await page.waitForURL('**/p/demo');
    expect((await stack.api('GET', '/links/by-hand')).status).toBe(404);
  });

  test('rules can be read, added, corrected, ordered by keys and pointer, split, previewed and removed', async () => {
    const shop = 'https://shop.example.com';
    const rules = [
      { name: 'dach', countries: ['DE', 'AT'], platforms: ['web'], link: `${shop}/de` },
      { name: 'teaser', until: '2020-01-01T00:00:30.000Z', link: `${shop}/soon` },
    ];
    await stack.api('POST', '/links', { body: { code: 'ruled', payload: { link: shop, rules } } });
    await opened.go('/p/demo/links/ruled');
    await page.getByText('Visitors in Germany or Austria, on a desktop').waitFor();
    await page.getByText('its time has passed').waitFor();
    // It begins with a visitor of the first rule.
    const decided = page.getByText('The rule dach decides.');
    await decided.waitFor();
    await page.getByLabel('Country', { exact: true }).selectOption('JP');
    await decided.waitFor({ state: 'detached' });
    expect(await opened.complaints()).toEqual([]);
    await opened.picture('link-with-rules');

    /** Without a pointer. */
    const press = async (name: string, key = 'Enter') => {
      await page.getByRole('button', { name, exact: true }).focus();
      await page.keyboard.press(key);
    };
    const focused = () =>
      page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.labels[0].textContent');
    const order = async () => (await textOf('.ordered-head strong')).join(' ');
    const placed = async () => [await order(), await focused()];
    await opened.go('/p/demo/links/~new');
    await page.getByLabel('Destination').fill(shop);
    await page.getByText(`npx dls link create --project demo --link ${shop}`).waitFor({ state: 'attached' });
    await page.locator('.rules > summary').click();
    await press('Add rule');
    await page
      .getByText('npx dls link create --project demo --file LINK.json')
      .waitFor({ state: 'attached' });

    await opened.go('/p/demo/links/ruled/edit');
    await page.locator('.rules > summary').focus();
    await page.keyboard.press('Enter');
    await press('Move teaser up');
    await expectSoon(placed).toEqual(['1. teaser 2. dach', 'Move teaser up']);
    await page.keyboard.press('Enter');
    await expectSoon(placed).toEqual(['1. teaser 2. dach', 'Move teaser up']);
    await press('Add rule');
    await expectSoon(focused).toBe('Rule name');
    await page.keyboard.type('store test');
    const fresh = page.locator('.ordered > li').last();
    await fresh.getByLabel('iPhone and iPad').focus();
    await page.keyboard.press('Space');
    const countries = fresh.getByLabel('Countries');
    await countries.fill('Japan, Atlantis');
    await countries.blur();
    await fresh.getByText('There is no country Atlantis').waitFor();
    await countries.fill('');
    await press('Remove Japan');
    await fresh.getByLabel('Split these visitors').focus();
    await page.keyboard.press('Space');
    for (const [label, text] of [
      ['Entry 1: name', 'a'],
      ['Entry 1: percent', '30'],
      ['Entry 1: address', `${shop}/a`],
      ['Entry 2: name', 'b'],
      ['Entry 2: address', 'ftp://example.com'],
    ] as const)
      await page.getByLabel(label).fill(text);
    await page.getByText('20 % of the visitors are left for the next rules.').waitFor();
    await press('Save link');
    await page.getByText('must be 1 to 32 letters').first().waitFor();
    await expectSoon(focused).toBe('Rule name');
    const faulty = "[...document.querySelectorAll('[aria-invalid]')].map(({ value }) => value)";
    await expectSoon(() => page.evaluate(faulty)).toEqual(['store test', 'ftp://example.com']);
    opened.forget();
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await opened.complaints()).toEqual([]);
    await opened.picture('edit-rules-phone');
    await page.setViewportSize({ width: 1280, height: 900 });
    await fresh.getByLabel('Rule name').fill('pages');
    await page.getByLabel('Entry 2: address').fill(`${shop}/b`);

    const grips = page.locator('.grip');
    await grips.last().scrollIntoViewIfNeeded();
    await grips.last().hover();
    await page.mouse.down();
    const { x, y } = (await grips.first().boundingBox()) ?? { x: 0, y: 0 };
    await page.mouse.move(x + 5, y + 5, { steps: 3 });
    await page.mouse.up();
    await expectSoon(order).toBe('1. pages 2. teaser 3. dach');
    await press('Remove teaser');
    await expectSoon(placed).toEqual(['1. pages 2. dach', 'Remove dach']);

    await page.getByLabel('Visitor on').selectOption('ios');
    await page.getByText('The rule pages/a decides.').waitFor();
    await expectSoon(() => textOf('.ways b')).toEqual(['30 %', '50 %', '20 %']);
    await opened.picture('edit-rules');
    await press('Save link');
    await page.waitForURL('**/links/ruled');
    const split = [
      { name: 'a', percent: 30, link: `${shop}/a` },
      { name: 'b', percent: 50, link: `${shop}/b` },
    ];
    expect((await stack.api('GET', '/links/ruled')).body.data.payload.rules).toEqual([
      { name: 'pages', platforms: ['ios'], split },
      rules[0],
    ]);
  });

  test('a QR code can be coloured, and be read once it is downloaded', async () => {
    await opened.go('/p/demo/links/summer-sale');
    await page.getByText('Logo, colours, size and error correction').click();
    await page.getByLabel('Colour').fill('#ffee00');
    await page.getByText('The colour must be darker than background').waitFor();
    opened.forget();
    await page.getByLabel('Colour').fill('#1b2a6b');
    await page.getByLabel('Error correction').selectOption('Q');
    await page.getByLabel('Size in pixels').fill('256');
    await page.locator('.qr canvas[width="256"]').waitFor();
    await page.getByText('qr.png?size=256&color=1b2a6b&level=Q').waitFor();
    const { name, content } = await downloadBy(page.getByRole('link', { name: 'Download PNG' }));
    const png = PNG.sync.read(content);
    expect([name, png.width, decodeQR(png)]).toEqual([
      ...['summer-sale.png', 256, `${stack.facts.shortBaseUrl}/summer-sale?qr`],
    ]);
    expect(await opened.complaints()).toEqual([]);
  });

  /** A square picture of these grey values. */
  const pictureOf = (width: number, greyAt: (x: number, y: number) => number): Buffer => {
    const png = new PNG({ width, height: width });
    for (let at = 0; at < width * width; at += 1) {
      const grey = greyAt(at % width, Math.floor(at / width));
      png.data.set([grey, grey, grey, 255], at * 4);
    }
    return PNG.sync.write(png);
  };

  test('each code reads back as PNG and SVG, with a logo or without, which stays in the page until it is saved', async () => {
    const logo = pictureOf(150, (x, y) => (x * 7 + y * 13) % 256);
    const sent: number[] = [];
    const watch = (request: Request) => sent.push(request.postData()?.length ?? 0);
    const other = await browser.newPage();
    /** A downloaded file's text. */
    const read = async (kind: 'PNG' | 'SVG'): Promise<string> => {
      const { content: file } = await downloadBy(page.getByRole('link', { name: `Download ${kind}` }));
      if (kind === 'SVG') await other.setContent(`<body style="margin:0;background:#fff">${file}</body>`);
      const png = PNG.sync.read(kind === 'PNG' ? file : await other.locator('svg').screenshot());
      expect(file.includes('<image')).toBe(
        kind === 'SVG' && (await page.getByText('without the logo').isVisible()),
      );
      return decodeQR(png);
    };
    // In a smaller picture, whether a reader fails depends on the text, and so on the stack's port.
    for (const [code, smallest] of [
      ['qr1', '100'],
      ['q'.repeat(26), '100'],
      ['Q'.repeat(50), '200'],
    ] as const) {
      await stack.api('POST', '/links', { body: { code, payload: { link: 'https://example.com' } } });
      await opened.go(`/p/demo/links/${code}`);
      page.on('request', watch);
      const text = `${stack.facts.shortBaseUrl}/${code}?qr`;
      expect([await read('PNG'), await read('SVG')]).toEqual([text, text]);
      await page.getByText('Logo, colours, size and error correction').click();
      await page.getByLabel('Logo').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: logo });
      await page.getByText('With a logo it is H.').waitFor();
      await opened.settled();
      expect([await read('PNG'), await read('SVG')]).toEqual([text, text]);
      for (const size of [smallest, '2048']) {
        await page.getByLabel('Size in pixels').fill(size);
        await page.locator(`.qr canvas[width="${size}"]`).waitFor();
        expect(await read('PNG')).toBe(text);
      }
      page.off('request', watch);
    }
    expect(Math.max(...sent)).toBeLessThan(500);
    expect(await complaintsInEveryLook('qr-logo')).toEqual([]);
    await page.getByLabel('Size in pixels').fill('64');
    await page.getByText('A reader fails on this code').waitFor();
    await expectSoon(() => page.getByRole('link', { name: 'Download PNG' }).count()).toBe(0);
    await page
      .getByLabel('Logo')
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('no') });
    await page.getByText('The browser can’t read that image').waitFor();
    await other.close();
  });

  test('a key is shown once, works, and is revoked', async () => {
    await opened.go('/p/demo/keys');
    await page.getByRole('button', { name: 'Create key' }).click();
    const key = (await page.textContent('.secret code')) ?? '';
    await page.getByText('Never used').waitFor();
    expect((await stack.api('GET', '/links', { key })).status).toBe(200);
    expect(await opened.complaints()).toEqual([]);
    await page.reload();
    await opened.settled();
    await expectSoon(() => page.content()).not.toContain(key);
    const [{ keyId, lastFour }] = (await stack.admin('key', 'list', '--project', 'demo')).slice(-1);
    expect(lastFour).toBe(key.slice(-4));
    await page.getByRole('button', { name: `Revoke admin …${lastFour}` }).click();
    await page.getByRole('button', { name: 'Revoke key', exact: true }).click();
    await page.getByText(/^Revoked /).waitFor();
    expect((await stack.api('GET', '/links', { key })).status).toBe(401);
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByText('A key may make 180,000 calls an hour.').waitFor();
    // Those of this hour, and those before if the hour has just changed.
    const cells = page.locator('tr', { hasText: keyId }).locator('td');
    const calls = async () =>
      Number(await cells.nth(0).textContent()) + Number(await cells.nth(2).textContent());
    await expectSoon(calls).toBe(1);
  });

  test('an app gets a publishable key for links like one, whose template is replaced before it is revoked', async () => {
    const payload = { link: 'https://shop.example/join' };
    await stack.api('POST', '/links', { body: { code: 'join-us', payload } });
    await opened.go('/p/demo/links/join-us');
    await page.getByText('Let an app make links like this').click();
    await page.getByLabel('social.title').check();
    await page.getByLabel('Days until its links expire').fill('0');
    await page.getByRole('button', { name: 'Create publishable key' }).click();
    await page
      .getByText(/must be|at least/)
      .first()
      .waitFor();
    await page.getByLabel('Days until its links expire').fill('30');
    await page.getByRole('button', { name: 'Create publishable key' }).click();
    const sample = (await page.textContent('details pre')) ?? '';
    const key = /dlp_\w{40}/.exec(sample)?.[0] ?? '';
    expect(sample).toContain('/1.0/share-links');
    const made = await stack.api('POST', '/share-links', { key, body: { social: { title: 'Join Ann' } } });
    expect(made.status).toBe(201);
    expect(await opened.complaints()).toEqual([expect.stringContaining('400 (Bad Request)')]);
    await opened.go('/p/demo/keys');
    const row = page.locator('li', { hasText: key });
    await row.getByText('1 link made').waitFor();
    await row.getByText('Template', { exact: true }).click();
    const text = row.getByLabel('Template (JSON)');
    await text.fill((await text.inputValue()).replace('"maxLinks": 100000', '"maxLinks": 1'));
    await row.getByRole('button', { name: 'Replace template' }).click();
    await row.locator('.notice.warn').waitFor();
    await row.getByRole('button', { name: /^Block the links of/ }).click();
    await page.getByRole('button', { name: 'Revoke and block' }).click();
    await row.getByText(/^Revoked /).waitFor();
  });

  test('a member is added, gets another role and is removed', async () => {
    const members = async () =>
      (await stack.admin('member', 'list', '--project', 'demo')).map(
        ({ email, role }: Record<string, string>) => [email, role],
      );
    await opened.go('/p/demo/members');
    await page.getByLabel('Email').fill('ann at example.com');
    await page.getByRole('button', { name: 'Add member' }).click();
    await page.getByText('must be an email address').first().waitFor();
    await page.getByLabel('Email').fill('Ann@example.com');
    await page.getByRole('button', { name: 'Add member' }).click();
    await page.getByLabel('Role of ann@example.com').selectOption('editor');
    expect(await members()).toEqual([['ann@example.com', 'viewer']]);
    await page.getByRole('dialog').getByRole('button', { name: 'Make editor' }).click();
    await page.getByText('Role changed').waitFor();
    expect(await members()).toEqual([['ann@example.com', 'editor']]);
    // The browser logs the call that was refused.
    opened.forget();
    expect(await opened.complaints()).toEqual([]);
    await page.getByRole('button', { name: 'Remove ann@example.com' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove member' }).click();
    await page.getByText('No members yet').waitFor();
    expect(await members()).toEqual([]);
  });

  test('a webhook is created, tested, sent to, resent, rotated and deleted', async () => {
    const receiver = await startReceiver();
    await opened.go('/p/acme/webhooks');
    await page.getByText('No webhooks yet').waitFor();
    await page.getByLabel('Address').fill('ftp://hooks.example.com');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    await page.getByText("Events can't be sent to that address").first().waitFor();
    await expectSoon(() => page.locator('[aria-invalid]:focus').inputValue()).toBe('ftp://hooks.example.com');
    opened.forget();
    await page.getByLabel('Address').fill(receiver.url);
    await page.getByLabel('Name').fill('Stock');
    await page.getByRole('button', { name: 'Create webhook' }).click();
    const secret = (await page.textContent('.secret code')) ?? '';
    expect(secret).toMatch(/^whsec_/);
    expect(await opened.complaints()).toEqual([]);
    await opened.picture('webhook-secret');
    await page.getByRole('link', { name: 'Stock' }).click();
    await page.getByText('No deliveries yet').waitFor();
    await expectSoon(() => page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Send a test' }).click();
    await page.getByText(/^The receiver answered 200 after \d+ ms$/).waitFor();

    await stack.admin('link', 'create', '--project', 'acme', '--link', 'https://example.com/told');
    await receiver.events('link.created');
    await page.getByRole('button', { name: 'Delivered' }).click();
    const again = page.getByRole('button', { name: /^Resend evt_/ });
    // The answer is stored after it has come.
    while (!(await again.isVisible())) {
      await page.getByRole('button', { name: 'Look again' }).click();
      await opened.settled();
    }
    await page.getByRole('button', { name: /^Show evt_/ }).click();
    await page.getByText('"link": "https://example.com/told"').waitFor();
    const told = page.locator('.deliveries').getByRole('link');
    await expectSoon(() => told.getAttribute('href')).toContain('/p/acme/links/');
    expect(await complaintsInEveryLook('webhook')).toEqual([]);
    await again.click();
    await page.getByText('1 delivery sent again').waitFor();
    await receiver.events('link.created', 2);

    await press('Replace secret', 'Replace secret');
    await expectSoon(() => page.textContent('.secret code')).not.toBe(secret);
    await press('Pause', 'Pause');
    await page.getByText('Nothing is sent.').waitFor();
    await press('Delete', 'Delete webhook');
    await page.getByText('No webhooks yet').waitFor();
    receiver.stop();
  });

  test('apps and hosts can be added and removed', async () => {
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
    await page.getByText('None: the 404 page').waitFor();
    await page.getByLabel('Host', { exact: true }).fill('go.acme.test');
    await page.getByLabel('Start page').fill('https://acme.example.com/start');
    await page.getByRole('button', { name: 'Assign host' }).click();
    await page.getByRole('link', { name: 'acme.example.com/start' }).waitFor();
    await page.getByText('A local stack has none').first().waitFor();
    const showsBase = async (shortBase: string) =>
      expect(await stack.admin('project', 'show', 'acme')).toMatchObject({ shortBase });
    await showsBase('https://go.acme.test');
    await page.getByLabel('Host', { exact: true }).fill('to.acme.test');
    await page.getByRole('button', { name: 'Assign host' }).click();
    await page.getByRole('heading', { name: 'to.acme.test' }).waitFor();
    await showsBase('https://go.acme.test');
    const choose = page.getByRole('button', { name: 'Use to.acme.test for short URLs' });
    const dialog = page.getByRole('dialog', { name: 'Use to.acme.test for short URLs?' });
    await choose.click();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await showsBase('https://go.acme.test');
    await choose.click();
    await dialog.getByRole('button', { name: 'Use for short URLs', exact: true }).click();
    await page.getByText('Short URLs begin with to.acme.test').waitFor();
    await showsBase('https://to.acme.test');
    // The primary host stays as long as there are others.
    await page.getByRole('button', { name: 'Remove to.acme.test' }).waitFor({ state: 'detached' });
    await stack.admin('domain', 'assign', 'go.acme.test', '--project', 'acme', '--primary');
    await stack.admin('domain', 'remove', 'to.acme.test');
    await opened.go('/p/acme/hosts');
    await page.getByRole('button', { name: 'Remove go.acme.test' }).click();
    await page.getByLabel('Type go.acme.test to go on').fill('go.acme.test');
    await page.getByRole('button', { name: 'Remove host' }).click();
    await page.getByText('No custom host').waitFor();
  });

  test('a link, a project and a destination can be blocked and unblocked', async () => {
    const debugPage = page.getByRole('link', { name: 'Open the debug page' });
    await opened.go('/p/demo/links/summer-sale');
    await page.getByRole('button', { name: 'Block', exact: true }).click();
    await page.getByLabel('Reason').fill('phishing');
    await page.getByRole('button', { name: 'Block link' }).click();
    await page.getByText('(phishing): visitors get the 404 page').waitFor();
    await page.getByText('Where it would lead').waitFor();
    await expectSoon(() => debugPage.count()).toBe(0);
    expect((await stack.visit('/summer-sale')).status).toBe(404);
    await opened.picture('blocked-link');
    await opened.go('/p/demo');
    await page.getByLabel('Status').selectOption('BLOCKED');
    await page.waitForURL('**status=BLOCKED**');
    await expectSoon(() => textOf('.links .name')).toEqual(['Summer sale']);
    await opened.go('/p/demo/links/summer-sale');
    await press('Unblock', 'Unblock');
    await debugPage.waitFor();
    expect((await stack.visit('/summer-sale')).status).toBe(302);

    await opened.go('/p/acme/settings');
    await press('Suspend project', 'Suspend project');
    await page.getByRole('status').getByText('This project is suspended').waitFor();
    expect(await opened.complaints()).toEqual([]);
    await opened.go('/p/acme/links/code-1');
    await page.getByText('The project acme is suspended since').waitFor();
    await page.getByRole('link', { name: 'Resume it' }).click();
    await press('Resume', 'Resume');
    await page.getByRole('heading', { name: 'Suspend this project' }).waitFor();
    await page.getByRole('status').getByText('This project is suspended').waitFor({ state: 'detached' });

    await opened.go('/destinations');
    const payload = { link: 'https://www.evil.example.com/' };
    await stack.api('POST', '/links', { body: { code: 'astray', payload } });
    await page.getByLabel('Host').fill('evil.example.com');
    await page.getByRole('button', { name: 'Block host' }).click();
    await page.getByRole('heading', { name: 'evil.example.com' }).waitFor();
    expect(await stack.admin('destination', 'list')).toEqual([
      { host: 'evil.example.com', blockedAt: expect.any(String) },
    ]);
    await opened.go('/p/demo/links/astray');
    await page.getByText('www.evil.example.com is a blocked destination').waitFor();
    await expectSoon(() => page.locator('a[href*="evil.example.com"]').count()).toBe(0);
    expect(await stack.admin('link', 'show', 'astray', '--project', 'demo')).toMatchObject({
      stopped: [expect.stringContaining('blocked destination')],
    });
    await opened.picture('blocked-destination');
    await opened.go('/destinations');
    await press('Unblock evil.example.com', 'Unblock');
    await page.getByText('No destination is blocked').waitFor();
  });

  /** Chooses a file to import, and starts a dry run. */
  const tryFile = async (name: string, content: string | Buffer) => {
    await page.getByLabel('File').setInputFiles({ name, mimeType: '', buffer: Buffer.from(content) });
    await page.getByRole('button', { name: 'Try without writing' }).click();
  };

  test('links can be exported, and imported after a dry run', async () => {
    await opened.go('/p/demo/export');
    await page.getByLabel('Format').selectOption('ndjson');
    const { name, content } = await downloadBy(page.getByRole('button', { name: 'Export all links' }));
    expect(name).toBe('demo.ndjson');
    const exported = String(content);
    expect(exported.split('\n').map((row) => row && JSON.parse(row).code)).toContain('summer-sale');

    await opened.go('/p/demo/import');
    const row = (code: string, link: string) => JSON.stringify({ code, payload: { link } });
    const rows = [
      exported.trim(),
      row('imported', 'https://example.com/in'),
      row('refused', 'ftp://example.com'),
    ];
    await tryFile('links.ndjson', rows.join('\n'));
    const go = page.getByRole('button', { name: 'Import 1 link', exact: true });
    await go.waitFor();
    await expectSoon(() => textOf('tbody th')).toEqual(['refused']);
    expect(await opened.complaints()).toEqual([]);
    expect((await stack.api('GET', '/links/imported')).status).toBe(404);
    await opened.picture('import-report');
    const release = await hold(page, 'importLinks');
    await go.click();
    await page.getByRole('status').getByText('Import 1 link').waitFor();
    for (const label of ['File', 'Format', 'Host of the links']) {
      await expectSoon(() => page.getByLabel(label, { exact: true }).isDisabled()).toBe(true);
    }
    await expectSoon(() => page.getByRole('button', { name: 'Cancel' }).isDisabled()).toBe(true);
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

  test('an export and an import list the fields that a CSV leaves out', async () => {
    const payload = { link: 'https://example.com/asks', interstitial: 'auto' };
    await stack.api('POST', '/links', { body: { code: 'asks', payload } });
    await opened.go('/p/demo/export');
    await downloadBy(page.getByRole('button', { name: 'Export all links' }));
    await page.getByText('CSV has no columns for settings of some links: interstitial').waitFor();
    await page.getByLabel('Format').selectOption('ndjson');
    await page.getByText('CSV has no columns').waitFor({ state: 'detached' });

    await opened.go('/p/demo/import');
    await tryFile('links.csv', 'code,link,desktop_fallback\nfrom-csv,https://example.com/csv,x\n');
    await page.getByText('Ignored columns: desktop_fallback (did you mean desktopFallback?)').waitFor();
    expect(await opened.complaints()).toEqual([]);
    await opened.picture('import-notes');
  });

  test('a file that cannot be imported is refused as a whole', async () => {
    await opened.go('/p/demo/import');
    for (const [bytes, message] of [
      [Buffer.from('code,link\ncafe,https://example.com/caf\xe9\n', 'latin1'), "isn't in UTF-8, see line 2"],
      ['', 'is empty'],
    ] as const) {
      await tryFile('links.csv', bytes);
      await page.getByText(`The file ${message}`).waitFor();
    }
    opened.forget();
  });

  test('a project can be created and deleted with only the keyboard', async () => {
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
    await expectSoon(async () => (await textOf('.cards h2')).sort()).toEqual(['Acme Outdoor', 'Demo']);
  });

  test('names are shown as text that fits its place, also on a phone', async () => {
    const html = '"><img src=x onerror=alert(1)><script>alert(2)</script>';
    const name = `${html} photo \u202egnp.exe ${'W'.repeat(120)}`;
    const code = 'C'.repeat(50);
    const link = {
      code,
      name: html + 'W'.repeat(120),
      tags: Array.from({ length: 10 }, (_, i) => `${i}${'t'.repeat(31)}`),
      payload: {
        link: `https://example.com/${'p'.repeat(2000)}`,
        social: { title: html.repeat(4), description: 'D'.repeat(2000) },
        campaign: { utm_source: html },
      },
    };
    const file = path.join(stack.data, 'strange.ndjson');
    writeFileSync(file, JSON.stringify(link));
    const inProject = ['--project', 'strange'];
    const receiver = `https://hooks.example.com/${'h'.repeat(1000)}`;
    await stack.admin('project', 'create', 'strange', '--name', name);
    await Promise.all([
      stack.admin('webhook', 'create', receiver, '--name', name, ...inProject),
      stack.admin('key', 'create', '--user', name, ...inProject),
      stack.admin('link', 'import', file, ...inProject),
    ]);
    await stack.admin('link', 'block', code, '--reason', name, ...inProject);
    await page.setViewportSize({ width: 320, height: 844 });
    const asked: string[] = [];
    page.on('dialog', (dialog) => {
      asked.push(dialog.message());
      dialog.dismiss();
    });
    const atNight = ['/analytics', '/keys', '/hosts', '/settings', `/links/${code}/edit`, '/links/none'];
    const parts = ['', '/requests', '/webhooks', ...(isNightly ? atNight : []), `/${'x'.repeat(500)}`];
    for (const view of ['/', ...parts.map((one) => `/p/strange${one}`), `/p/strange/links/${code}`]) {
      await opened.go(view);
      const complaints = await opened.complaints(isNightly ? 'all' : 'errors');
      // The browser logs the call for the missing link.
      const own = complaints.filter((one) => !one.includes('400'));
      expect({ view, complaints: own }).toEqual({ view, complaints: [] });
      await expectSoon(() => page.textContent('body')).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    }
    await page.getByText(`${html} photo gnp.exe`).first().waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    const field = await page.getByRole('dialog').getByRole('textbox').boundingBox();
    expect((field?.x ?? 0) + (field?.width ?? 1000)).toBeLessThan(320);
    expect(asked).toEqual([]);
    await page.setViewportSize({ width: 1280, height: 900 });
  });
});
