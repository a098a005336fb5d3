import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, chromium, type Page } from 'playwright-core';

// Takes the documents' pictures of the consoles, with the showcase, which is the same for everybody on one day. With a
// folder, it takes every view there, in each width, by day and by night.

const root = path.join(import.meta.dirname, '..');
const folder = path.join(root, 'docs', 'console');
const dls = path.join(root, 'ops', 'dls.js');
const everyIn = process.argv[2];
const link = '/p/showcase/links/get-the-app';

const desktop = { viewport: { width: 1280, height: 860 }, colorScheme: 'light' } as const;
const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
const pictures = [
  { name: 'links', view: '/p/showcase', look: desktop },
  { name: 'link', view: link, look: desktop },
  { name: 'analytics', view: '/p/showcase/analytics?interval=1y', look: desktop },
  { name: 'link-phone-dark', view: link, look: phone },
  { name: 'member-link', view: link, look: desktop, role: 'editor' },
  { name: 'member-links-phone-dark', view: '/p/showcase', look: phone, role: 'viewer' },
] as const;

const ofLinks = [
  '',
  '/links/get-the-app',
  '/links/get-the-app?tab=analytics',
  '/links/get-the-app?tab=settings',
];
const forms = ['/links/~new', '/links/~many', '/links/winter/edit', '/links/get-the-app/edit'];
const others = ['?q=nothing', '/analytics?interval=1y', '/apps', '/apps/~new', '/export'];
const ofMembers = ['', ...[...ofLinks, ...forms, ...others].map((one) => `/p/showcase${one}`)];
const ofOperators = [
  ...ofMembers,
  ...['/new', '/destinations'],
  ...['keys', 'requests', 'webhooks', 'members', 'hosts', 'import', 'settings', 'nothing'].map(
    (one) => `/p/showcase/${one}`,
  ),
];
const widths = [1440, 768, 390];

/** Resolves once the showcase is complete. */
const startShowcase = async (data: string): Promise<ChildProcess> => {
  const ports = ['--api-port', '0', '--short-port', '0', '--console-port', '0'];
  const args = [dls, 'start', '--data', data, ...ports, '--demo', '--sign-in'];
  const stack = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  for await (const line of createInterface({ input: stack.stderr })) {
    console.error(line);
    if (line.includes('clicks of a year')) return stack;
  }
  throw new Error('The stack ended before its showcase was complete');
};

/** Opens a console and returns the address of its views; as a member if there is a role. */
const arrive = async (page: Page, data: string, role?: string): Promise<string> => {
  const { consoleUrl, memberConsoleUrl } = JSON.parse(readFileSync(path.join(data, 'stack.json'), 'utf8'));
  // Its commands name this run's data.
  await page.addInitScript("localStorage.setItem('console-developers', 'hidden')");
  if (role === undefined) {
    await page.goto(consoleUrl);
    return new URL(consoleUrl).origin;
  }
  await page.goto(memberConsoleUrl);
  await page.fill('#email', `${role}@example.com`);
  await page.click('button');
  await page.waitForURL(memberConsoleUrl);
  return memberConsoleUrl;
};

const newPage = async (browser: Browser, look: object): Promise<Page> => {
  const context = await browser.newContext({ ...look, locale: 'en-US', reducedMotion: 'reduce' });
  return context.newPage();
};

const takeForDocuments = async (browser: Browser, data: string) => {
  for (const { name, view, look, ...who } of pictures) {
    const page = await newPage(browser, look);
    const base = await arrive(page, data, 'role' in who ? who.role : undefined);
    await page.goto(base + view);
    await page.waitForLoadState('networkidle');
    const file = path.join(folder, `${name}.png`);
    await page.screenshot({ path: file });
    console.log(path.relative(root, file));
    await page.context().close();
  }
};

const takeEveryView = async (browser: Browser, data: string, into: string) => {
  for (const [who, views] of [
    ['operator', ofOperators],
    ['editor', ofMembers],
  ] as const) {
    const page = await newPage(browser, {});
    const base = await arrive(page, data, who === 'operator' ? undefined : who);
    mkdirSync(path.join(into, who), { recursive: true });
    for (const view of views) {
      const name = view.replace(/^\/p\/showcase/, '').replace(/\W+/g, '-') || 'links';
      for (const width of widths) {
        await page.setViewportSize({ width, height: width < 500 ? 844 : 900 });
        // Anew, because some views ask how wide the window is.
        await page.goto(base + view);
        await page.waitForLoadState('networkidle');
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
          const shown = view === '' ? 'projects' : name;
          const file = path.join(into, who, `${shown}-${width}-${colorScheme}.png`);
          await page.screenshot({ path: file, fullPage: true });
        }
      }
      console.log(`${who} ${view}`);
    }
    await page.context().close();
  }
};

const data = mkdtempSync(path.join(tmpdir(), 'screenshots-'));
const stack = await startShowcase(data);
try {
  const assign = [dls, 'domain', 'assign', 'go.example.com', '--project', 'showcase', '--data', data];
  execFileSync(process.execPath, assign, { stdio: 'ignore' });
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  // Containers run as root, where Chromium's sandbox can't.
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    await (everyIn ? takeEveryView(browser, data, path.resolve(everyIn)) : takeForDocuments(browser, data));
  } finally {
    await browser.close();
  }
} finally {
  stack.kill('SIGINT');
  await once(stack, 'exit');
  rmSync(data, { recursive: true });
}
