import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { PNG } from 'pngjs';
import decodeQR from 'qr/decode.js';
import { userAgents } from '../../ops/base/user-agents.ts';
import { unique } from '../support/builders.ts';
import { metaOf } from '../support/html.ts';
import { eventually, expectEventually } from '../support/local-stack.ts';
import { type RawRequest, type RawResponse, sendRaw } from '../support/raw-request.ts';
import { shortUrlEndings } from '../support/short-url-endings.ts';
import { root } from '../support/source-files.ts';
import { sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();

const ask = (path: string, { headers, ...sent }: RawRequest = {}): Promise<RawResponse> =>
  sendRaw(stack.facts.shortBaseUrl + path, {
    ...sent,
    headers: { 'user-agent': userAgents.desktop, ...headers },
  });

/** A response without its request's id and times, and without the edge's note of where it came from. */
const constantPart = ({ status, headers, body }: RawResponse) => {
  const { date, age, 'x-amz-cf-id': id, 'x-cache': source, ...constant } = headers;
  return { status, headers: constant, body: body.toString() };
};

const destination = 'https://shop.example.com/landing';
const social = {
  title: 'Spring sale',
  description: 'Up to half off',
  image: 'https://cdn.example.com/a.png',
};

const publish = async (payload: object = {}, fields: object = {}) => {
  const { status, body } = await stack.api('POST', '/links', {
    body: { code: unique('code'), payload: { link: destination, ...payload }, ...fields },
  });
  expect(status).toBe(201);
  return body.data as { code: string; shortUrl: string; qrCode: string };
};

test('every visitor of the corpus gets to the right place', async () => {
  const { apiBaseUrl, shortBaseUrl, apiKey } = stack.facts;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['ops/dls.js', 'conformance', '--base', shortBaseUrl, '--api', apiBaseUrl, '--key', apiKey],
    { cwd: root },
  );
  const [, visits, wrong] = /^(\d+) visits, (\d+) of them/.exec(stdout) ?? [];
  expect(Number(visits)).toBeGreaterThan(500);
  expect(wrong).toBe('0');
  // It deletes its links at the end.
  const { body } = await stack.api('GET', '/links');
  expect(body.data).toEqual([]);
});

describe('a redirect', () => {
  test('is never cached or indexed', async () => {
    const { code } = await publish();
    const { status, headers, body } = await ask(`/${code}`);
    expect(status).toBe(302);
    expect(headers).toMatchObject({
      location: destination,
      'cache-control': 'private, no-store',
      'x-robots-tag': 'noindex, nofollow',
      'x-content-type-options': 'nosniff',
    });
    // A referrer policy here would hide the referrer from the destination's owner.
    expect(headers).not.toHaveProperty('referrer-policy');
    expect(body.length).toBe(0);
  });

  test('treats HEAD like GET, without counting it', async () => {
    const { code } = await publish();
    expect(constantPart(await ask(`/${code}`, { method: 'HEAD' }))).toEqual(
      constantPart(await ask(`/${code}`)),
    );
    const clicks = async () => (await stack.api('GET', `/links/${code}`)).body.data.clickCount;
    await expectEventually(clicks).toBe(1);
  });

  test('cannot be made to set headers', async () => {
    const { code } = await publish();
    const { headers } = await ask(`/${code}?a=%0d%0aSet-Cookie:%20b=c&d=%E5%98%8A%E5%98%8DX:1`);
    expect(headers.location).toBe(`${destination}?a=%0d%0aSet-Cookie:%20b=c&d=%E5%98%8A%E5%98%8DX:1`);
    expect(headers).not.toHaveProperty('set-cookie');
  });
});

