import { getEventListeners } from 'node:events';
import fc from 'fast-check';
import { DynamicLinks, DynamicLinksError } from '../../client/index.ts';
import { runs } from '../support/nightly.ts';
import { type Scene, type ScriptedApi, startScriptedApi } from './scripted-api.ts';

const key = 'dls_secretsecretsecretsecretsecretsecret';
const payload = { link: 'https://example.com/' };
const ios = { bundleId: 'com.example.app', saveApp: true, appName: 'Example' };
/** No wait between attempts is as long. */
const timeoutMs = 123_457;

let api: ScriptedApi;
beforeAll(async () => {
  api = await startScriptedApi();
});
afterAll(() => api.stop());

/** The client's timers: waits end at once and are noted, and an attempt's time is over when the server hangs. */
let waits: number[] = [];
let expire: () => void = () => undefined;
beforeEach(() =>
  replaceTimers((then, ms) => {
    waits.push(ms);
    setImmediate(then);
  }),
);
afterEach(() => jest.restoreAllMocks());

/** By the first frame outside of this file and jest: `fetch` sets timers of its own while the client calls it. */
const isCalledByClient = (stack: string): boolean =>
  stack
    .split('\n')
    .slice(1)
    .find((frame) => !/retries\.test|jest-mock/.test(frame))
    ?.includes('client/connection.ts') ?? false;

/** Decides about the waits of the client. */
const replaceTimers = (wait: (then: () => void, ms: number) => void) => {
  const system = globalThis.setTimeout;
  const replaced = (then: () => void, ms: number, ...given: unknown[]) => {
    // `fetch` gives its timer of a connection what it is to close.
    if (!isCalledByClient(new Error().stack ?? ''))
      return Reflect.apply(system, undefined, [then, ms, ...given]);
    if (ms === timeoutMs) expire = then;
    else wait(then, ms);
    return undefined;
  };
  jest.spyOn(globalThis, 'setTimeout').mockImplementation(replaced as unknown as typeof setTimeout);
};

const play = (scenes: readonly Scene[]) => {
  waits = [];
  api.play(scenes, () => expire());
};

const clientWith = (settings: { retries?: number } = {}) =>
  new DynamicLinks({ url: api.url, key, timeoutMs, ...settings });

type Act = (client: DynamicLinks) => Promise<unknown>;

/** Calls by their repeatability. */
const calls: Readonly<Record<'repeatable' | 'refusable' | 'never', Readonly<Record<string, Act>>>> = {
  repeatable: {
    'links.get': ({ links }) => links.get('abc'),
    'links.update': ({ links }) => links.update('abc', { payload }),
    'links.patch': ({ links }) => links.patch('abc', { name: null, payload: { ios: null } }),
    'links.isAvailable': ({ links }) => links.isAvailable('abc'),
    'links.create': ({ links }) => links.create({ payload }),
    'links.create with a key': ({ links }) => links.create({ payload }, { idempotencyKey: 'mine' }),
    'links.createMany': ({ links }) => links.createMany([{ payload }]),
    'apps.create': ({ apps }) => apps.create({ platform: 'IOS', name: 'A', bundleId: 'a.b' }),
    'apps.update': ({ apps }) => apps.update('1', { name: 'B' }),
    'tags.list': ({ tags }) => tags.list(),
    usage: (client) => client.usage(),
    'request of a creation': (client) => client.request('POST', '/links', { body: { payload } }),
    'request with a key': (client) => client.request('POST', '/new', { body: {}, idempotencyKey: 'mine' }),
  },
  refusable: {
    'links.setStatus': ({ links }) => links.setStatus('abc', 'PAUSED'),
    'links.delete': ({ links }) => links.delete('abc'),
    'links.update that saves an app': ({ links }) => links.update('abc', { payload: { ...payload, ios } }),
    'links.patch that saves an app': ({ links }) => links.patch('abc', { payload: { ios } }),
    'apps.delete': ({ apps }) => apps.delete('1'),
  },
  never: { 'request of a new endpoint': (client) => client.request('POST', '/new', { body: {} }) },
};

