import { readFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { settled } from './browser.ts';

const axeSource = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');

/** Only violations: listing passes takes half of the time. */
const options = JSON.stringify({ resultTypes: ['violations'], preload: false });

const violationsNow = async (page: Page): Promise<string[]> => {
  await settled(page);
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axeSource);
  const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as {
    violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[];
  };
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)} ${failureSummary}`),
  );
};

/** The accessibility violations of a page that axe can detect, and that last: content that reloads meanwhile is paler. */
export const violationsOf = async (page: Page): Promise<string[]> => {
  const violations = await violationsNow(page);
  return violations.length === 0 ? [] : violationsNow(page);
};

/** Whether a page is wider than its window. */
export const overflowOf = async (page: Page): Promise<string[]> => {
  await settled(page);
  const overflow = Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth'));
  return overflow > 0 ? [`${overflow} pixels wider than the window`] : [];
};

/** What a visitor would miss or trip over: violations, and an overflow. */
export const faultsOf = async (page: Page): Promise<string[]> => [
  ...(await overflowOf(page)),
  ...(await violationsOf(page)),
];
