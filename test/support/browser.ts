import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** `describe`, where there is a browser; elsewhere the tests are skipped with one line that says why. */
export const describeInBrowser: typeof describe.skip = existsSync(executablePath)
  ? describe
  : (() => {
      console.warn(`No browser at ${executablePath} (CHROMIUM_PATH names another): pages are not looked at`);
      return describe.skip;
    })();

export const startBrowser = (): Promise<Browser> =>
  // Containers run as root, where Chromium's sandbox can't.
  chromium.launch({ executablePath, args: ['--no-sandbox'] });
