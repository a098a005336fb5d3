import { userAgents } from '../base/user-agents.ts';
import { createTrialLink, payload } from './api-checks.ts';
import { answered, expectTrue, header, same } from './expect.ts';
import { type Check, Skipped } from './run.ts';
import type { SmokeSession } from './session.ts';

const agents = {
  ...userAgents,
  crawler: 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)',
};

const as = (agent: keyof typeof agents) => ({ 'User-Agent': agents[agent] });

const platforms: Check['run'] = async (session) => {
  const { shortUrl } = await createTrialLink(session);
  const wanted = {
    iphone: 'https://apps.apple.com/app/id123456789',
    // Google Play passes `referrer` to the app: the short URL, encoded once for the value and once for Play.
    android: `https://play.google.com/store/apps/details?id=com.example.app&referrer=${encodeURIComponent(
      `deepLink=${encodeURIComponent(shortUrl)}`,
    )}`,
    desktop: 'https://example.com/landing',
  };
  for (const [agent, location] of Object.entries(wanted)) {
    const answer = answered(await session.open(shortUrl, as(agent as keyof typeof wanted)), 302);
    same(`Location for ${agent}`, header(answer, 'location'), location);
    same('Cache-Control', header(answer, 'cache-control'), 'private, no-store');
    same('X-Robots-Tag', header(answer, 'x-robots-tag'), 'noindex, nofollow');
  }
};

const clicks: Check['run'] = async (session) => {
  const { code, shortUrl } = await createTrialLink(session);
  const visits = [as('iphone'), as('desktop'), as('desktop')];
  for (const headers of visits) answered(await session.open(shortUrl, headers), 302);
  // A HEAD request doesn't count.
  answered(await session.open(shortUrl, as('desktop'), 'HEAD'), 302);
  await session.open(shortUrl, { ...as('android'), 'Sec-Purpose': 'prefetch' });
  await session.open(shortUrl, as('crawler'));
  const started = Date.now();
  const { json } = await session.eventually(
    () => session.api('GET', `/links/${code}`),
    (answer) => answer.json?.data?.clickCount >= visits.length,
  );
  const { totalClicks, uniqueClicks, clicksByPlatform, clicksByCountry } = json.data.analytics;
  same('clicks', [totalClicks, uniqueClicks], [3, 2]);
  same('platforms', clicksByPlatform, { ios: 1, android: 0, web: 2 });
  const countries = Object.keys(clicksByCountry);
  expectTrue("CloudFront doesn't send the country", session.isLocal || !countries.includes('other'));
  return `after ${Math.ceil((Date.now() - started) / 1000)} s, from ${countries.join(', ')}`;
};

const pausing: Check['run'] = async (session) => {
  const { code, shortUrl } = await createTrialLink(session);
  const set = (status: string) => session.api('PUT', `/links/${code}/status`, { body: { status } });
  answered(await session.open(shortUrl, as('desktop')), 302);
  answered(await set('PAUSED'), 200);
  answered(await session.open(shortUrl, as('desktop')), 404);
  answered(await set('ACTIVE'), 200);
  answered(await session.open(shortUrl, as('desktop')), 302);
};

const expiry: Check['run'] = async (session) => {
  const { api, open } = session;
  const { code, shortUrl } = await createTrialLink(session, { expiresAt: inSeconds(3600) });
  answered(await api('PUT', `/links/${code}`, { body: { payload, expiresAt: null } }), 200);
  answered(await api('PUT', `/links/${code}`, { body: { payload, expiresAt: inSeconds(3) } }), 200);
  answered(await open(shortUrl, as('desktop')), 302);
  await session.eventually(
    () => open(shortUrl, as('desktop')),
    ({ status }) => status === 404,
  );
  same('status', (await api('GET', `/links/${code}`)).json.data.status, 'EXPIRED');
};

const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