const anyCall = fc.constantFrom(
  ...Object.entries(calls).flatMap(([kind, named]) =>
    Object.entries(named).map(([name, act]) => ({ kind: kind as keyof typeof calls, name, act })),
  ),
);

const anyScene: fc.Arbitrary<Scene> = fc.record({
  answer: fc.constantFrom<Scene['answer'][]>(
    ...(['success', 'reset', 'hang', 'half', 'text'] as const),
    ...[400, 404, 409, 429, 500, 501, 502, 503, 504],
  ),
  carriedOut: fc.boolean(),
  retryAfter: fc.option(fc.constantFrom('0', '1', '60', '61', '3600', 'soon'), { nil: undefined }),
});

const lost: readonly Scene['answer'][] = ['reset', 'hang', 'half'];
const passing: readonly Scene['answer'][] = [...lost, 429, 500, 502, 503, 504];

/** Whether another attempt follows a scene. */
const isFollowed = (kind: keyof typeof calls, { answer, retryAfter }: Scene): boolean => {
  const isPassing = { repeatable: passing, refusable: [429], never: [] }[kind].includes(answer as never);
  const hasAnswer = !lost.includes(answer);
  return isPassing && !(hasAnswer && Number(retryAfter) > 60);
};

test('a call is repeated only if that is safe, and at most as often as allowed', async () => {
  await fc.assert(
    fc.asyncProperty(
      anyCall,
      fc.array(anyScene, { maxLength: 5 }),
      fc.integer({ min: 0, max: 3 }),
      async ({ kind, act }, scenes, retries) => {
        play(scenes);
        const failure = await act(clientWith({ retries })).then(
          () => undefined,
          (error: unknown) => error,
        );
        const last = scenes.findIndex((scene) => !isFollowed(kind, scene));
        const attempts = Math.min(last < 0 ? scenes.length + 1 : last + 1, retries + 1);
        expect(api.seen.length).toBe(attempts);
        const answer = scenes[attempts - 1]?.answer ?? 'success';
        if (answer === 'success') expect(failure).toBeUndefined();
        else expect(failure).toMatchObject({ name: 'DynamicLinksError', attempts, ...tellingOf(answer) });
        // Every attempt is the same request, so that the service recognises it.
        expect(new Set(api.seen.map((request) => JSON.stringify(request))).size).toBe(1);
        expect(api.made()).toBeLessThanOrEqual(1);
        checkWaits(scenes.slice(0, attempts - 1));
      },
    ),
    { numRuns: runs(50) },
  );
});

const tellingOf = (answer: Scene['answer']) => {
  if (answer === 'hang') return { code: 'TIMEOUT', status: 0 };
  if (lost.includes(answer)) return { code: 'CONNECTION_ERROR', status: 0 };
  if (answer === 'text') return { code: 'UNEXPECTED_RESPONSE', status: 200 };
  return { code: `E${answer}`, status: answer };
};

/** Between attempts: Retry-After, else a random time that doubles. */
const checkWaits = (before: readonly Scene[]) => {
  expect(waits).toHaveLength(before.length);
  for (const [index, { answer, retryAfter }] of before.entries()) {
    const waited = lost.includes(answer) ? Number.NaN : Number(retryAfter);
    const longest = Math.min(500 * 2 ** index, 8000);
    if (Number.isNaN(waited)) {
      expect(waits[index]).toBeGreaterThanOrEqual(longest / 2);
      expect(waits[index]).toBeLessThanOrEqual(longest);
    } else expect(waits[index]).toBe(waited * 1000);
  }
};

const failing = (answer: Scene['answer'], retryAfter?: string): Scene => ({
  answer,
  carriedOut: false,
  retryAfter,
});

