import { setImmediate as nextTurn } from 'node:timers/promises';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { DynamicLinks, DynamicLinksError } from '../../client/index.ts';
import { type FailureCode, type Fault, failureStatus, refuseFaults } from '../../core/base/failure.ts';
import { faultMessages } from '../../core/base/messages.ts';
import { listen } from '../support/listen.ts';

const key = 'dls_secretsecretsecretsecretsecretsecret';

const clientWith = (fetch: typeof globalThis.fetch, settings: object = {}) =>
  new DynamicLinks({ url: 'https://api.example.com', key, retries: 0, fetch, ...settings });

/** A client whose calls all get the same answer. */
const answered = (status: number, body: unknown) =>
  clientWith(async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status }));

const failureOf = (call: Promise<unknown>): Promise<DynamicLinksError> =>
  call.then(
    () => Promise.reject(new Error('The call succeeded')),
    (error) => {
      expect(error).toBeInstanceOf(DynamicLinksError);
      return error;
    },
  );

test.each(Object.entries(failureStatus))('%s arrives as it is', async (code, status) => {
  const error = { code, message: 'Because' };
  const failure = await failureOf(answered(status, { success: false, error }).usage());
  expect(failure).toMatchObject({ code, status, message: 'Because', faults: [], attempts: 1 });
});

const payload = { link: 'https://example.com/' };

test.each<[string, number, (client: DynamicLinks) => Promise<unknown>]>([
  ['LINK_NOT_FOUND', 404, ({ links }) => links.update('abc', { payload })],
  ['LINK_EXPIRED', 400, ({ links }) => links.update('abc', { payload })],
  ['LINK_NOT_FOUND', 404, ({ links }) => links.patch('abc', { name: 'New' })],
  ['LINK_EXPIRED', 400, ({ links }) => links.patch('abc', { name: 'New' })],
  ['UNEXPECTED_RESPONSE', 400, ({ links }) => links.get('abc')],
  ['MOBILE_APP_NOT_FOUND', 404, ({ apps }) => apps.get('1')],
  ['MOBILE_APP_NOT_FOUND', 404, ({ apps }) => apps.delete('1')],
  ['UNEXPECTED_RESPONSE', 400, ({ apps }) => apps.get('1')],
])('a plain failure is %s at %d', async (code, status, act) => {
  const failure = await failureOf(act(answered(status, { success: false, error: 'Plain' })));
  expect(failure).toMatchObject({ code, status, message: 'Plain' });
});

test.each<[number, unknown]>([
  [200, '<html>'],
  [200, { data: {} }],
  [200, 'null'],
  [502, 'Bad gateway'],
  [502, { success: true, data: {} }],
  [403, { message: 'Forbidden' }],
  [302, ''],
])('%d with %j is unexpected', async (status, body) => {
  const failure = await failureOf(answered(status, body).links.get('abc'));
  expect(failure).toMatchObject({ code: 'UNEXPECTED_RESPONSE', status });
  expect(failure.message).toContain('GET /links/abc');
});

test('faults are those that the response lists', async () => {
  const faults = [{ path: 'payload.link', message: 'is required; send it' }];
  const error = { code: 'VALIDATION_ERROR', message: 'link: is required', faults };
  const failure = await failureOf(answered(400, { success: false, error }).usage());
  expect(failure.faults).toEqual([{ field: 'payload.link', message: 'is required; send it' }]);
});

test('a message that is no text is left out', async () => {
  const error = { code: 'BAD_REQUEST', message: { toString: 1 } };
  const failure = await failureOf(answered(400, { success: false, error }).usage());
  expect(failure).toMatchObject({ code: 'BAD_REQUEST', message: 'BAD_REQUEST' });
});

test('a response without an end is unexpected, and is not read on', async () => {
  let isCancelled = false;
  const body = () =>
    new ReadableStream({
      pull: async (controller) => {
        await nextTurn();
        controller.enqueue(new Uint8Array(65_536));
      },
      cancel: () => {
        isCancelled = true;
      },
    });
  const client = clientWith(async () => new Response(body()), { timeoutMs: 3000 });
  expect(await failureOf(client.usage())).toMatchObject({ code: 'UNEXPECTED_RESPONSE', status: 200 });
  expect(isCancelled).toBe(true);
});

test('every fault in an API response is found again', async () => {
  const path = fc.stringMatching(/^[A-Za-z_-]{1,12}(\.(\d{1,2}|[a-zA-Z_]{1,12})){0,3}$/);
  const message = fc
    .constantFrom(...Object.values(faultMessages))
    .map((text) => text.replaceAll(/\{\w+\}/g, 'a, b'));
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ field: path, message }), { minLength: 1, maxLength: 30 }),
      async (faults) => {
        const bodyError = bodyErrorOf(faults);
        const failure = await failureOf(
          answered(400, { success: false, error: bodyError }).links.create({ payload }),
        );
        expect(failure.faults).toEqual(faults.slice(0, 20));
      },
    ),
  );
});