const opens: Check['run'] = async (session) => {
  const { code, shortUrl } = await createTrialLink(session);
  const link = answered(await session.open(`${shortUrl}/link.json?ref=app`), 200);
  same('link', link.json?.link, 'https://example.com/landing?ref=app');
  const started = Date.now();
  const path = `${shortUrl}/open.json?platform=ios`;
  for (const open of [`${path}&first=true`, path])
    answered(await session.open(open, { 'User-Agent': 'Example/1 CFNetwork/3826 Darwin/25.0.0' }), 200);
  const { json } = await session.eventually(
    () => session.api('GET', `/analytics?code=${code}&event=opens`),
    (answer) => answer.json?.data?.opens >= 2,
  );
  same('opens', json.data, { opens: 2, firstOpens: 1 });
  return `after ${Math.ceil((Date.now() - started) / 1000)} s`;
};

const associations: Check['run'] = async ({ open, shortBase }) => {
  for (const file of ['apple-app-site-association', 'assetlinks.json']) {
    const answer = answered(await open(`${shortBase}/.well-known/${file}`), 200);
    same('Content-Type', header(answer, 'content-type'), 'application/json');
    expectTrue(`${file} is not JSON`, answer.json !== undefined);
  }
};

const unknown: Check['run'] = async (session) => {
  const { open, shortBase, project, newCode } = session;
  const { code, shortUrl } = await createTrialLink(session);
  const never = answered(await open(`${shortBase}/${project}/${newCode()}`, as('desktop')), 404);
  answered(await session.api('DELETE', `/links/${code}`), 200);
  const deleted = answered(await open(shortUrl, as('desktop')), 404);
  same('the page for a deleted link', deleted.text, never.text);
};

const methods: Check['run'] = async (session) => {
  const { shortUrl } = await createTrialLink(session);
  for (const method of ['POST', 'PUT', 'DELETE']) {
    const answer = answered(await session.open(shortUrl, as('desktop'), method), 405);
    same('Allow', header(answer, 'allow'), 'GET, HEAD');
  }
};

const foreignHost: Check['run'] = async (session) => {
  const { shortUrl } = await createTrialLink(session);
  const headers = { ...as('desktop'), 'X-Forwarded-Host': 'somebody-else.example.com' };
  answered(await session.open(shortUrl, headers), 302);
};

const qrCodes: Check['run'] = async (session) => {
  const { qrCode, shortUrl } = await createTrialLink(session);
  const png = answered(await session.open(qrCode), 200);
  same('Content-Type', header(png, 'content-type'), 'image/png');
  expectTrue('the picture is not sent as bytes', png.text.slice(1, 4) === 'PNG');
  const svg = answered(await session.open(`${shortUrl}/qr.svg?size=128`), 200);
  expectTrue('it is not SVG', svg.text.includes('<svg'));
  expectTrue('it is not to be kept', /max-age=86400/.test(header(svg, 'cache-control')));
  const again = await session.open(`${shortUrl}/qr.svg?size=128`);
  return header(again, 'x-cache');
};

const preview: Check['run'] = async (session) => {
  const social = { title: 'Smoke <b>test</b>', description: 'A preview' };
  const { shortUrl } = await createTrialLink(session, { payload: { link: 'https://example.com/', social } });
  const page = answered(await session.open(shortUrl, as('crawler')), 200);
  expectTrue('it has no og:title', page.text.includes('og:title'));
  expectTrue('the title is not escaped', !page.text.includes('<b>test</b>'));
};

const https: Check['run'] = async (session: SmokeSession) => {
  const { shortUrl } = await createTrialLink(session);
  if (!shortUrl.startsWith('https:')) throw new Skipped('this deployment has no https');
  const answer = await session.open(shortUrl.replace('https:', 'http:'), as('desktop'));
  answered(answer, 301);
  same('Location', header(answer, 'location'), shortUrl);
};

export const shortUrlChecks: readonly Check[] = [
  { name: 'visitors get the destination of their platform', run: platforms },
  { name: "each click counts once, and excluded visits don't", run: clicks },
  { name: 'a paused link stops, and works again, at once', run: pausing },
  { name: 'a link expires on time', run: expiry },
  { name: 'phones get the apps that open the links', run: associations },
  { name: "apps get a link's content, and their opens are counted", run: opens },
  { name: 'unknown and deleted links look the same', run: unknown },
  { name: 'other methods are not allowed', run: methods },
  { name: 'a spoofed host header is ignored', run: foreignHost },
  { name: 'QR codes are drawn and cached', run: qrCodes },
  { name: 'social networks get a preview', run: preview },
  { name: 'http redirects to https', run: https },
];
