import { DynamicLinks } from '../../client/index.ts';
import { applyPlan } from '../../client/program/apply.ts';
import { type OnLookup, takeInventory } from '../../client/program/inventory.ts';
import { wantedLinks } from '../../client/program/link-file.ts';
import { type PlanOptions, stepsOf } from '../../client/program/plan.ts';
import { withRefusals } from '../../client/program/validation.ts';

/* A service that changes between two calls. The real one is in test/e2e/links-as-code.test.ts. */

type Answer = object | { readonly refusal: string; readonly status: number };
type Handler = (body: Readonly<Record<string, unknown>>) => Answer;

const refusal = (code: string, status = 409) => ({ refusal: code, status });

/** A service that answers each call as the test sets it, and its requests. Endless calls are refused in the end. */
const service = (handlers: Readonly<Record<string, Handler>>, most = 50) => {
  const calls: string[] = [];
  const answerTo = (call: string, body: string): Answer => {
    if (calls.push(call) > most) return refusal('INVALID_API_KEY', 401);
    return handlers[call]?.(JSON.parse(body || '{}')) ?? refusal('NOT_FOUND', 404);
  };
  const client = new DynamicLinks({
    url: 'https://api.test',
    key: 'key',
    retries: 0,
    fetch: async (address, { method = '', body = '' } = {}) => {
      const { pathname } = new URL(String(address));
      const answer = answerTo(`${method} ${pathname.replace('/1.0', '')}`, String(body ?? ''));
      return 'refusal' in answer
        ? Response.json(
            { success: false, error: { code: answer.refusal, message: 'no' } },
            { status: answer.status },
          )
        : Response.json({ success: true, pagination: { nextCursor: null }, ...answer });
    },
  });
  return { client, calls };
};

const applied = async (
  client: DynamicLinks,
  links: object,
  given: Partial<PlanOptions> = {},
  onProgress: OnLookup = () => undefined,
) => {
  const wanted = wantedLinks([{ file: 'a.json', text: JSON.stringify({ owner: 'web', links }) }]);
  const options: PlanOptions = { adopt: false, orphans: 'keep', ...given };
  const { found, owned } = await takeInventory(client, wanted, onProgress);
  const steps = stepsOf(wanted, { found, owned }, options);
  const failed = await applyPlan(steps, { client, wanted, found, options }, () => undefined);
  return failed.map(({ code, error }) => [code, error.code]);
};

const payload = { link: 'https://example.com/' };
const present = (fields: object = {}) => ({
  ...{ code: 'abc', status: 'ACTIVE', tags: ['managed:web'], payload },
  ...fields,
});
/** The service's answers where it has these links of the files' owner, and these codes are free or taken. */
const having = (
  links: readonly object[],
  { free = [], taken = [] }: { readonly free?: readonly string[]; readonly taken?: readonly string[] } = {},
): Readonly<Record<string, Handler>> => ({
  'GET /links': () => ({ data: links }),
  ...Object.fromEntries(
    [...free, ...taken].map((code) => [
      `GET /links/check/${code}`,
      () => ({ data: { available: free.includes(code) } }),
    ]),
  ),
});
const changesOf = (calls: readonly string[]) => calls.filter((call) => !call.startsWith('GET'));

test.each([
  ['INVALID_PARAMETERS', 400],
  ['INSUFFICIENT_PERMISSIONS', 403],
])('a plan for a service before 1.3.0, which answers %s, ends with one line', async (code, status) => {
  const { client } = service({ 'POST /links/bulk': () => refusal(code, status) });
  const wanted = wantedLinks([
    { file: 'a.json', text: JSON.stringify({ owner: 'web', links: { abc: { payload } } }) },
  ]);
  const step = { action: 'create', code: 'abc', owner: 'web' } as const;
  await expect(withRefusals(client, [step], wanted)).rejects.toThrow(
    /^This service is older than 1\.3\.0 and [^\n]+$/,
  );
  // Nothing is to be validated.
  expect(await withRefusals(client, [{ ...step, action: 'unchanged' }], wanted)).toHaveLength(1);
});

test('fields that an entry lacks are cleared, inside and outside the payload', async () => {
  let sent: unknown;
  const before = present({
    ...{ name: 'Old', expiresAt: '2040-01-01T00:00:00.000Z' },
    payload: { ...payload, social: { title: 'Old' }, desktop_fallback: 'https://example.com/d' },
  });
  const { client } = service({
    ...having([before]),
    'PUT /links/abc': (body) => {
      sent = body;
      return { data: {} };
    },
  });
  expect(await applied(client, { abc: { payload } })).toEqual([]);
  expect(sent).toEqual({
    ...{ name: null, expiresAt: null, tags: ['managed:web'] },
    payload: { ...payload, social: null, desktop_fallback: null },
  });
});

test.each([
  ['PAUSED', ['PUT /links/abc/status', 'PUT /links/abc']],
  ['ACTIVE', ['PUT /links/abc', 'PUT /links/abc/status']],
])('no visitor meets new content of a link that is to be %s in the other state', async (status, order) => {
  const { client, calls } = service({
    ...having([present({ status: status === 'PAUSED' ? 'ACTIVE' : 'PAUSED' })]),
    'PUT /links/abc/status': () => ({ data: {} }),
    'PUT /links/abc': () => ({ data: {} }),
  });
  expect(await applied(client, { abc: { name: 'New', status, payload } })).toEqual([]);
  expect(changesOf(calls)).toEqual(order);
});

