import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { faultsOf, overflowOf } from './accessibility.ts';
import { settled } from './browser.ts';

/** A window size and colour scheme. */
export interface Look {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly colorScheme: 'light' | 'dark';
  /** How to go to a view: by its address as a new page, or inside the app as its links do. */
  readonly way: 'by address' | 'in the app';
}

export const looks: readonly Look[] = [
  { name: 'desktop', width: 1280, height: 900, colorScheme: 'light', way: 'by address' },
  { name: 'phone-dark', width: 320, height: 844, colorScheme: 'dark', way: 'in the app' },
];

/** The users' time zone, five and a half hours ahead of UTC. */
export const zone = 'Asia/Kolkata';

export interface OpenedConsole {
  readonly page: Page;
  /** Goes to a view and waits until it is complete. */
  go(view: string): Promise<void>;
  /** Waits until the view is complete. */
  settled(): Promise<void>;
  /** Faults that a user would notice in the present view. Checking accessibility takes half of the time. */
  complaints(which?: 'all' | 'errors'): Promise<string[]>;
  /** Saves a picture if SCREENSHOTS names a folder. */
  picture(name: string): Promise<void>;
  /** Drops earlier complaints. */
  forget(): void;
  close(): Promise<void>;
}

export const openConsole = async (
  browser: Browser,
  address: string,
  { name: lookName, width, height, colorScheme, way }: Look,
): Promise<OpenedConsole> => {
  const { origin } = new URL(address);
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    locale: 'en-US',
    timezoneId: zone,
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  const noticed: string[] = [];
  page.on('request', (one) => !one.url().startsWith(origin) && noticed.push(`asked for ${one.url()}`));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') noticed.push(message.text());
  });
  const complete = async () => {
    await page.waitForSelector('h1');
    await settled(page);
  };
  await page.goto(address);
  await complete();
  return {
    page,
    settled: complete,
    go: async (view) => {
      if (way === 'by address') await page.goto(origin + view);
      else {
        await page.evaluate(`history.pushState(null, '', ${JSON.stringify(view)})`);
        await page.evaluate('dispatchEvent(new PopStateEvent("popstate"))');
      }
      await complete();
    },
    complaints: async (which = 'all') => {
      const faults = await (which === 'all' ? faultsOf(page) : overflowOf(page));
      return [...noticed.splice(0), ...faults];
    },
    picture: async (name) => {
      const folder = process.env.SCREENSHOTS;
      if (!folder) return;
      mkdirSync(folder, { recursive: true });
      await page.screenshot({ path: path.join(folder, `${name}-${lookName}.png`), fullPage: true });
    },
    forget: () => {
      noticed.length = 0;
    },
    close: () => context.close(),
  };
};

/**
 * Signs in to the members' console; again if a busy machine exceeds the deadline for its issuer. A member of one project
 * lands in its links.
 */
export const signInto = async (page: Page, consoleUrl: unknown, email: string): Promise<void> => {
  await page.context().clearCookies();
  const late = 'Signing in takes too long';
  const result = page.locator('h1').filter({ hasText: new RegExp(`^(Projects|Links|${late})$`) });
  do {
    await page.goto(String(consoleUrl));
    if (await page.isVisible('#email')) {
      await page.fill('#email', email);
      await page.keyboard.press('Enter');
    }
  } while ((await result.textContent()) === late);
};
