import { setTimeout as delay } from 'node:timers/promises';
import { createTrialLink } from './api-checks.ts';
import { answered, header, same } from './expect.ts';
import { type Check, Skipped } from './run.ts';

const specialPaths: Check['run'] = async (session) => {
  const { open, shortBase, project, newCode } = session;
  const unknown = answered(await open(`${shortBase}/${project}/${newCode()}`), 404).text;
  for (const path of ['/a%20b', '/a+b', `/${project}/a%20b`, `/${project}/(a)+b`, '/%F0%9F%94%97']) {
    const answer = answered(await open(shortBase + path), 404);
    // An origin refuses a request with an invalid signature in other words.
    same(`the page for ${path}`, answer.text, unknown);
  }
};

const specialQueries: Check['run'] = async (session) => {
  const { shortUrl } = await createTrialLink(session);
  const query = 'q=a+b%20c&x=(1)&e=%C3%A4%2B&quote=%27*%27';
  const answer = answered(await session.open(`${shortUrl}?${query}`), 302);
  const { origin, pathname, searchParams } = new URL(header(answer, 'location'));
  same('the destination', origin + pathname, 'https://example.com/landing');
  same('what the destination reads', [...searchParams], [...new URLSearchParams(query)]);
};

/** Concurrent visits, so that more than one of the function's connections to the table has gone stale. */
const atOnce = 4;

const afterPause: Check['run'] = async (session) => {
  const { pauseSeconds, open } = session;
  if (pauseSeconds === 0)
    throw new Skipped('nothing freezes a local function (--pause SECONDS waits anyway)');
  const { shortUrl } = await createTrialLink(session);
  const visits = () => Promise.all(Array.from({ length: atOnce }, () => open(shortUrl)));
  await visits();
  await delay(pauseSeconds * 1000);
  const started = performance.now();
  for (const answer of await visits()) answered(answer, 302);
  return `${atOnce} at once after ${pauseSeconds} s, in ${Math.round(performance.now() - started)} ms`;
};

export const pathChecks: readonly Check[] = [
  { name: 'paths with special characters get the page for unknown links', run: specialPaths },
  { name: 'queries with special characters arrive unchanged', run: specialQueries },
  { name: 'short URLs work after a pause', run: afterPause },
];
