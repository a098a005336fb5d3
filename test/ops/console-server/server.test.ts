import { createServer, type IncomingHttpHeaders, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startConsole } from '../../../ops/console-server/server.ts';
import { openDeployment } from '../../../ops/deployment/deployment.ts';
import { localServices } from '../../../ops/deployment/service-access.ts';

const address = 'http://127.0.0.1:1';
const subject = {
  // No request of these tests reaches the table.
  deployment: openDeployment(
    { TableName: 'no-table', ApiBaseUrl: address, ShortBaseUrl: address },
    localServices({ dynamodb: address }),
  ),
  name: 'A stack under test',
  flags: '--stack Tested',
  portOption: '--port',
};

let running: Awaited<ReturnType<typeof startConsole>>;
beforeAll(async () => {
  running = await startConsole({ ...subject, port: 0 });
});
afterAll(() => running.stop());

interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

interface Asked {
  readonly path?: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** `fetch` sets its own Host and Origin. */
const ask = ({ path = '/', method = 'GET', headers = {}, body }: Asked): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(running.address);
    const sent = request({ hostname, port, path, method, headers }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk) => chunks.push(chunk));
      answer.on('end', () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
    });
    sent.on('error', reject);
    sent.end(body);
  });

const opened = () => {
  const { pathname, search } = new URL(running.address);
  return ask({ path: pathname + search });
};

/** Cookie and key of the browser that opened the address. */
const session = async () => {
  const { headers } = await opened();
  const [cookie = ''] = headers['set-cookie'] ?? [];
  const [, key = ''] = (headers.location ?? '').split('#');
  return { Cookie: cookie.split(';')[0] ?? '', 'X-Console-Key': key };
};

const origin = () => new URL(running.address).origin;
const call = { path: '/api/deployment', method: 'POST', body: '{}' };
const json = { 'Content-Type': 'application/json' };

const draft = (payload: object) => ({
  project: 'demo',
  link: { payload: { link: 'https://a.example', ...payload } },
});

test('the address sets a cookie for this site only, and redirects without its token', async () => {
  const { status, headers } = await opened();
  expect(status).toBe(303);
  expect(headers.location).toMatch(/^\/#[\w-]{43}$/);
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(/^console-\d+=[\w-]{43}; HttpOnly; SameSite=Strict; Path=\/$/),
  ]);
  const token = new URL(running.address).searchParams.get('token') ?? '';
  expect(token).toHaveLength(32);
  expect(JSON.stringify(headers)).not.toContain(token);
});

test('an address with the token and a view redirects to the view, and to no other host', async () => {
  const token = new URL(running.address).searchParams.get('token');
  const at = async (path: string) => (await ask({ path })).headers.location?.split('#')[0];
  expect(await at(`/p/demo?q=a%20b&token=${token}`)).toBe('/p/demo?q=a+b');
  expect(await at(`//evil.example/?token=${token}`)).toBe('/evil.example/');
});

test('the server only listens on the loopback address', async () => {
  const { port } = new URL(running.address);
  // A server on all addresses of this machine would also answer here.
  await expect(fetch(`http://127.0.0.2:${port}/`)).rejects.toThrow();
});