describe('the page for links that are not live', () => {
  test('is the same to the byte for all of them', async () => {
    const paused = await publish({ social });
    await stack.api('PUT', `/links/${paused.code}/status`, { body: { status: 'PAUSED' } });
    const deleted = await publish();
    await stack.api('DELETE', `/links/${deleted.code}`);
    const expiring = await publish({}, { expiresAt: new Date(Date.now() + 300).toISOString() });
    await expectEventually(() => ask(`/${expiring.code}`, { method: 'HEAD' })).toMatchObject({ status: 404 });
    const unknown = constantPart(await ask('/unknown'));
    expect(unknown.status).toBe(404);
    expect(unknown.headers['content-type']).toBe('text/html; charset=utf-8');
    for (const path of [
      paused.code,
      deleted.code,
      expiring.code,
      `acme/${paused.code}`,
      'demo/unknown',
      'a.b',
      '',
    ]) {
      for (const query of ['', '?d=1']) {
        for (const agent of [userAgents.desktop, userAgents.iphone, 'Twitterbot/1.0']) {
          const answer = await ask(`/${path}${query}`, { headers: { 'user-agent': agent } });
          expect([path, constantPart(answer)]).toEqual([path, unknown]);
        }
      }
    }
  });
});

describe('the preview', () => {
  test('names the short URL and loads nothing', async () => {
    const { code, shortUrl } = await publish({ social });
    const { status, headers, body } = await ask(`/${code}`, { headers: { 'user-agent': 'Twitterbot/1.0' } });
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(headers['x-robots-tag']).toContain('noindex');
    expect(metaOf(body.toString(), 'og:url')).toBe(shortUrl);
    expect(metaOf(body.toString(), 'og:title')).toBe(social.title);
  });
});

/** The text of a QR code. */
const read = (png: Buffer) => {
  const { width, height, data: pixels } = PNG.sync.read(png);
  return decodeQR({ width, height, data: pixels });
};

describe('a QR code', () => {
  test('holds the short URL with `?qr`, and browsers cache it for a day', async () => {
    const { qrCode, shortUrl } = await publish();
    const path = `${new URL(qrCode).pathname}?size=256&margin=2`;
    const first = await ask(path);
    expect(first.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=86400, s-maxage=0',
      'x-cache': 'Miss from cloudfront',
    });
    expect(PNG.sync.read(first.body).width).toBe(256);
    expect(read(first.body)).toBe(`${shortUrl}?qr`);
    // The edge caches none, so that a QR code is gone as soon as its link is blocked or deleted.
    expect((await ask(path)).headers['x-cache']).toBe('Miss from cloudfront');
  });

  test('still exists for a paused link, which may be in print', async () => {
    const { code, shortUrl } = await publish();
    await stack.api('PUT', `/links/${code}/status`, { body: { status: 'PAUSED' } });
    expect(read((await ask(`/${code}/qr.png?size=200`)).body)).toBe(`${shortUrl}?qr`);
  });

  test('the QR code of an unknown or deleted link is not found', async () => {
    const { code } = await publish();
    await stack.api('DELETE', `/links/${code}`);
    for (const path of [`/${code}/qr.png`, '/unknown/qr.svg', '/demo/unknown/qr.png', '/a/b/c/qr.png'])
      expect([path, (await ask(path)).status]).toEqual([path, 404]);
  });

  test('with wrong options is refused in plain words, which are not cached', async () => {
    const { code } = await publish();
    for (const [query, text] of [
      ['size=63', 'size must be a whole number from 64 to 2048.\n'],
      ['level=L&level=L', 'level must be L, M, Q or H.\n'],
      ['color=ffee00', 'color must be darker than background, with a contrast of 4.5 at least; it is 1.2.\n'],
    ]) {
      const { status, headers, body } = await ask(`/${code}/qr.png?${query}`);
      expect([status, body.toString()]).toEqual([400, text]);
      expect(headers['x-cache']).toBe('Error from cloudfront');
      expect(headers['cache-control']).toContain('no-store');
    }
  });
});

