import type { ConsoleMessage, Page, Request } from 'playwright-core';
import { inAppBrowserOf, inAppBrowsers } from '../../core/visits/in-app-browsers.ts';
import { shapeKinds } from '../../ops/conformance/corpus.ts';
import { faultsOf, overflowOf } from '../support/accessibility.ts';
import { describeInBrowser, expectSoon, fileTab, type Visitor } from '../support/browser.ts';
import { unique } from '../support/builders.ts';
import { eventually } from '../support/local-stack.ts';
import { isNightly } from '../support/nightly.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

/** Folder for screenshots of the pages; none are taken unless it is set. */
const screenshots = process.env.PAGE_SCREENSHOTS;

const destination = 'https://shop.example.com/landing';
const desktopFallback = 'https://shop.example.com/desktop';
const appStore = 'https://apps.apple.com/app/id123456789';
const image = 'https://cdn.example.com/sale.svg';
const picture = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1200 628"><defs><linearGradient id="g" x1="0" y1="0" x2="1" y2="1"><stop stop-color="#ff8a4c"/><stop offset="1" stop-color="#7a3cff"/></linearGradient></defs><rect width="1200" height="628" fill="url(#g)"/><circle cx="900" cy="180" r="110" fill="#fff" opacity=".35"/></svg>`;

const phone = { viewport: { width: 390, height: 844 } };
const desktop = { viewport: { width: 1280, height: 800 } };
const dark = { colorScheme: 'dark' } as const;

const agentOf = (part: string): string => {
  const found = shapeKinds
    .flatMap(({ userAgents }) => userAgents)
    .find((userAgent) => userAgent.includes(part));
  if (!found) throw new Error(`The corpus has no ${part}`);
  return found;
};
const agents = {
  iphone: agentOf('iPhone OS 18_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version'),
  android: agentOf('Pixel 9'),
  ipad: agentOf('(iPad; CPU OS 12_5'),
  windows: agentOf('Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140'),
  mac: agentOf('Version/18.5 Safari/605.1.15'),
};
/** One user agent of each in-app browser on each system that the corpus has. */
const inApps = (['ios', 'android'] as const).flatMap((platform) => {
  const known = shapeKinds
    .filter((sort) => sort.platform === platform && sort.trait === 'in-app')
    .flatMap(({ userAgents }) => userAgents);
  return Object.values(inAppBrowsers).flatMap(({ name }) => {
    const userAgent = known.find((one) => inAppBrowserOf(one)?.name === name);
    return userAgent === undefined ? [] : [[name, platform, userAgent] as const];
  });
});

const stack = sharedStack();
const project = projectOn(stack);