test('back-off doubles up to eight seconds', async () => {
  play(Array.from({ length: 7 }, () => failing(503)));
  await clientWith({ retries: 7 }).links.get('abc');
  expect(waits.map((ms) => 2 ** Math.ceil(Math.log2(ms / 500)) * 500)).toEqual([
    500, 1000, 2000, 4000, 8000, 8000, 8000,
  ]);
});

test('by default a call is repeated twice', async () => {
  play(Array.from({ length: 9 }, () => failing(500)));
  await expect(clientWith().links.get('abc')).rejects.toMatchObject({ attempts: 3 });
});

test('a Retry-After may be a date, and the error has it', async () => {
  play([failing(429, new Date(Date.now() + 3_600_000).toUTCString())]);
  const error = await clientWith()
    .links.get('abc')
    .catch((error) => error);
  expect(error).toMatchObject({ attempts: 1, status: 429 });
  expect(Math.abs(error.retryAfter - 3600)).toBeLessThan(60);
});

test('each creation has a key of its own, which a given one replaces', async () => {
  play([]);
  const { links } = clientWith();
  await links.create({ payload });
  await links.create({ payload });
  await links.create({ payload }, { idempotencyKey: 'mine' });
  const keys = api.seen.map(({ idempotencyKey }) => idempotencyKey);
  expect(new Set(keys).size).toBe(3);
  expect(keys[2]).toBe('mine');
});

describe('a caller that gives up', () => {
  test('before the call: nothing is sent', async () => {
    play([]);
    const call = clientWith().links.get('abc', { signal: AbortSignal.abort('enough') });
    await expect(call).rejects.toMatchObject({ code: 'ABORTED', attempts: 0, cause: 'enough' });
    expect(api.seen).toEqual([]);
  });

  test('during an attempt', async () => {
    const controller = new AbortController();
    waits = [];
    api.play([failing('hang')], () => controller.abort());
    const call = clientWith().links.get('abc', { signal: controller.signal });
    await expect(call).rejects.toMatchObject({ code: 'ABORTED', attempts: 1 });
    expect([api.seen.length, waits]).toEqual([1, []]);
  });

  test('during a wait', async () => {
    play([failing(503)]);
    const controller = new AbortController();
    jest.restoreAllMocks();
    replaceTimers(() => setImmediate(() => controller.abort()));
    const call = clientWith().links.get('abc', { signal: controller.signal });
    await expect(call).rejects.toMatchObject({ code: 'ABORTED', attempts: 1 });
  });
});

test("a call removes its listeners from the caller's signal", async () => {
  play([failing(503), failing('reset')]);
  const { signal } = new AbortController();
  await clientWith().links.get('abc', { signal });
  expect(api.seen).toHaveLength(3);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

test('an attempt ends in time even if fetch does not listen', async () => {
  const deaf = new DynamicLinks({
    url: api.url,
    key,
    timeoutMs,
    retries: 0,
    fetch: () => {
      setImmediate(() => expire());
      return new Promise(() => undefined);
    },
  });
  await expect(deaf.usage()).rejects.toMatchObject({ code: 'TIMEOUT', attempts: 1 });
});

test('a call may have less time than the client gives', async () => {
  play([failing('hang')]);
  const brief = new DynamicLinks({ url: api.url, key, timeoutMs: timeoutMs + 1, retries: 0 });
  const call = brief.usage({ timeoutMs });
  await expect(call).rejects.toMatchObject({ code: 'TIMEOUT' });
  await expect(call).rejects.toThrow(`within ${timeoutMs} ms`);
});

test('a redirect is not followed, so that the key stays here', async () => {
  play([{ ...failing(302), location: `${api.url}/elsewhere` }]);
  const error = await clientWith()
    .usage()
    .catch((error) => error);
  expect(error).toBeInstanceOf(DynamicLinksError);
  expect(api.seen).toHaveLength(1);
});
