import fc from 'fast-check';
import { appLinks, type Opened } from '../../client/app.ts';
import { createAppLinks } from '../../client/app-links.ts';
import { configure } from '../../client/firebase.ts';
import { readShortPath } from '../../core/hosts/short-address.ts';
import { listen } from '../support/listen.ts';
import { runs } from '../support/nightly.ts';
import { ofFile } from '../support/of-file.ts';
import { shortUrlEndings } from '../support/short-url-endings.ts';

const links = appLinks({
  hosts: ['go.example.com', 'SHORT.example', '127.0.0.1'],
  platform: 'ios',
  linkHosts: ['shop.example.com'],
});
const shop = encodeURIComponent('https://shop.example.com/a?b=c&d=ü');

test.each([
  'https://go.example.com/launch',
  'https://go.example.com/launch/',
  'https://go.example.com/acme/launch?utm_source=a&x=%20',
  'https://go.example.com/a%2Db_c',
  'https://GO.example.com/launch',
  'https://short.example/launch',
  'http://127.0.0.1:8788/launch',
])('%s is a short URL', (text) => {
  expect(links.parse(text)).toEqual({ shortUrl: text });
});

const almond = 'https%3A%2F%2Fshop.example.com%2Fa%3Fname%3Dal';
test.each([
  [`https://go.example.com/?link=${shop}&apn=com.example`, '?b=c&d=ü'],
  [`https://go.example.com?link=${shop}`, '?b=c&d=ü'],
  [`com.example.shop://google/link/?deep_link_id=${shop}`, '?b=c&d=ü'],
  [`com.example.shop://google/link/?request_ip_version=IP_V4&deep_link_id=${shop}&match_type=a`, '?b=c&d=ü'],
  [`https://go.example.com/?link=${almond}%20mond`, '?name=al%20mond'],
  [`https://go.example.com/?apn=x&link=${almond}+mond`, '?name=al%20mond'],
  [`com.example.shop://google/link/?deep_link_id=${almond}%20mond`, '?name=al%20mond'],
])('%s carries its destination with %s', (text, query) => {
  expect(links.parse(text)).toEqual({ link: `https://shop.example.com/a${query}` });
});

test("a destination's fragment may contain spaces, and nothing may contain line breaks", () => {
  const parse = (link: string) => links.parse(`https://go.example.com/?link=${encodeURIComponent(link)}`);
  expect(parse('https://shop.example.com/#a b')).toEqual({ link: 'https://shop.example.com/#a%20b' });
  for (const other of ['\n', '\t', '\u00a0', '\u2028'])
    expect(parse(`https://shop.example.com/?a=${other}b`)).toBeNull();
});

test.each([
  '',
  'launch',
  'https://elsewhere.example/launch',
  'http://go.example.com/launch',
  'https://go.example.com@elsewhere.example/launch',
  'https://elsewhere.example\\@go.example.com/launch',
  'https://go.example.com.elsewhere.example/launch',
  'https://go.example.com/',
  'https://go.example.com/ab',
  'https://go.example.com/a/b/launch',
  'https://go.example.com/launch/qr.png',
  'https://go.example.com/launch/open.json',
  'https://go.example.com/%E0%A4%A',
  'https://go.example.com/lau nch',
  `http://go.example.com/?link=${shop}`,
  'https://go.example.com/?link=http://shop.example.com/',
  'https://go.example.com/?link=https://elsewhere.example/',
  'https://go.example.com/?link=https://shop.example.com@elsewhere.example/',
  'https://go.example.com/?link=javascript:alert(1)',
  'https://go.example.com/?link=%E0%A4%A',
  `https://google/link/?deep_link_id=${shop}`,
  'com.example.shop://google/link/?deep_link_id=https%3A%2F%2Felsewhere.example',
  'com.example.shop://google/link/?other=1',
])('%j yields nothing', (text) => {
  expect(links.parse(text)).toBeNull();
});