describeInBrowser('the interstitial page', () => {
  const tab = fileTab({ permissions: ['clipboard-read', 'clipboard-write'] });

  const publish = async (payload: object = {}) => {
    const { body } = await project.call('POST', '/links', {
      code: unique('code'),
      payload: {
        link: destination,
        desktop_fallback: desktopFallback,
        android: { package: 'com.example.shop' },
        ios: { bundleId: 'com.example.shop', app_store_id: '123456789' },
        social: { title: 'Spring sale', description: 'Up to half off until Sunday', image },
        interstitial: 'always',
        ...payload,
      },
    });
    return body.data as { code: string; shortUrl: string };
  };

  /** Opens a short URL. Requests to other hosts get a response from here, and are noted. */
  const open = async (shortUrl: string, visitor: Visitor) => {
    const page = await tab.of(visitor);
    const asked: string[] = [];
    const complaints: string[] = [];
    const onConsole = (message: ConsoleMessage) => complaints.push(message.text());
    const onRequest = (request: Request) => asked.push(request.url());
    page.on('console', onConsole).on('request', onRequest);
    await page.route(/^https:/, (route) =>
      route.request().url() === image
        ? route.fulfill({ contentType: 'image/svg+xml', body: picture })
        : route.fulfill({ contentType: 'text/html', body: '<h1>Elsewhere</h1>' }),
    );
    await page.goto(shortUrl);
    const elsewhere = () => asked.filter((url) => url !== shortUrl && !url.endsWith('/favicon.ico'));
    const close = async () => {
      page.off('console', onConsole).off('request', onRequest);
      await page.unrouteAll();
      await page.goto('about:blank');
    };
    return { page, elsewhere, complaints, close };
  };

  const waysOn = async (page: Page): Promise<string[]> => page.locator('a:visible').allTextContents();

  const keep = async (page: Page, name: string) => {
    if (screenshots) await page.screenshot({ path: `${screenshots}/${name}.png`, fullPage: true });
  };

  /** Codes opened once. Their clicks are read at the end, because analytics take a second. */
  const looked: string[] = [];
  const clicksOf = async (code: string, clicks: number) => {
    const { body } = await eventually(
      () => project.call('GET', `/links/${code}`),
      (answer) => answer.body.data.clickCount >= clicks,
    );
    return body.data.clickCount;
  };

  const onPhones = ['Open in the app', 'Get the app', 'Continue to shop.example.com'];
  const onIos = ['Get the app', 'Open in the app', 'Continue to shop.example.com'];
  const looks = [
    ['iphone', agents.iphone, phone, onIos],
    ['iphone-dark', agents.iphone, { ...phone, ...dark }, onIos],
    ['android', agents.android, phone, onPhones],
    ['ipad', agents.ipad, { viewport: { width: 820, height: 1180 } }, onIos],
    ['windows', agents.windows, desktop, ['Continue to shop.example.com']],
    ['windows-dark', agents.windows, { ...desktop, ...dark }, ['Continue to shop.example.com']],
    ['mac', agents.mac, desktop, ['Continue to shop.example.com']],
    ['phone-of-320', agents.android, { viewport: { width: 320, height: 568 } }, onPhones],
  ] as const;

  /** Between them every width, both colour schemes and both sets of buttons. */
  const byDay: readonly string[] = ['iphone', 'ipad', 'windows-dark', 'phone-of-320'];
  const looksNow = looks.filter(([name]) => isNightly || byDay.includes(name));
  test.each(looksNow)('with always: %s', async (name, userAgent, look, ways) => {
    const { code, shortUrl } = await publish();
    const { page, elsewhere, complaints, close } = await open(shortUrl, { ...look, userAgent });
    await keep(page, `always-${name}`);
    await expectSoon(() => waysOn(page)).toEqual(ways);
    const copies = page.getByText('also copy this link');
    await expectSoon(() => copies.isVisible()).toBe(ways.length > 1);
    await expectSoon(() => page.textContent('h1')).toBe('Spring sale');
    expect(elsewhere()).toEqual([image]);
    expect(complaints).toEqual([]);
    expect(await faultsOf(page)).toEqual([]);
    await close();
    looked.push(code);
  });

  test('with always: an iPad that claims to be a Mac shows the buttons for an iPad, and stays', async () => {
    const { shortUrl } = await publish();
    const { page, elsewhere, close } = await open(shortUrl, {
      viewport: { width: 1180, height: 820 },
      userAgent: agents.mac,
      touchPoints: 5,
    });
    await keep(page, 'always-ipad-as-mac');
    await expectSoon(() => waysOn(page)).toEqual(onIos);
    await expectSoon(() => page.locator('a').nth(1).getAttribute('href')).toMatch(/^com\.example\.shop:/);
    expect(elsewhere()).toEqual([image]);
    await close();
  });

  test.each([
    ['a Mac', 0, desktopFallback],
    ['an iPad', 5, appStore],
  ])(
    'with auto: %s that claims to be a Mac is redirected at once, and not again on Back',
    async (_, touchPoints, goal) => {
      const { code, shortUrl } = await publish({ interstitial: 'auto' });
      const { page, close } = await open('about:blank', { ...desktop, userAgent: agents.mac, touchPoints });
      await page.goto(shortUrl);
      await page.waitForURL(goal);
      await page.goBack();
      expect(page.url()).toBe('about:blank');
      await close();
      looked.push(code);
    },
  );

  test('with auto: a visitor who comes back to the page can choose', async () => {
    const { shortUrl } = await publish({ interstitial: 'auto' });
    const { page, close } = await open('about:blank', { ...desktop, userAgent: agents.mac, touchPoints: 5 });
    // The page stays if the system opens the address in another app.
    await page.route(appStore, (route) => route.fulfill({ status: 204 }));
    await page.goto(shortUrl, { waitUntil: 'commit' });
    await page.waitForFunction('history.state === 1');
    await page.reload();
    await expectSoon(() => waysOn(page)).toEqual(onIos);
    await keep(page, 'auto-ipad-came-back');
    await close();
  });

  // The browsers differ in one word of the page; test/core/visits has which they are.
  const inAppsNow = inApps.filter(([name]) => isNightly || name === 'Instagram');
  test.each(inAppsNow)('with auto: %s on %s', async (name, platform, userAgent) => {
    const { code, shortUrl } = await publish({ interstitial: 'auto', social: { title: 'Spring sale' } });
    const { page, elsewhere, complaints, close } = await open(shortUrl, { ...phone, userAgent });
    await keep(page, `auto-${platform}-${name}`);
    const ways = await waysOn(page);
    // The web comes in the phone's own browser where a way there is known; within the app it is no second button.
    const wayOut = inAppBrowserOf(userAgent)?.[platform].some((one) => one !== 'app');
    const own = platform === 'ios' ? 'Continue in Safari' : 'Continue in your browser';
    const [openApp, getApp, web] = onPhones;
    expect([...ways].sort()).toEqual([openApp, getApp, web, ...(wayOut ? [own] : [])].sort());
    await expectSoon(() => page.locator('a.button:visible').count()).toBe(3);
    await expectSoon(() => page.locator('p.note').last().textContent()).toContain(
      `This is ${name}’s own browser`,
    );
    expect(elsewhere()).toEqual([]);
    expect(complaints).toEqual([]);
    expect(await (name === 'Instagram' ? faultsOf(page) : overflowOf(page))).toEqual([]);
    await close();
    looked.push(code);
  });

  test('each of these visits counts as one click', async () => {
    expect(looked.length).toBeGreaterThan(0);
    expect(await Promise.all(looked.map((code) => clicksOf(code, 1)))).toEqual(looked.map(() => 1));
  });

  test.each([
    ['Get the app', appStore, true],
    ['Continue to shop.example.com', `${destination}?ref=poster`, false],
  ])('“%s” goes to %s, and copies the short URL: %s', async (text, goal, copies) => {
    const { shortUrl } = await publish();
    const { page, close } = await open(`${shortUrl}?ref=poster`, { ...phone, userAgent: agents.iphone });
    await page.evaluate('navigator.clipboard.writeText("before")');
    // As if the page were gone before the clipboard had its text.
    await page.evaluate('navigator.clipboard.writeText = () => new Promise(() => undefined)');
    await page.getByText(text).click();
    await page.waitForURL(goal);
    await expectSoon(() => page.evaluate('navigator.clipboard.readText()')).toBe(
      copies ? `${shortUrl}?ref=poster` : 'before',
    );
    await close();
  });

  test('every button can be reached by keyboard, and shows its focus', async () => {
    const { shortUrl } = await publish();
    const { page, close } = await open(shortUrl, { ...phone, userAgent: agents.android });
    const reached: unknown[] = [];
    for (let i = 0; i < 3; i += 1) {
      await page.keyboard.press('Tab');
      reached.push(await page.evaluate('document.activeElement.textContent'));
      await expectSoon(() => page.evaluate('getComputedStyle(document.activeElement).outlineWidth')).toBe(
        '3px',
      );
    }
    expect(reached).toEqual(onPhones);
    await close();
  });

  test('without JavaScript every button is a link, even on the page for two devices', async () => {
    const { shortUrl } = await publish({ interstitial: 'auto' });
    const page = await tab.browser.newPage({ ...desktop, userAgent: agents.mac, javaScriptEnabled: false });
    await page.route(/^https:/, (route) => route.abort());
    await page.goto(shortUrl);
    await keep(page, 'auto-mac-without-javascript');
    await expectSoon(() => waysOn(page)).toEqual(['Continue to shop.example.com', ...onIos]);
    await expectSoon(() => page.getByText('also copy this link').isVisible()).toBe(false);
    await expectSoon(() => page.locator('h2').allTextContents()).toEqual(['On a computer', 'On an iPad']);
    await page.close();
  });

  test('an image that fails to load leaves no gap', async () => {
    const { shortUrl } = await publish({
      social: { title: 'Spring sale', image: 'https://cdn.example.com/none' },
    });
    const { page, close } = await open('about:blank', { ...phone, userAgent: agents.iphone });
    await page.route('https://cdn.example.com/none', (route) => route.abort());
    await page.goto(shortUrl);
    await page.waitForFunction('!document.querySelector("img")');
    await close();
    const preview = await open('about:blank', { ...phone, userAgent: 'Twitterbot/1.0' });
    await preview.page.route('https://cdn.example.com/none', (route) => route.abort());
    await preview.page.goto(shortUrl);
    await expectSoon(() => preview.page.evaluate('document.querySelector("img").offsetHeight')).toBe(0);
    await preview.close();
  });

  test('the other pages are also accessible', async () => {
    const { code, shortUrl } = await publish({ iosAppId: undefined, interstitial: 'never' });
    const others: [name: string, url: string, options: Visitor][] = [
      ['not-found', `${stack.facts.shortBaseUrl}/unknown`, phone],
      ['not-found-desktop', `${stack.facts.shortBaseUrl}/unknown`, { ...desktop, ...dark }],
      ['debug', `${shortUrl}?d=1`, phone],
      ['debug-dark', `${shortUrl}?d=1`, { ...desktop, ...dark }],
      ['preview-dark', shortUrl, { ...desktop, ...dark, userAgent: 'Twitterbot/1.0' }],
    ];
    for (const [name, url, options] of others) {
      const { page, elsewhere, complaints, close } = await open(url, options);
      await keep(page, name);
      expect([name, await faultsOf(page)]).toEqual([name, []]);
      expect(elsewhere().filter((asked) => asked !== image)).toEqual([]);
      expect(complaints.filter((text) => /Content Security Policy/i.test(text))).toEqual([]);
      await close();
    }
    expect((await project.call('GET', `/links/${code}`)).body.data.clickCount).toBe(0);
  });
});
