import { DynamicLinksError, type ShareRequest, shareLink } from '../../client/app.ts';
import { DynamicLinksError as ServerError } from '../../client/index.ts';

const publishableKey = `dlp_${'aB3'.repeat(13)}x`;
const stored = {
  code: 'x7Kq2mZp9a',
  shortUrl: 'https://go.example.com/x7Kq2mZp9a',
  link: 'https://shop.example.com/join/42',
  expiresAt: null,
};

type Scene =
  | { readonly status: number; readonly retryAfter?: string; readonly body?: unknown }
  | 'lost'
  | 'hangs'
  | 'cut';

let calls: [address: string, call: RequestInit][] = [];
let waits: number[] = [];
beforeEach(() => {
  calls = [];
  waits = [];
  const system = globalThis.setTimeout;
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(((then: () => void, ms: number) => {
    waits.push(ms);
    // Attempts that hang end at once, others keep their time.
    return ms === 10_000 ? system(then, 50) : system(then, 0);
  }) as never);
});
afterEach(() => jest.restoreAllMocks());

/** Answers with scenes, and then with the stored link. */
const shared = (scenes: readonly Scene[], request?: ShareRequest, url = 'https://api.example.com') => {
  const fetch = async (address: string, call: RequestInit) => {
    const scene = scenes[calls.push([address, call]) - 1] ?? { status: 201 };
    if (scene === 'lost') throw new TypeError('fetch failed');
    if (scene === 'hangs') return new Promise<never>(() => undefined);
    if (scene === 'cut')
      return {
        ...new Response(),
        status: 201,
        headers: new Headers(),
        json: async () => Promise.reject(new TypeError('terminated')),
      };
    const { status, retryAfter, body = { success: true, data: stored } } = scene;
    const headers = retryAfter === undefined ? undefined : { 'retry-after': retryAfter };
    return new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });
  };
  return shareLink({ url, publishableKey, fetch: fetch as never }, request);
};

test.each([
  [201, true],
  [200, false],
])('a response of %d has created: %s', async (status, created) => {
  const request = { link: stored.link, social: { title: 'Join Ann' }, data: { by: 'ann' } };
  expect(await shared([{ status }], request)).toEqual({ ...stored, created });
  expect(calls).toEqual([
    [
      'https://api.example.com/1.0/share-links',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': publishableKey },
        body: JSON.stringify(request),
      },
    ],
  ]);
});

test.each(['https://api.example.com/', 'https://api.example.com/1.0', 'https://api.example.com/1.0/'])(
  '%s is read as the address of the API',
  async (url) => {
    await shared([], undefined, url);
    expect(calls[0]?.[0]).toBe('https://api.example.com/1.0/share-links');
    expect(calls[0]?.[1].body).toBe('{}');
  },
);

const refusal = (code: string) => ({ success: false, error: { code, message: 'no' } });

test.each<[string, Scene, number | null]>([
  ['a lost connection', 'lost', 500],
  ['a lost body', 'cut', 500],
  ['a late response', 'hangs', 500],
  ['500', { status: 500, body: refusal('INTERNAL_ERROR') }, 500],
  ['502 of a proxy', { status: 502, body: '<html>' }, 500],
  ['503 with Retry-After: 2', { status: 503, retryAfter: '2', body: refusal('SERVICE_UNAVAILABLE') }, 2000],
  ['503 with Retry-After: 60', { status: 503, retryAfter: '60', body: refusal('SERVICE_UNAVAILABLE') }, 5000],
  ['429 with Retry-After: 0', { status: 429, retryAfter: '0', body: refusal('RATE_LIMIT_EXCEEDED') }, 0],
  ['429 with Retry-After: 5', { status: 429, retryAfter: '5', body: refusal('RATE_LIMIT_EXCEEDED') }, 5000],
  ['429 with Retry-After: 6', { status: 429, retryAfter: '6', body: refusal('RATE_LIMIT_EXCEEDED') }, null],
  ['429 without Retry-After', { status: 429, body: refusal('RATE_LIMIT_EXCEEDED') }, null],
  ['400', { status: 400, body: refusal('BAD_REQUEST') }, null],
  ['200 of a captive portal', { status: 200, body: '<html>' }, null],
])('after %s, the wait is %3$p ms, and there is one retry at most', async (_, scene, wait) => {
  const attempts = wait === null ? 1 : 2;
  const failed = expect(shared([scene, scene, scene])).rejects;
  await failed.toMatchObject({ name: 'DynamicLinksError', attempts });
  expect(calls).toHaveLength(attempts);
  expect(new Set(calls.map((call) => JSON.stringify(call))).size).toBe(1);
  expect(waits.filter((ms) => ms !== 10_000)).toEqual(wait === null ? [] : [wait]);
  calls = [];
  if (wait !== null) expect(await shared([scene])).toEqual({ ...stored, created: true });
});

test.each<[Scene, object]>([
  ['lost', { code: 'CONNECTION_ERROR', status: 0 }],
  ['hangs', { code: 'TIMEOUT', status: 0, faults: [] }],
  [
    { status: 200, body: 'null' },
    { code: 'UNEXPECTED_RESPONSE', status: 200 },
  ],
  [
    { status: 403, body: { message: 'Forbidden' } },
    { code: 'UNEXPECTED_RESPONSE', status: 403 },
  ],
  [
    { status: 429, retryAfter: '900', body: refusal('RATE_LIMIT_EXCEEDED') },
    { code: 'RATE_LIMIT_EXCEEDED', status: 429, retryAfter: 900, message: 'no' },
  ],
  [
    {
      status: 400,
      body: {
        error: {
          code: 'VALIDATION_ERROR',
          message: 'm',
          faults: [{ path: 'link', message: 'is elsewhere' }],
        },
      },
    },
    { code: 'VALIDATION_ERROR', status: 400, faults: [{ field: 'link', message: 'is elsewhere' }] },
  ],
])('%j rejects with %j', async (scene, error) => {
  const failed = await shared([scene, scene]).catch((thrown) => thrown);
  expect(failed).toBeInstanceOf(DynamicLinksError);
  expect(failed).toMatchObject(error);
  expect(DynamicLinksError).toBe(ServerError);
});

test.each([
  'dls_secretsecretsecretsecretsecretsecretsecr',
  `${publishableKey}a`,
  ` ${publishableKey}`,
  '',
  undefined,
])('the key %j is refused before any request, in words that do not contain it', async (key) => {
  const fetch = jest.fn();
  const call = shareLink({ url: 'https://api.example.com', publishableKey: key as string, fetch });
  const error = await call.catch((thrown) => thrown);
  expect(error).toBeInstanceOf(TypeError);
  if (key) expect(error.message).not.toContain(key);
  expect(fetch).not.toHaveBeenCalled();
});
