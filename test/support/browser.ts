import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import {
  type Browser,
  type BrowserContextOptions,
  chromium,
  type Locator,
  type Page,
  type Request,
  type Route,
} from 'playwright-core';
import { ofFile } from './of-file.ts';

export { expectSoon } from './expect-soon.ts';

const { CHROMIUM_PATH } = process.env;
const executablePath = CHROMIUM_PATH ?? '/usr/bin/chromium';

const describeIfThere = () => {
  if (existsSync(executablePath)) return describe;
  const missing = `No browser at ${executablePath}`;
  if (CHROMIUM_PATH) throw new Error(`${missing}, which CHROMIUM_PATH names`);
  // Without the stack that jest adds to a warning.
  process.stderr.write(`${missing} (CHROMIUM_PATH names another): tests of pages are skipped\n`);
  return describe.skip;
};

const describeThere = describeIfThere();

/** Errors that no page has caught. */
const uncaught: string[] = [];

/**
 * `describe` if there is a browser; otherwise skips the tests and prints the reason in one line. A test also fails if a
 * page throws an error.
 */
export const describeInBrowser = (name: string, tests: () => void): void =>
  describeThere(name, () => {
    afterEach(() => expect(uncaught.splice(0)).toEqual([]));
    tests();
  });

/** Each page's requests without a response. */
const open = new WeakMap<Page, Set<Request>>();

const watch = (page: Page) => {
  const requests = new Set<Request>();
  open.set(page, requests);
  const end = (request: Request) => requests.delete(request);
  page.on('request', (request) => requests.add(request));
  page.on('requestfinished', end).on('requestfailed', end);
};

/** The longest random delay of each call of an API, in milliseconds: it brings out what reads a page too early. */
const { SLOW_CALLS } = process.env;

const slow = async (route: Route) => {
  await pause(Math.random() * Number(SLOW_CALLS));
  await route.fallback().catch(() => undefined); // The page may have gone on.
};

export const startBrowser = async (): Promise<Browser> => {
  const browser = await chromium.launch({
    executablePath,
    args: [
      // Containers run as root, where Chromium's sandbox can't.
      '--no-sandbox',
      // Custom hosts, which the local stack serves.
      '--host-resolver-rules=MAP *.acme.test 127.0.0.1',
      // One process for all pages: a process per address would compile shared code again.
      '--disable-site-isolation-trials',
      '--renderer-process-limit=1',
    ],
  });
  return browser.on('context', (context) => {
    context.on('page', watch);
    context.on('weberror', (error) => uncaught.push(error.error().message));
    if (SLOW_CALLS) void context.route(/\/(1\.0|api|session)(\/|\?|$)/, slow);
  });
};

export interface Visitor {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  readonly userAgent?: string;
  readonly touchPoints?: number;
}

/** A tab for one visitor after the other, because a new tab takes a second. */
interface Tab {
  readonly page: Page;
  /** The page; later loads see this visitor. */
  of(visitor: Visitor): Promise<Page>;
}

/** A browser of a file's tests, and a tab in it. */
export const fileTab = (options?: BrowserContextOptions): Tab & { readonly browser: Browser } =>
  ofFile(async () => {
    const browser = await startBrowser();
    return { ...(await openTab(browser, options)), browser, stop: () => browser.close() };
  });

const openTab = async (browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> => {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const emulation = await context.newCDPSession(page);
  let touchable: number | undefined;
  return {
    page,
    of: async ({ viewport, colorScheme = 'light', userAgent = '', touchPoints = 0 }) => {
      await emulation.send('Emulation.setUserAgentOverride', { userAgent });
      await page.setViewportSize(viewport);
      await page.emulateMedia({ colorScheme });
      if (touchPoints !== touchable) {
        const value = `{ configurable: true, get: () => ${touchPoints} }`;
        await page.addInitScript(`Object.defineProperty(navigator, 'maxTouchPoints', ${value})`);
        touchable = touchPoints;
      }
      return page;
    },
  };
};

/** The file that a click on a page's element downloads. */
export const downloadBy = async (element: Locator): Promise<{ name: string; content: Buffer }> => {
  const [download] = await Promise.all([element.page().waitForEvent('download'), element.click()]);
  return { name: download.suggestedFilename(), content: readFileSync(await download.path()) };
};

/** Whether something loads or moves, once the present responses are drawn. */
const isBusy = `new Promise((drawn) => requestAnimationFrame(() => setTimeout(() => drawn(
  document.querySelector('.working, [aria-busy=true]') !== null || document.getAnimations().length > 0
))))`;

const busyWhileItNavigates = (error: Error): true => {
  if (error.message.includes('navigation')) return true;
  throw error;
};

/** Resolves when every request is answered, nothing loads and nothing moves. */
export const settled = async (page: Page): Promise<void> => {
  const requests = open.get(page);
  const loads = () => page.evaluate(isBusy).catch(busyWhileItNavigates);
  while (requests?.size || (await loads()) || requests?.size) await pause(10);
};

/** Keeps the operators' next call of this name from the server, until it is released. */
export const hold = async (page: Page, call: string): Promise<() => void> => {
  const released = Promise.withResolvers<void>();
  const pass = async (route: Route) => {
    await released.promise;
    await route.fallback();
  };
  await page.route(`**/api/${call}`, pass, { times: 1 });
  return released.resolve;
};
