import { createContext, Script } from 'node:vm';
import fc from 'fast-check';
import { readShortPath } from '../../core/hosts/short-address.ts';
import { notFound } from '../../lambdas/short-urls/responses.ts';
import { closingMarks } from '../../lib/closing-marks.ts';
import { viewerRequestSource } from '../../lib/viewer-request.ts';
import { runs } from '../support/nightly.ts';
import { shortUrlEndings } from '../support/short-url-endings.ts';

const source = viewerRequestSource();

type Headers = Record<string, { value: string; multiValue?: { value: string }[] }>;
interface Answer {
  readonly statusCode?: number;
  readonly headers: Headers;
  readonly body?: string;
  readonly uri?: string;
}

/** Runs the deployed source without Node's globals, as CloudFront does. */
const run = new Script(`${source};handler`).runInContext(createContext({})) as (event: object) => Answer;

const ask = (request: { method?: string; uri?: string; headers?: Headers } = {}): Answer =>
  run({
    version: '1.0',
    context: { eventType: 'viewer-request', requestId: 'visit-1' },
    request: {
      method: 'GET',
      uri: '/launch',
      querystring: {},
      cookies: {},
      ...request,
      headers: { host: { value: 'go.example.com' }, ...request.headers },
    },
  });

test("fits CloudFront's size limit, without the keywords that CloudFront refuses", () => {
  const abuseContact = `https://example.com/${'a'.repeat(300)}`;
  const failingOver = viewerRequestSource({ abuseContact, standby: 'us-west-2' });
  for (const one of [source, failingOver]) expect(Buffer.byteLength(one)).toBeLessThan(10 * 1024);
  expect(source).not.toMatch(/^\s*(export|import)\b/m);
  const [first, ...rest] = failingOver.split('\n');
  expect(first).toBe("import cf from 'cloudfront';");
  expect(rest.join('\n')).not.toMatch(/^\s*(export|import)\b/m);
});

test('ignores forged headers for the host and the visit', () => {
  const forged = { 'x-forwarded-host': { value: 'bank.example.com' }, 'x-visit-id': { value: 'another' } };
  const { headers, uri } = ask({ headers: forged });
  expect([headers['x-forwarded-host'], uri]).toEqual([{ value: 'go.example.com' }, '/launch']);
  expect(headers['x-visit-id']).toEqual({ value: 'visit-1' });
});

test.each(['sec-purpose', 'purpose', 'x-purpose', 'x-moz'])(
  'passes the value of %s on in one header',
  (name) => {
    const { headers } = ask({ headers: { [name]: { value: 'prefetch' } } });
    expect(headers['sec-purpose']).toEqual({ value: 'prefetch' });
    expect(Object.keys(headers).sort()).toEqual(['host', 'sec-purpose', 'x-forwarded-host', 'x-visit-id']);
  },
);

test('joins several purpose headers', () => {
  const { headers } = ask({
    headers: {
      'sec-purpose': { value: 'a', multiValue: [{ value: 'a' }, { value: 'b' }] },
      'x-moz': { value: 'prefetch' },
    },
  });
  expect(headers['sec-purpose']).toEqual({ value: 'a, b, prefetch' });
});