describe('a custom host', () => {
  const project = unique('own');
  const host = `${project}.acme.test`;

  test('is in short URLs, QR codes and previews', async () => {
    await stack.admin('project', 'create', project);
    await stack.admin('domain', 'assign', host, '--project', project);
    const { apiKey } = await stack.admin('key', 'create', '--project', project);
    const { body } = await stack.api('POST', '/links', {
      key: apiKey,
      body: { code: 'launch', payload: { link: destination, social } },
    });
    expect(body.data.shortUrl).toBe(`https://${host}/launch`);
    expect(body.data.qrCode).toBe(`https://${host}/launch/qr.png`);

    const headers = { host };
    expect((await ask('/launch', { headers })).headers.location).toBe(destination);
    expect((await ask('/launch')).status).toBe(404);
    expect((await ask(`/${project}/launch`)).status).toBe(302);
    const preview = await ask('/launch', { headers: { host, 'user-agent': 'Twitterbot/1.0' } });
    // The local edge speaks only http.
    expect(metaOf(preview.body.toString(), 'og:url')).toBe(`http://${host}/launch`);
    const drawn = await ask('/launch/qr.png?size=200', { headers });
    expect(read(drawn.body)).toBe(`http://${host}/launch?qr`);
  });

  test('cannot be claimed by headers of a visitor', async () => {
    const headers = { 'x-forwarded-host': host, forwarded: `host=${host}`, 'x-host': host };
    expect((await ask('/launch', { headers })).status).toBe(404);
  });

  test('redirects / and links to an address where nothing is found', async () => {
    const headers = { host };
    const assign = (...options: string[]) =>
      stack.admin('domain', 'assign', host, '--project', project, ...options);
    const [root, notFound] = ['https://acme.example.com/', 'https://acme.example.com/help'];
    const before = constantPart(await ask('/unknown', { headers }));
    expect(constantPart(await ask('/', { headers }))).toEqual(before);

    expect(await assign('--root', root, '--not-found', notFound)).toEqual({ host, project, root, notFound });
    await expectEventually(() => ask('/', { headers })).toMatchObject({ status: 302 });
    expect((await ask('/', { headers })).headers).toMatchObject({
      ...{ location: root, 'cache-control': 'private, no-store' },
    });
    const text = async (path: string) => (await ask(path, { headers })).body.toString();
    await expectEventually(() => text('/unknown')).toContain(`href="${notFound}"`);
    expect((await ask('/unknown', { headers })).status).toBe(404);
    expect((await ask('/')).status).toBe(404);
    expect(await assign('--root', '', '--not-found', '')).toEqual({ host, project });
    await eventually(
      () => ask('/', { headers }),
      ({ status, body }) => status === 404 && body.toString() === before.body,
    );
  });

  test('has its own association files', async () => {
    const fingerprint = Array(32).fill('AB').join(':');
    const other = fingerprint.replaceAll('AB', 'CD');
    const stated = await stack.admin(
      ...['association', 'set', '--project', project, '--ios', 'ABCDE12345.com.acme.app'],
      ...['--android', 'com.acme.app', '--sha256', fingerprint, other.toLowerCase()],
    );
    expect(stated.android).toEqual([{ package: 'com.acme.app', fingerprints: [fingerprint, other] }]);
    expect(await stack.admin('association', 'show', '--project', project)).toEqual(stated);

    const apple = await ask('/.well-known/apple-app-site-association', { headers: { host } });
    expect(apple.headers['content-type']).toBe('application/json');
    const [details] = JSON.parse(apple.body.toString()).applinks.details;
    expect(details.appIDs).toEqual(['ABCDE12345.com.acme.app']);
    expect(details.components.at(-1)).toEqual({ '/': '/*' });
    // The path that iOS asked for before 9.3, which no link can have.
    const early = await ask('/apple-app-site-association', { headers: { host } });
    expect([early.status, early.headers['content-type']]).toEqual([200, 'application/json']);
    expect(early.body.toString()).toBe(apple.body.toString());
    const code = await stack.api('GET', '/links/check/apple-app-site-association');
    expect(code.body.data).toMatchObject({ available: false });
    const android = await ask('/.well-known/assetlinks.json', { headers: { host } });
    expect(JSON.parse(android.body.toString())[0].target.package_name).toBe('com.acme.app');

    // The early path, unused elsewhere: the edge keeps a file for minutes.
    const shared = await ask('/apple-app-site-association');
    const [onShared] = JSON.parse(shared.body.toString()).applinks.details;
    expect(onShared.components.at(-1)).toEqual({ '/': `/${project}/*` });

    await stack.admin('association', 'remove', '--project', project);
    await expect(stack.admin('association', 'remove', '--project', project)).rejects.toThrow(
      /has no associations/,
    );
  });
});