/** The failure that the service makes of faults. */
const bodyErrorOf = (faults: readonly Fault[]): { code: FailureCode; message: string } => {
  try {
    refuseFaults(faults);
  } catch (failure) {
    const { code, message } = failure as { code: FailureCode; message: string };
    return { code, message };
  }
  throw new Error('Nothing was refused');
};

describe('the key', () => {
  const echoing = answered(400, { success: false, error: { code: 'BAD_REQUEST', message: `No: ${key}` } });

  test('is in no message, even if the service returns it', async () => {
    expect((await failureOf(echoing.usage())).message).toBe('No: [key]');
  });

  test('is shown by no look at the client', () => {
    const shown = [
      inspect(echoing, { depth: 9, showHidden: true }),
      JSON.stringify(echoing),
      String(echoing),
    ];
    expect(shown.join()).not.toContain(key);
  });

  test('is not in the error of a connection that fails', async () => {
    const { endpoint: url, stop } = await listen(() => undefined);
    await stop();
    const failure = await failureOf(clientWith(fetch, { url }).usage());
    expect(failure).toMatchObject({ code: 'CONNECTION_ERROR', status: 0, cause: expect.anything() });
    expect(failure.message).toContain('ECONNREFUSED');
    expect(inspect(failure, { depth: 9, showHidden: true })).not.toContain(key);
  });
});

test.each<[object | undefined, RegExp]>([
  [undefined, /url is missing/],
  [{ key }, /url is missing/],
  [{ url: '', key }, /url is missing/],
  [{ url: 'https://api.example.com' }, /key is missing/],
  [{ url: 'https://api.example.com', key: '' }, /key is missing/],
  [{ url: 'https://api.example.com', key: undefined }, /key is missing/],
  [{ url: 'https://api.example.com', key: `${key}\n` }, /printable/],
  [{ url: 'api.example.com', key }, /http/],
  [{ url: 'ftp://api.example.com', key }, /http/],
  [{ url: 'https://me:secret@api.example.com', key }, /user name/],
])('settings %j are a mistake of the program', (settings, message) => {
  const make = () => new DynamicLinks(settings as { url: string; key: string });
  expect(make).toThrow(TypeError);
  expect(make).toThrow(message);
  expect(make).not.toThrow(key);
});

test.each(['', '.', '..', undefined])('a code %j would name other paths', async (code) => {
  const { links } = answered(200, { success: true, data: {} });
  await expect(async () => links.delete(code as string)).rejects.toThrow(TypeError);
});

test.each([
  ['https://api.example.com', 'https://api.example.com/1.0'],
  ['https://api.example.com/', 'https://api.example.com/1.0'],
  ['https://api.example.com/1.0', 'https://api.example.com/1.0'],
  ['https://api.example.com/1.0/', 'https://api.example.com/1.0'],
  ['http://127.0.0.1:8787/dev', 'http://127.0.0.1:8787/dev/1.0'],
  ['HTTP://LOCALHOST:8787', 'HTTP://LOCALHOST:8787/1.0'],
  ['http://127.9.9.9', 'http://127.9.9.9/1.0'],
  ['http://[::1]:8787', 'http://[::1]:8787/1.0'],
])('the address may be %s', async (url, base) => {
  const asked: string[] = [];
  const fetch = async (address: unknown) => {
    asked.push(String(address));
    return Response.json({ success: true, data: {} });
  };
  const client = clientWith(fetch, { url });
  await client.links.get('a b/ü');
  await client.request('get', '/1.0/analytics', { query: { code: 'abc', groupBy: 'os', start: undefined } });
  expect(asked).toEqual([`${base}/links/a%20b%2F%C3%BC`, `${base}/analytics?code=abc&groupBy=os`]);
});

test.each([
  ...[
    'http://api.example.com',
    'HTTP://api.example.com:443/1.0',
    'http://10.0.0.1',
    'http://192.168.0.1:8787',
  ],
  ...['http://localhost.example.com', 'http://127.0.0.1.example.com', 'http://[::2]', 'http://0.0.0.0'],
])('the key goes over http to no other machine: %s', (url) => {
  expect(() => new DynamicLinks({ url, key })).toThrow(TypeError);
});

test('every response is reported, with its rate limit if it has one', async () => {
  const seen: unknown[] = [];
  const headers = {
    'x-ratelimit-limit': '100',
    'x-ratelimit-remaining': '99',
    'x-ratelimit-reset': '2026-11-22T13:00:00.000Z',
  };
  const client = clientWith(
    async (address) =>
      Response.json({ success: true, data: {} }, String(address).endsWith('/usage') ? { headers } : {}),
    { onResponse: (facts: unknown) => seen.push(facts) },
  );
  await client.usage();
  await client.links.delete('abc');
  const rateLimit = { limit: 100, remaining: 99, reset: '2026-11-22T13:00:00.000Z' };
  const always = { status: 200, attempt: 1, ms: expect.any(Number) };
  expect(seen).toEqual([
    { ...always, method: 'GET', path: '/usage', rateLimit },
    { ...always, method: 'DELETE', path: '/links/abc', rateLimit: undefined },
  ]);
});
