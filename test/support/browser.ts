import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page, type Request } from 'playwright-core';

const { CHROMIUM_PATH } = process.env;
const executablePath = CHROMIUM_PATH ?? '/usr/bin/chromium';

const describeIfThere = () => {
  if (existsSync(executablePath)) return describe;
  const missing = `No browser at ${executablePath}`;
  if (CHROMIUM_PATH) throw new Error(`${missing}, which CHROMIUM_PATH names`);
  console.warn(`${missing} (CHROMIUM_PATH names another): pages are not looked at`);
  return describe.skip;
};

/** `describe` if there is a browser; otherwise skips the tests and prints the reason in one line. */
export const describeInBrowser: typeof describe.skip = describeIfThere();

export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
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

export interface Visitor {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly colorScheme?: 'light' | 'dark';
  readonly userAgent?: string;
  readonly touchPoints?: number;
}

/** A tab for one visitor after the other, because a new tab takes a second. */
export interface Tab {
  /** The page; later loads see this visitor. */
  of(visitor: Visitor): Promise<Page>;
}

export const openTab = async (browser: Browser, options: BrowserContextOptions = {}): Promise<Tab> => {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const emulation = await context.newCDPSession(page);
  let touchable: number | undefined;
  return {
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

/** Counts a page's requests from now on. Playwright's own 'networkidle' waits half a second at every page. */
export const watchRequests = (page: Page): { quiet(): Promise<void> } => {
  const open = new Set<Request>();
  let onQuiet: (() => void) | undefined;
  const done = (request: Request) => {
    open.delete(request);
    if (open.size === 0) onQuiet?.();
  };
  page.on('request', (request) => open.add(request));
  page.on('requestfinished', done).on('requestfailed', done);
  return {
    /** Resolves when every request is answered and rendering the responses makes no further one. */
    quiet: async () => {
      do {
        if (open.size > 0) {
          await new Promise<void>((resolve) => {
            onQuiet = resolve;
          });
        }
        await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
      } while (open.size > 0);
    },
  };
};