test('a link that fails in a batch is retried separately, for its reason', async () => {
  const { client, calls } = service({
    ...having([], { free: ['abc', 'xyz'] }),
    'POST /links/bulk': () => ({
      data: {
        ...{ created: 1, failed: 1 },
        results: [
          { index: 0, success: false, error: { code: 'LIMIT_REACHED', message: 'no' } },
          { index: 1, success: true, link: { code: 'xyz' } },
        ],
      },
    }),
    'POST /links': () => refusal('LIMIT_REACHED', 403),
  });
  expect(await applied(client, { abc: { payload }, xyz: { payload } })).toEqual([['abc', 'LIMIT_REACHED']]);
  expect(changesOf(calls)).toEqual(['POST /links/bulk', 'POST /links']);
});

test.each([
  ['the service', 'PAUSED', ['POST /links/bulk']],
  [
    'a second call to an older service',
    'ACTIVE',
    ['POST /links/bulk', 'POST /links', 'PUT /links/abc/status'],
  ],
])('a new link is paused by %s', async (_, status, expected) => {
  const link = { code: 'abc', status };
  const { client, calls } = service({
    ...having([], { free: ['abc'] }),
    'POST /links/bulk': ({ links }) => {
      expect(links).toMatchObject([{ code: 'abc', status: 'PAUSED' }]);
      return { data: { created: 1, failed: 0, results: [{ success: true, link }] } };
    },
    'POST /links': () => ({ data: link }),
    'PUT /links/abc/status': () => ({ data: {} }),
  });
  expect(await applied(client, { abc: { payload, status: 'PAUSED' } })).toEqual([]);
  expect(changesOf(calls)).toEqual(expected);
});

test('a step that others overtake each time ends, and has failed', async () => {
  const { client, calls } = service({
    ...having([], { free: ['abc'] }),
    'POST /links': () => refusal('CODE_ALREADY_EXISTS'),
  });
  expect(await applied(client, { abc: { payload } })).toEqual([['abc', 'CODE_ALREADY_EXISTS']]);
  expect(calls.filter((call) => call === 'POST /links')).toHaveLength(4);
});

test.each([
  ['PAUSED', []],
  ['EXPIRED', []],
  ['ACTIVE', [['abc', 'BAD_REQUEST']]],
])('an orphan that can not be paused and is %s', async (status, failed) => {
  const { client } = service({
    ...having([present()], { free: ['new'], taken: ['abc'] }),
    'PUT /links/abc/status': () => refusal('BAD_REQUEST', 400),
    'GET /links/abc': () => ({ data: present({ status }) }),
    'POST /links/bulk': () => ({
      data: { created: 1, failed: 0, results: [{ success: true, link: { code: 'new' } }] },
    }),
  });
  expect(await applied(client, { new: { payload } }, { orphans: 'pause' })).toEqual(failed);
});

test('a link that expires before it is paused needs no pause', async () => {
  const expiresAt = '2040-01-01T00:00:00.000Z';
  const { client } = service({
    ...having([present({ expiresAt })], { taken: ['abc'] }),
    'PUT /links/abc/status': () => refusal('LINK_EXPIRED', 400),
    'GET /links/abc': () => ({ data: present({ expiresAt, status: 'EXPIRED' }) }),
  });
  expect(await applied(client, { abc: { payload, expiresAt, status: 'PAUSED' } })).toEqual([]);
});

test('new links go a hundred in a call, and progress counts no link that the files lack', async () => {
  const codes = Array.from({ length: 150 }, (_, i) => `code-${i}`);
  const { client, calls } = service(
    {
      ...having([present({ code: 'orphan' })], { free: codes }),
      'POST /links/bulk': ({ links }) => ({
        data: {
          results: (links as { code: string }[]).map(({ code }) => ({ success: true, link: { code } })),
        },
      }),
    },
    200,
  );
  const seen: [number, number][] = [];
  const entries = Object.fromEntries(codes.map((code) => [code, { payload }]));
  expect(await applied(client, entries, {}, (...progress) => seen.push(progress))).toEqual([]);
  expect(changesOf(calls)).toEqual(['POST /links/bulk', 'POST /links/bulk']);
  expect(seen.at(0)).toEqual([1, 150]);
  expect(seen.at(-1)).toEqual([150, 150]);
});

test('a step that is refused once it is looked at again has failed, and failures come by code', async () => {
  const { client } = service({
    // Somebody has deleted it.
    ...having([present(), present({ code: 'xyz' })], { taken: ['abc'] }),
    'PUT /links/abc': () => refusal('LINK_NOT_FOUND', 404),
    'GET /links/abc': () => refusal('LINK_NOT_FOUND', 404),
    'PUT /links/xyz': () => refusal('LIMIT_REACHED', 403),
  });
  const entry = { name: 'New', payload };
  expect(await applied(client, { abc: entry, xyz: entry })).toEqual([
    ['abc', 'LINK_NOT_FOUND'],
    ['xyz', 'LIMIT_REACHED'],
  ]);
});

test('a link that can not be read is not taken for a deleted one', async () => {
  const { client } = service({
    ...having([], { taken: ['abc'] }),
    'GET /links/abc': () => refusal('INTERNAL_ERROR', 500),
  });
  await expect(applied(client, { abc: { payload } })).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
});