test.each(['GET', 'HEAD'])('lets %s pass', (method) => {
  expect(ask({ method }).statusCode).toBeUndefined();
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('answers %s itself', (method) => {
  const { statusCode, headers } = ask({ method });
  expect(statusCode).toBe(405);
  expect(headers.allow).toEqual({ value: 'GET, HEAD' });
});

test('allows crawlers, which make previews', () => {
  const { statusCode, headers, body } = ask({ uri: '/robots.txt' });
  expect(statusCode).toBe(200);
  expect(headers['content-type']?.value).toMatch(/^text\/plain/);
  expect(body).toBe('User-agent: *\nAllow: /\n');
});

test('responds to browsers that request an icon', () => {
  expect(ask({ uri: '/favicon.ico' }).statusCode).toBe(204);
});

test.each([{ method: 'POST' }, { uri: '/robots.txt' }, { uri: '/favicon.ico' }])(
  'responds to %j with the usual security headers',
  (request) => {
    expect(ask(request).headers).toMatchObject({
      'strict-transport-security': { value: 'max-age=31536000' },
      'x-content-type-options': { value: 'nosniff' },
    });
  },
);

describe('paths', () => {
  const passes = (uri: string) => ask({ uri }).statusCode === undefined;

  test.each([
    ...['/wp-login.php', '/.env', '/ab', '/acme/launch/more', '/a%20b', '/a+b', '/a.b', '/x/..%2f', '/%'],
  ])('%s cannot be a short URL, and gets its response here', (uri) => {
    expect(passes(uri)).toBe(false);
  });

  test.each([
    ...['/', '/launch', '/launch/', '/acme/launch', '/acme/launch/qr.png', '/launch/link.json'],
    ...['/launch/open.json', '/.well-known/assetlinks.json', '/.well-known/security.txt'],
    ...['/apple-app-site-association', '/l%61unch'],
  ])('%s reaches the service', (uri) => {
    expect(passes(uri)).toBe(true);
  });

  test.each([
    ['/a%2Db', '/a-b'],
    ['/%61cme/my%5fcode', '/acme/my_code'],
    ['/launch/qr%2Epng', '/launch/qr.png'],
  ])('%s means %s', (uri, plain) => expect(ask({ uri }).uri).toBe(plain));

  test.each(['/a%252Db', '/acme%2Flaunch', '/launch%25', '/l%C3%A4unch', '/launch%00'])(
    '%s has escapes that stay',
    (uri) => expect(passes(uri)).toBe(false),
  );

  test('every escape of a short path means its letter', () => {
    const escaped = (letter: string, isEscaped: boolean) =>
      isEscaped ? `%${letter.charCodeAt(0).toString(16)}` : letter;
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Za-z0-9_-]{3,50}$/),
        fc.infiniteStream(fc.boolean()),
        (code, choice) => {
          const uri = [...code].map((letter) => escaped(letter, choice.next().value)).join('');
          expect(ask({ uri: `/${uri}` }).uri).toBe(`/${code}`);
        },
      ),
    );
  });

  /** Paths that are not short URLs and still reach the service. */
  const isPassedOn = (uri: string) =>
    uri.startsWith('/.well-known/') ||
    ['/', '/robots.txt', '/favicon.ico'].includes(uri) ||
    /\/(link|open)\.json$/.test(uri);

  test('no path of the service is refused', () => {
    const part = fc.oneof(
      fc.stringMatching(/^[A-Za-z0-9_-]{1,51}$/),
      fc.constantFrom('qr.png', 'qr.svg', 'link.json', 'open.json', 'index.php', '.well-known', '', '%41bc'),
      fc.string(),
    );
    const paths = fc.array(part, { maxLength: 4 }).map((parts) => `/${parts.join('/')}`);
    fc.assert(
      fc.property(paths, (uri) => {
        const passed = ask({ uri });
        if (passed.statusCode === undefined) expect(ask({ uri: passed.uri ?? '' }).uri).toBe(passed.uri);
        const { folder, code, file } = readShortPath(uri) ?? {};
        if (code !== undefined) expect(passed.uri).toBe(`/${[folder, code, file].filter(Boolean).join('/')}`);
        else if (!uri.includes('%') && !isPassedOn(uri)) expect(passes(uri)).toBe(false);
      }),
      { numRuns: runs(100) },
    );
  });

  /** The path that CloudFront passes on. */
  const cleanOf = (uri: string, leads: string): string | undefined => {
    const place = uri.includes('demo') ? '/demo/launch' : '/launch';
    return leads === 'nothing' ? undefined : `${place}${leads === 'link' ? '' : `/${leads}`}`;
  };

  test.each(shortUrlEndings)('%s leads to %s', (uri, leads) => {
    const { uri: passed, statusCode } = ask({ uri });
    expect(statusCode === undefined ? passed : undefined).toBe(cleanOf(uri, leads));
    // An encoded letter is decoded before.
    const path = readShortPath(uri.replace('%6C', 'l'));
    const clean = path && `/${[path.folder, path.code, path.file].filter(Boolean).join('/')}`;
    expect(clean).toBe(cleanOf(uri, leads));
  });

  test('closing marks are those of the service, which knows them by their categories', () => {
    let end = 0;
    const listed = closingMarks.split(' ').flatMap((range) => {
      const [distance = '', length = '0'] = range.split('.');
      const start = end + Number.parseInt(distance, 36);
      end = start + Number.parseInt(length, 36);
      return Array.from({ length: end - start + 1 }, (_, index) => start + index);
    });
    const points = Array.from({ length: 0x20000 }, (_, point) => point).filter(
      (point) => point > 0x7f && !(point >= 0xd800 && point < 0xe000),
    );
    const isEnding = (point: number) => readShortPath(`/launch${String.fromCodePoint(point)}`) !== undefined;
    expect(listed).toEqual(points.filter(isEnding));
  });

  test('any number of endings in any order is taken off, raw, as bytes and encoded', () => {
    const letters = `.,;:!?'")]>…”’。，）\t\n\r \u00a0\u3000\u200b\ufeff`;
    const forms = [...letters].flatMap((letter) => {
      const bytes = [...Buffer.from(letter)];
      const escaped = bytes.map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
      return [letter, String.fromCharCode(...bytes), escaped, escaped.toUpperCase()];
    });
    expect(forms.filter((form) => ask({ uri: `/launch${form}` }).uri !== '/launch')).toEqual([]);
    const endings = fc.array(fc.constantFrom(...forms, '/'), { maxLength: 6 }).map((all) => all.join(''));
    const slashes = fc.stringMatching(/^\/{1,3}$/);
    fc.assert(
      fc.property(
        slashes,
        slashes,
        endings,
        fc.constantFrom('', 'qr.png', 'open.json'),
        (a, b, ending, file) => {
          const uri = `${a}acme${b}launch${file && `${b}${file}`}${ending}`;
          expect(ask({ uri }).uri).toBe(`/acme/launch${file && `/${file}`}`);
        },
      ),
      { numRuns: runs(50) },
    );
  });

  test('a long path takes no longer than its length', () => {
    for (const part of ['.', '/', '*', '.*', '%20', '%e2%80%8b', '\u3002', '/a', '.%'])
      for (const start of ['', '/launch', '/launch/qr.png', '/acme/'])
        expect(ask({ uri: `${start}${part.repeat(50_000 / part.length)}x*` }).statusCode).toBe(404);
  });

  test.each(['text/html', 'application/json', '*/*', ''])(
    'the response looks like that for an unknown link: %s',
    async (accept) => {
      const made = ask({ uri: '/wp-login.php', headers: { accept: { value: accept } } });
      const event = { headers: { accept } } as unknown as Parameters<typeof notFound>[1];
      const reply = await notFound({}, event);
      const { statusCode, headers = {}, body } = reply as Exclude<typeof reply, string>;
      expect([made.statusCode, made.body]).toEqual([statusCode, body]);
      for (const [name, value] of Object.entries(headers)) {
        expect(made.headers[name.toLowerCase()]).toEqual({ value });
      }
    },
  );
});

