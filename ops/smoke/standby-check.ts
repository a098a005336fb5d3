import { createTrialLink } from './api-checks.ts';
import { header, same } from './expect.ts';
import { type Check, Skipped } from './run.ts';

/** Asks the second region, which always answers these paths. HEAD counts no click. */
const serves: Check['run'] = async (session) => {
  const { hasStandby, open, eventually } = session;
  if (!hasStandby) throw new Skipped('this deployment has no second region');
  const { shortUrl, originalUrl } = await createTrialLink(session);
  const second = (path: string, method?: string) =>
    open(new URL(`/.well-known/standby${path}`, shortUrl).href, {}, method);
  const started = Date.now();
  const visit = await eventually(
    () => second(new URL(shortUrl).pathname, 'HEAD'),
    ({ status }) => status === 302,
  );
  same('Location', header(visit, 'location'), originalUrl);
  const seconds = Math.ceil((Date.now() - started) / 1000);
  const { json } = await eventually(
    () => second(''),
    ({ status }) => status === 200,
  );
  return `a new link after ${seconds} s; ${json?.behindSeconds} s behind`;
};

export const standbyCheck: Check = { name: 'the second region serves visitors', run: serves };