const invitation = 'https://shop.example.com/invite?id=7';
const carried = `link=${encodeURIComponent(invitation)}`;
test.each([
  ['https://go.example.com/action?', '&apn=com.example.app&ibi=com.example.app'],
  ['https://go.example.com/ab?apn=a&', ''],
  ['https://go.example.com/a/long/prefix/?', '&ofl=https://shop.example.com/'],
  ['https://short.example/acme?', '&ibi=a'],
  ['https://short.example/%61cme/deep/er?', '&ibi=a'],
  ['https://short.example/?', ''],
])("Firebase's long link %s…%s carries its destination", (start, end) => {
  const folder = appLinks({
    hosts: ['go.example.com', 'short.example/acme'],
    platform: 'ios',
    linkHosts: ['shop.example.com'],
  });
  expect(folder.parse(`${start}${carried}${end}`)).toEqual({ link: invitation });
});

test('a parameter `link` without the others, or to a foreign host, leaves a short URL as it is', () => {
  for (const query of [carried, 'link=https://elsewhere.example/&apn=a', `${carried}&xapn=a`])
    expect(links.parse(`https://go.example.com/launch?${query}`)).toEqual({
      shortUrl: `https://go.example.com/launch?${query}`,
    });
  expect(links.parse(`http://127.0.0.1:8788/ab?${carried}&apn=a`)).toBeNull();
});

describe('of the shared host, only the folder counts', () => {
  const acme = appLinks({
    hosts: ['short.example/acme', 'go.example.com'],
    platform: 'ios',
    linkHosts: ['short.example/acme'],
  });
  test.each([
    'https://short.example/acme/launch',
    'https://SHORT.example/acme/launch/?a=b',
    'https://short.example:8443/acme/launch',
    'https://go.example.com/other/launch',
  ])('%s is a short URL', (text) => {
    expect(acme.parse(text)).toEqual({ shortUrl: text });
  });

  test.each([
    'https://short.example/other/launch',
    'https://short.example/acme',
    'https://short.example/acme-2/launch',
    'https://short.example/launch',
    `https://short.example/other?${carried}&apn=a`,
    `https://short.example/acme/../other?${carried}&apn=a`,
    ...[
      'https://short.example/other/launch',
      'https://short.example/acme/../other',
      'https://short.example/acme/%2E./other',
      'https://short.example//acme/launch',
      'https://short.example/acme%2flaunch',
      'https://short.example/%E0%A4%A',
    ].map((link) => `a://google/link/?deep_link_id=${encodeURIComponent(link)}`),
  ])('%s yields nothing', (text) => {
    expect(acme.parse(text)).toBeNull();
  });

  test('a destination in the folder is taken', () => {
    const link = 'https://short.example/acme/launch';
    expect(acme.parse(`a://google/link/?deep_link_id=${encodeURIComponent(link)}`)).toEqual({ link });
  });
});

test.each([
  ['https://go.example.com', 'https://go.example.com/launch'],
  ['HTTPS://Go.Example.com/', 'https://go.example.com/launch'],
  ['http://10.0.2.2:8788', 'http://10.0.2.2:8788/launch'],
  ['https://short.example/acme/', 'https://short.example/acme/launch'],
])('the host %j opens %s', (host, opened) => {
  expect(appLinks({ hosts: [host], platform: 'ios' }).parse(opened)).toEqual({ shortUrl: opened });
});

test.each([
  ...[
    '',
    ' go.example.com',
    'go.example.com/',
    'go.example.com/acme/',
    'go.example.com/a/b',
    'go..example.com',
  ],
  ...['*.example.com', 'bücher.example', 'ftp://go.example.com', 'go.example.com?a', 'user@go.example.com'],
  ...['//go.example.com', 'https://', 'go.example.com:port', 'short.example/a', 'go_b.example.com', null, 7],
])('the host %j is refused at once, for every entry point', (host) => {
  const faulty = [
    { hosts: [host] },
    { hosts: ['go.example.com', host] },
    { hosts: ['go.example.com'], linkHosts: [host] },
    { hosts: [] },
    { hosts: host },
    {},
  ];
  for (const given of faulty) {
    const settings = { platform: 'ios', storage: {}, linking: {}, ...given } as never;
    for (const begin of [appLinks, createAppLinks, configure])
      expect(() => begin(settings)).toThrow(TypeError);
  }
  expect(() => appLinks(faulty[1] as never)).toThrow(`hosts: ${JSON.stringify(host)} isn't a host such as`);
  expect(() => appLinks(faulty[2] as never)).toThrow(/^linkHosts: /);
});

