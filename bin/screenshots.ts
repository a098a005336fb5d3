import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, chromium, type Page } from 'playwright-core';

// Takes the documents' pictures of the console, with the showcase, which is the same for everybody on one day.

const root = path.join(import.meta.dirname, '..');
const folder = path.join(root, 'docs', 'console');
const link = '/p/showcase/links/get-the-app?interval=1y';

const desktop = { viewport: { width: 1280, height: 860 }, colorScheme: 'light' } as const;
const phone = { viewport: { width: 390, height: 844 }, colorScheme: 'dark' } as const;
const pictures = [
  { name: 'links', view: '/p/showcase', look: desktop },
  { name: 'link', view: link, look: desktop },
  { name: 'figures', view: '/p/showcase/figures?interval=1y', look: desktop },
  { name: 'link-phone-dark', view: link, look: phone },
] as const;
const ofMembers = [
  { name: 'member-link', view: link, look: desktop, role: 'editor' },
  { name: 'member-links-phone-dark', view: '/p/showcase', look: phone, role: 'viewer' },
] as const;

/** Resolves once the showcase is complete. */
const startShowcase = async (data: string): Promise<ChildProcess> => {
  const flags = [
    '--data',
    data,
    '--api-port',
    '0',
    '--short-port',
    '0',
    '--console-port',
    '0',
    '--demo',
    '--sign-in',
  ];
  const stack = spawn(process.execPath, [path.join(root, 'ops', 'dls.js'), 'start', ...flags], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  for await (const line of createInterface({ input: stack.stderr })) {
    console.error(line);
    if (line.includes('clicks of a year')) return stack;
  }
  throw new Error('The stack ended before its showcase was complete');
};

type Picture = (typeof pictures | typeof ofMembers)[number];

/** `arrive` opens the console and returns the address of its views. */
const take = async (
  browser: Browser,
  { name, view, look }: Picture,
  arrive: (page: Page) => Promise<string>,
) => {
  const context = await browser.newContext({ ...look, locale: 'en-US', reducedMotion: 'reduce' });
  const page = await context.newPage();
  const base = await arrive(page);
  await page.waitForLoadState('networkidle');
  await page.goto(base + view);
  await page.waitForLoadState('networkidle');
  const file = path.join(folder, `${name}.png`);
  await page.screenshot({ path: file });
  console.log(path.relative(root, file));
  await context.close();
};

/** Makes somebody a member of the showcase, and signs in. */
const arriveAs = (role: 'viewer' | 'editor', data: string, address: string) => async (page: Page) => {
  const email = `${role}@example.com`;
  const args = ['member', 'add', email, '--project', 'showcase', '--role', role, '--data', data];
  execFileSync(process.execPath, [path.join(root, 'ops', 'dls.js'), ...args], { stdio: 'ignore' });
  await page.goto(address);
  await page.fill('#email', email);
  await page.click('button');
  await page.waitForURL(address);
  return address;
};

const data = mkdtempSync(path.join(tmpdir(), 'screenshots-'));
const stack = await startShowcase(data);
try {
  const { consoleUrl, memberConsoleUrl } = JSON.parse(readFileSync(path.join(data, 'stack.json'), 'utf8'));
  const arrive = async (page: Page) => {
    await page.goto(consoleUrl);
    return new URL(consoleUrl).origin;
  };
  const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
  // Containers run as root, where Chromium's sandbox can't.
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    for (const picture of pictures) await take(browser, picture, arrive);
    for (const picture of ofMembers)
      await take(browser, picture, arriveAs(picture.role, data, memberConsoleUrl));
  } finally {
    await browser.close();
  }
} finally {
  stack.kill('SIGINT');
  await once(stack, 'exit');
  rmSync(data, { recursive: true });
}