test('robots.txt and the icon get a response', async () => {
  expect((await ask('/robots.txt')).body.toString()).toContain('Allow: /');
  const icon = await ask('/favicon.ico');
  expect(icon.status).toBe(204);
  // The edge function's own answers: no policy adds these.
  expect(icon.headers).toMatchObject({
    'strict-transport-security': 'max-age=31536000',
    'x-content-type-options': 'nosniff',
  });
});

describe('abuse', () => {
  test('never causes a 5xx', async () => {
    const { code } = await publish();
    const requests: [path: string, sent: RawRequest, status: number][] = [
      [`/${code}`, { method: 'POST', body: 'a=1' }, 405],
      [`/${code}`, { method: 'DELETE' }, 405],
      [`/${code}`, { method: 'OPTIONS' }, 405],
      [`/${code}/qr.png`, { method: 'POST', body: 'x' }, 405],
      [`/${code}`, { body: 'a body', headers: { 'content-length': '6' } }, 403],
      [`/${'a'.repeat(8000)}`, {}, 404],
      [`/${code}?${'a=1&'.repeat(1500)}`, {}, 302],
      ['/%', {}, 404],
      ['/%zz/%ff', {}, 404],
      ['/%00', {}, 404],
      ['/%2e%2e/%2e%2e/etc/passwd', {}, 404],
      ['/..;/', {}, 404],
      ['/acme/code%0d%0aX:%20y', {}, 404],
      [`/%${code.charCodeAt(0).toString(16)}${code.slice(1)}`, {}, 302],
      [`/%25${code.charCodeAt(0).toString(16)}${code.slice(1)}`, {}, 404],
      [`/${code}?%`, {}, 302],
      [`/${code}?%=%&&&=`, {}, 302],
      [`/${code}?__proto__=1&constructor=2`, {}, 302],
      [`/${code}`, { headers: { 'user-agent': '\u0024{jndi:ldap://x}' } }, 302],
      [`/${code}`, { headers: { 'cloudfront-viewer-country': 'XX', 'x-edge-location': 'x' } }, 302],
      [`/${code}`, { headers: { accept: '\\"><script>' } }, 302],
    ];
    for (const [path, sent, status] of requests) {
      expect([path.slice(0, 60), sent, (await ask(path, sent)).status]).toEqual([
        path.slice(0, 60),
        sent,
        status,
      ]);
    }
  });
});

test('text appended to a short URL still leads to the link, and each visit is one click', async () => {
  const code = unique('launch');
  const store = 'https://play.google.com/store/apps/details?id=com.example.shop';
  const payload = { link: 'https://example.com/', android: { store_fallback: store } };
  expect((await stack.api('POST', '/links', { body: { code, payload } })).status).toBe(201);
  let clicks = 0;
  for (const [written, leads] of shortUrlEndings) {
    const { status, headers } = await ask(written.replace('launch', code).replace('%6Caunch', code));
    const file = /json$/.test(leads)
      ? 'application/json'
      : leads.endsWith('svg')
        ? 'image/svg+xml'
        : 'image/png';
    const expected = leads === 'nothing' ? [404] : leads === 'link' ? [302] : [200, file];
    const actual = leads.includes('.') ? [status, String(headers['content-type']).split(';')[0]] : [status];
    expect([written, ...actual]).toEqual([written, ...expected]);
    if (leads === 'link') clicks += 1;
  }
  // As bytes, as some programs send unencoded text.
  const raw = Buffer.from(`//${code}”/?a=1`).toString('latin1');
  const { status, headers } = await ask(raw, { headers: { 'user-agent': userAgents.android } });
  clicks += 1;
  const referrer = new URL(String(headers.location)).searchParams.get('referrer') ?? '';
  const { shortBaseUrl } = stack.facts;
  expect([status, new URLSearchParams(referrer).get('deepLink')]).toEqual([
    302,
    `${shortBaseUrl}/${code}?a=1`,
  ]);
  await expectEventually(
    async () => (await stack.api('GET', `/links/${code}`, {})).body.data.clickCount,
  ).toBe(clicks);
});