test('without hosts that it may lead to, an address leads nowhere', () => {
  const strict = appLinks({ hosts: ['go.example.com'], platform: 'android' });
  expect(strict.parse(`https://go.example.com/?link=${shop}`)).toBeNull();
});

test('paths are those of the service', () => {
  const segment = fc.stringMatching(/^[A-Za-z0-9_.-]{0,6}$/);
  fc.assert(
    fc.property(fc.array(segment, { minLength: 1, maxLength: 3 }), (segments) => {
      const path = `/${segments.join('/')}`;
      const { folder, code, file } = readShortPath(path) ?? {};
      const clean = code && !file ? [folder, code].filter(Boolean).join('/') : undefined;
      const opened = links.parse(`https://go.example.com${path}`) as { shortUrl: string } | null;
      expect(opened?.shortUrl.replace(/\/$/, '')).toBe(clean && `https://go.example.com/${clean}`);
    }),
    { numRuns: runs(100) },
  );
});

test.each(shortUrlEndings)('from %s in a text, the app takes %s', (path, leads) => {
  const opened = links.parse(`https://go.example.com${path}?a=1#top`) as { shortUrl: string } | null;
  const place = path.includes('demo') ? 'demo/launch' : 'launch';
  const clean = opened?.shortUrl.replace('%6C', 'l').replace('/?', '?');
  expect(clean).toBe(leads === 'link' ? `https://go.example.com/${place}?a=1` : undefined);
});

test('spaces around a short URL, and a fragment, quotes and brackets after it, are dropped', () => {
  for (const text of ['#top', '”', '’).', '\u3000', ' .', '\u200b', '…\n', '\ufeff>', '" '])
    expect(links.parse(` https://go.example.com/launch${text}`)).toEqual({
      shortUrl: 'https://go.example.com/launch',
    });
});

test('where Unicode properties are not supported, as in older Hermes, punctuation still ends a short URL', () => {
  const System = RegExp;
  const supported = jest.spyOn(globalThis, 'RegExp').mockImplementation(((source: string, flags = '') => {
    if (flags.includes('u')) throw new SyntaxError('Invalid property name');
    return new System(source, flags);
  }) as never);
  const opened = ['”', '’).', '。', '！', '\u3000', '\ufeff', 'é'].map((end) =>
    links.parse(`https://go.example.com/launch${end}`),
  );
  supported.mockRestore();
  const launch = { shortUrl: 'https://go.example.com/launch' };
  expect(opened).toEqual([...Array(6).fill(launch), null]);
});

test('no text leads to another host, or fails', () => {
  const part = fc.constantFrom(
    ...['https://', 'http:', '//', '/', '\\', '@', '?', '#', ':', '%', '&', '.', 'link=', 'launch', ' '],
    ...['go.example.com', 'shop.example.com', 'evil.example', 'a://google/link/?deep_link_id=', '%2f', '\n'],
  );
  const text = fc.array(fc.oneof(part, fc.string({ maxLength: 3 })), { maxLength: 8 });
  const form = (parts: string[]) => [
    parts.join(''),
    `https://go.example.com/${parts.join('')}`,
    `https://go.example.com/?link=${encodeURIComponent(`https://shop.example.com${parts.join('')}`)}`,
  ];
  fc.assert(
    fc.property(text, (parts) => {
      for (const one of form(parts)) {
        const opened = links.parse(one);
        if (!opened) continue;
        const { hostname } = new URL('link' in opened ? opened.link : opened.shortUrl);
        expect('link' in opened ? 'shop.example.com' : 'go.example.com').toBe(hostname);
      }
    }),
    { numRuns: runs(200) },
  );
});