test.each([
  ['Go.Example.COM.', 'go.example.com'],
  ['go.example.com:443', 'go.example.com'],
  ['go.example.com.:443', 'go.example.com'],
  ['go.example.com:80', 'go.example.com'],
  ['127.0.0.1:8788', '127.0.0.1:8788'],
  ['go.acme.test.:8788', 'go.acme.test:8788'],
])('the host %s is %s', (host, handedOn) => {
  expect(ask({ headers: { host: { value: host } } }).headers['x-forwarded-host']).toEqual({
    value: handedOn,
  });
});

test.each([
  'go.example.com:99999',
  'go.example.com:65536',
  'go.example.com:0',
  'go.example.com:x',
  'go.example.com:',
])('the host %s, whose port is none, gets 404', (host) => {
  expect(ask({ headers: { host: { value: host } } }).statusCode).toBe(404);
  expect(ask({ headers: { host: { value: 'go.example.com:65535' } } }).uri).toBe('/launch');
});

describe('with a second region', () => {
  const askFailingOver = (uri: string, method = 'GET') => {
    const groups: unknown[] = [];
    const cf = {
      createRequestOriginGroup: (group: unknown) => groups.push(JSON.parse(JSON.stringify(group))),
    };
    const code = viewerRequestSource({ standby: 'us-west-2' }).replace(/^import.*\n/, '');
    const handler = new Script(`${code};handler`).runInContext(createContext({ cf }));
    const request = { method, uri, headers: { host: { value: 'go.example.com' } } };
    const made: Answer = handler({ context: { requestId: 'visit-1' }, request });
    return { groups, ...made };
  };
  const groupOf = (...ids: string[]) => [
    {
      originIds: ids.map((originId) => ({ originId })),
      failoverCriteria: { statusCodes: [403, 500, 502, 503, 504] },
    },
  ];

  test.each([
    ['/', groupOf('Home', 'Standby')],
    ['/launch', groupOf('Home', 'Standby')],
    ['/acme/launch.', groupOf('Home', 'Standby')],
    ['/.well-known/assetlinks.json', groupOf('HomeFiles', 'StandbyFiles')],
    ['/.well-known/standbyx', groupOf('HomeFiles', 'StandbyFiles')],
    ['/apple-app-site-association', groupOf('HomeFiles', 'StandbyFiles')],
    ['/%61pple-app-site-association', groupOf('HomeFiles', 'StandbyFiles')],
    ['/launch/qr.png', []],
    ['/launch/qr%2Esvg', []],
    ['/launch/link.json', []],
    ['/acme/launch/open.json!', []],
    ['/.well-known/standby', []],
    ['/robots.txt', []],
    ['/.env', []],
  ])('%s may go to %j', (uri, groups) => {
    const found = askFailingOver(uri);
    expect(found.groups).toEqual(groups);
    expect([found.uri, found.statusCode]).toEqual([ask({ uri }).uri, ask({ uri }).statusCode]);
    expect(askFailingOver(uri, 'HEAD').groups).toEqual(groups);
    expect(askFailingOver(uri, 'POST')).toMatchObject({ groups: [], statusCode: 405 });
  });

  test('paths below /.well-known/standby are short URLs of the second region', () => {
    expect(askFailingOver('/.well-known/standby/acme/launch.')).toMatchObject({
      uri: '/acme/launch',
      groups: [],
    });
    expect(askFailingOver('/.well-known/standby/')).toMatchObject({ uri: '/', groups: [] });
  });
});