test('the page is served to the browser that opened the address', async () => {
  const headers = await session();
  const page = await ask({ path: '/p/demo', headers });
  expect(page.status).toBe(200);
  expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
  expect(page.text).not.toMatch(/<script(?![^>]* src="\/)|<style|style=|https?:/);
  expect((await ask({ path: '/app.js', headers })).headers['content-type']).toContain('text/javascript');
  expect((await ask({ path: '/missing.js', headers })).status).toBe(404);
});

test('calls of its own page work', async () => {
  const headers = { ...(await session()), ...json, Origin: origin() };
  const { status, text } = await ask({ ...call, headers });
  expect([status, JSON.parse(text)]).toEqual([
    200,
    { data: { name: 'A stack under test', flags: '--stack Tested', shortBase: 'http://127.0.0.1:1' } },
  ]);
  expect((await ask({ ...call, headers, method: 'GET', body: '' })).status).toBe(405);
});

test('a bad call is refused with a reason', async () => {
  const headers = { ...(await session()), ...json, Origin: origin() };
  const refused = async (asked: Asked) => {
    const { status, text } = await ask({ ...call, headers, ...asked });
    return [status, JSON.parse(text).error.message];
  };
  expect(await refused({ body: '{' })).toEqual([400, 'A call takes JSON in UTF-8']);
  expect(await refused({ headers: { ...headers, 'Content-Type': 'text/plain' } })).toEqual([
    400,
    'A call takes JSON',
  ]);
  expect(await refused({ path: '/api/constructor' })).toEqual([400, 'There is no call constructor']);
  expect(await refused({ path: '/api/project', body: '{"project":7}' })).toEqual([
    400,
    expect.stringContaining('project: '),
  ]);
});

// No call reaches the table, which would not respond.
test.each([
  ['project', 'project: must be well-formed Unicode', { project: 'a\ud800' }],
  ['deleteProject', 'project: must have at most 255 characters', { project: 'a'.repeat(3000) }],
  ['links', 'tag.1: must be well-formed Unicode', { project: 'demo', tag: ['a', '\udc00'] }],
  ['app', 'id: must have at most 255 characters', { project: 'demo', id: 'é'.repeat(700) }],
  ['removeHost', 'host: must not be empty', { host: '' }],
  ['createLink', 'payload.android: must be an object', draft({ android: 7 })],
  ['createLink', 'payload.social.title: must be a string', draft({ social: { title: 7 } })],
  ['createLink', 'payload.link: must be a string', draft({ link: {} })],
  ['project', 'The call: must be an object', []],
])('%s is refused: %s', async (name, message, input) => {
  const headers = { ...(await session()), ...json, Origin: origin() };
  const path = `/api/${name}`;
  const { status, text } = await ask({ path, method: 'POST', headers, body: JSON.stringify(input) });
  expect([status, JSON.parse(text).error.message]).toEqual([400, expect.stringContaining(message)]);
});

describe('the server refuses requests', () => {
  const views: Asked[] = [{ path: '/' }, { path: '/app.js' }, { path: '/p/demo' }, call];

  test.each(views)('without cookie and key: $path', async (asked) => {
    const { status, text } = await ask({ ...asked, headers: { ...json, Origin: origin() } });
    expect([status, text]).toEqual([401, expect.stringContaining('Open the address')]);
  });

  test('with a wrong token, however long', async () => {
    for (const token of ['', 'x', 'x'.repeat(32), 'x'.repeat(5000)]) {
      const { status, headers } = await ask({ path: `/?token=${token}`, headers: await session() });
      expect([status, headers['set-cookie']]).toEqual([401, undefined]);
    }
  });

  test('with only the cookie, which browsers may send to other programs on this machine', async () => {
    const { Cookie } = await session();
    for (const key of [undefined, 'x'.repeat(43), Cookie.split('=')[1] ?? '']) {
      const headers = { Cookie, ...json, Origin: origin(), ...(key && { 'X-Console-Key': key }) };
      expect((await ask({ ...call, headers })).status).toBe(401);
    }
  });

  test.each(['evil.example', 'localhost', '127.0.0.1', 'evil.example:80'])(
    'for the host %s',
    async (Host) => {
      const own = { ...(await session()), ...json, Host };
      const given: Readonly<Record<string, string>>[] = [own, { ...own, Origin: `http://${Host}` }];
      for (const headers of given)
        for (const asked of views) expect((await ask({ ...asked, headers })).status).toBe(403);
    },
  );

  test('from another origin, and no origin may read responses', async () => {
    const own = { ...(await session()), ...json };
    const port = Number(new URL(running.address).port);
    const foreign = [
      'https://evil.example',
      'null',
      `http://127.0.0.1:${port + 1}`,
      `http://localhost:${port}`,
    ];
    for (const Origin of foreign) {
      for (const asked of views) {
        const { status, headers } = await ask({ ...asked, headers: { ...own, Origin } });
        expect(status).toBe(403);
        expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
      }
    }
    const preflight = { Origin: 'https://evil.example', 'Access-Control-Request-Method': 'POST' };
    expect((await ask({ ...call, method: 'OPTIONS', headers: { ...own, ...preflight } })).status).toBe(403);
  });

  test('without an origin, and loads by another site', async () => {
    const own = { ...(await session()), ...json };
    expect((await ask({ ...call, headers: own })).status).toBe(403);
    const loaded = { ...own, 'Sec-Fetch-Site': 'same-site', 'Sec-Fetch-Mode': 'no-cors' };
    expect((await ask({ path: '/app.js', headers: loaded })).status).toBe(403);
  });
});

test('an image is shown in a frame of the console', async () => {
  const path = '/image?src=https%3A%2F%2Fcdn.example.com%2Fa.png';
  const { status, headers } = await ask({ path, headers: await session() });
  expect([status, headers['content-security-policy']]).toEqual([
    200,
    "default-src 'none'; img-src https://cdn.example.com; frame-ancestors 'self'; sandbox",
  ]);
  expect((await ask({ path })).status).toBe(401);
});

test('every response forbids foreign content and frames, and caching', async () => {
  const own = await session();
  for (const headers of [own, {}, { ...own, Host: 'evil.example' }]) {
    const answer = await ask({ headers });
    const policy = answer.headers['content-security-policy'] ?? '';
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("frame-ancestors 'none'");
    // Logos, which as images run nothing.
    expect(String(policy).replace("img-src 'self' data:;", '')).not.toMatch(/unsafe|https?:|\*|data:/);
    expect(answer.headers['cache-control']).toBe('no-store');
  }
});

describe('the port', () => {
  const busy = createServer();
  beforeAll(() => new Promise<void>((resolve) => busy.listen(0, '127.0.0.1', resolve)));
  afterAll(() => new Promise((resolve) => busy.close(resolve)));

  test('if given and busy is refused with advice', async () => {
    const { port } = busy.address() as AddressInfo;
    await expect(startConsole({ ...subject, port })).rejects.toThrow(
      `port ${port} is already in use: stop the other program or choose another with --port`,
    );
  });

  test('is another one if the default is busy', async () => {
    const two = await Promise.all([startConsole(subject), startConsole(subject)]);
    const ports = two.map(({ address }) => new URL(address).port);
    expect(new Set(ports).size).toBe(2);
    await Promise.all(two.map((one) => one.stop()));
  });

  test('is the one before, with its token, or another if that is busy', async () => {
    const first = await startConsole({ ...subject, port: 0 });
    const before = first.address;
    const another = await startConsole({ ...subject, port: 0, before });
    await Promise.all([first.stop(), another.stop()]);
    const [one, other] = [before, another.address].map((address) => new URL(address));
    expect([other?.search, other?.port === one?.port]).toEqual([one?.search, false]);
    const again = await startConsole({ ...subject, port: 0, before });
    expect(again.address).toBe(before);
    // A program that had the port in between may have both former secrets.
    const opened = async () => {
      const { headers } = await fetch(before, { redirect: 'manual' });
      return [headers.get('set-cookie')?.split(';')[0] ?? '', headers.get('location')?.split('#')[1] ?? ''];
    };
    const [cookie = '', key = ''] = await opened();
    await again.stop();
    const third = await startConsole({ ...subject, port: 0, before });
    const [fresh = '', freshKey] = await opened();
    expect([fresh === cookie, freshKey === key]).toEqual([false, false]);
    const statusWith = async (one: string) =>
      (await fetch(new URL('/', before), { headers: { cookie: one } })).status;
    expect([await statusWith(cookie), await statusWith(fresh)]).toEqual([401, 200]);
    await third.stop();
  });
});