describe('asked over HTTP', () => {
  const asked: string[] = [];
  let status = 200;
  let answer: object = { code: 'launch' };
  const server = ofFile(() =>
    listen(({ url = '' }, outgoing) => {
      asked.push(url);
      outgoing.writeHead(status).end(JSON.stringify(answer));
    }),
  );
  let base: string;
  beforeAll(() => {
    base = server.endpoint;
  });
  beforeEach(() => {
    asked.length = 0;
    status = 200;
  });

  test('a short URL is resolved with its query, in one request', async () => {
    expect(await links.resolve(`${base}/launch?a=%20b&platform=web&first=x#top`)).toEqual({ code: 'launch' });
    expect(await links.resolve(`${base}/acme/launch/`, { first: true })).toEqual({ code: 'launch' });
    expect(await links.resolve(`${base}/launch?first&platform&firsts=a`)).toEqual({ code: 'launch' });
    expect(asked).toEqual([
      '/launch/open.json?a=%20b&platform=ios',
      '/acme/launch/open.json?platform=ios&first=true',
      '/launch/open.json?firsts=a&platform=ios',
    ]);
  });

  test('a first launch reads the referrer and the clipboard', async () => {
    const referrer = `utm_source=a&deepLink=${encodeURIComponent(`${base}/launch?a=b`)}`;
    expect(await links.fromReferrer(referrer)).toEqual({ code: 'launch' });
    expect(await links.fromClipboard(`${base}/launch\n`)).toEqual({ code: 'launch' });
    expect(asked).toEqual([
      '/launch/open.json?a=b&platform=ios&first=true',
      '/launch/open.json?platform=ios&first=true',
    ]);
    expect(await links.fromReferrer('utm_source=google-play&utm_medium=organic')).toBeNull();
    expect(await links.fromClipboard('my password')).toBeNull();
    expect(asked).toHaveLength(2);
  });

  test.each([404, 500, 503, 302])('%d is null, and not asked again', async (answered) => {
    status = answered;
    expect(await links.resolve(`${base}/launch`)).toBeNull();
    expect(asked).toHaveLength(1);
  });

  test.each([
    ['https://elsewhere.example/launch', null],
    ['https://go.example.com@elsewhere.example/launch', null],
    ['', null],
    ['http://localhost:8788/launch', { shortUrl: 'http://localhost:8788/launch' }],
    ['https://go.example.com/launch', { shortUrl: 'https://go.example.com/launch' }],
    ['http://127.0.0.1:1/launch', { shortUrl: 'http://127.0.0.1:1/launch' }],
  ])('a response for the short URL %j gives %j', async (shortUrl, link) => {
    answer = { shortUrl };
    expect(await links.resolve(`${base}/launch`)).toEqual(link);
    answer = { code: 'launch' };
  });

  test('an address without a server gives null', async () => {
    expect(await links.resolve('http://127.0.0.1:1/launch')).toBeNull();
  });
});

test('openings of the app are handed over until it ends', async () => {
  const heard = new Set<(event: { url: string }) => void>();
  const linking = {
    addEventListener: (_: 'url', listener: (event: { url: string }) => void) => {
      heard.add(listener);
      return { remove: () => void heard.delete(listener) };
    },
    getInitialURL: async () => 'https://go.example.com/first',
  };
  const opened: Opened[] = [];
  const end = links.listen(linking, (one) => opened.push(one));
  await linking.getInitialURL();
  for (const listener of heard) listener({ url: 'https://go.example.com/second' });
  for (const listener of heard) listener({ url: 'https://elsewhere.example/' });
  expect(opened).toEqual([
    { shortUrl: 'https://go.example.com/first' },
    { shortUrl: 'https://go.example.com/second' },
    null,
  ]);
  end();
  expect(heard.size).toBe(0);

  const ended = links.listen(linking, (one) => opened.push(one));
  ended();
  await linking.getInitialURL();
  expect(opened).toHaveLength(3);
});
