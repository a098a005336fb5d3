import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import type { Contract } from '../../../core/api/endpoint.ts';
import { api } from '../../../core/api/index.ts';
import { openApi } from '../../../core/api/openapi.ts';
import { readRequest } from '../../../core/api/request.ts';
import { namedAppFields } from '../../../core/apps/app-fields.ts';
import { Failure } from '../../../core/base/failure.ts';
import { examplePayload } from '../../../core/links/example-payload.ts';
import { fitting, mutated } from '../../support/json-schema-arbitrary.ts';
import { runs } from '../../support/nightly.ts';

interface Given {
  readonly params?: Record<string, string>;
  readonly query?: Record<string, string[]>;
  readonly body?: unknown;
}

const refusal = async (contract: Contract, { params = {}, query = {}, body }: Given): Promise<string> => {
  try {
    await readRequest(contract, { params, query, body: () => body });
    return 'taken';
  } catch (error) {
    if (error instanceof Failure) return `${error.code} ${error.message}`;
    throw error;
  }
};

const link = 'https://example.com';
const code = { code: 'launch' };

test('letters of a path may be percent-encoded, once', async () => {
  const { getLink } = api;
  const read = await readRequest(getLink, {
    params: { code: 'a%2Db%5f%63' },
    query: {},
    body: () => undefined,
  });
  expect(read.params).toEqual({ code: 'a-b_c' });
  expect(await refusal(getLink, { params: { code: 'a%252Db' } })).toMatch(/^LINK_NOT_FOUND/);
});

const taken = 'page, pageSize, tag, status, search, createdAfter, createdBefore, cursor';

describe('a query', () => {
  test.each(Object.entries(api))('for %s refuses unknown parameters', async (_, contract: Contract) => {
    const reply = await refusal(contract, { query: { nonsense: ['3'] } });
    expect(reply).toMatch(/^INVALID_PARAMETERS nonsense: is unknown; this endpoint accepts /);
  });

  test.each([
    [{ page: ['1', '2'] }, 'page: is given more than once'],
    [{ pagesize: ['5'] }, 'pagesize: is unknown; use pageSize'],
    [{ pageSize: ['101'] }, 'pageSize: must be at most 100'],
    [{ page: ['0'] }, 'page: must be at least 1'],
    [{ '': ['1'] }, `'': is unknown; this endpoint accepts ${taken}`],
    [{ ['x'.repeat(3000)]: ['1'] }, `${'x'.repeat(60)}…: is unknown; this endpoint accepts ${taken}`],
    [{ page: ['x'] }, 'page: must be a whole number'],
    [{ folder: ['x'] }, `folder: is unknown; this endpoint accepts ${taken}`],
    [{ limit: ['5'] }, 'limit: is unknown; use pageSize'],
    [{ per_page: ['5'] }, 'per_page: is unknown; use pageSize'],
    [{ q: ['shop'] }, 'q: is unknown; use search'],
    [{ tags: ['a'] }, 'tags: is unknown; use tag'],
    [{ sort: ['name'] }, 'sort: is not offered by this service; leave it out'],
    [
      { x: ['1', '2'], page: ['0'] },
      `x: is unknown; this endpoint accepts ${taken}; page: must be at least 1`,
    ],
    ...['', ',', 'a,', 'a,,b', '-a', 'a b', 'ä', 'x'.repeat(33), 'a,b,c,d,e,f,g,h,i,j,k'].map(
      (tag) => [{ tag: [tag] }, 'tag: must be 1 to 10 tags separated by commas'] as const,
    ),
    [{ Tag: ['a'] }, 'Tag: is unknown; use tag'],
    [{ status: ['DELETED'] }, 'status: must be ACTIVE, PAUSED, EXPIRED or BLOCKED'],
    [{ search: [''] }, 'search: must not be empty'],
    [{ search: ['x'.repeat(101)] }, 'search: must have at most 100 characters'],
    [{ createdAfter: ['2026-02-30'] }, 'createdAfter: is a day that does not exist'],
    [
      { createdBefore: ['2026-02-01T00:00'] },
      'createdBefore: must end with Z or an offset, such as 2030-01-31T12:00:00Z or 2030-01-31T12:00:00+01:00',
    ],
    ...['tag', 'status', 'search', 'createdAfter', 'createdBefore', 'cursor'].map((name) => {
      const value = { tag: 'a', status: 'ACTIVE', search: 'a', cursor: '' }[name] ?? '2026-01-01';
      const message = "page: can't be given with a filter or a cursor; follow nextCursor instead";
      return [{ [name]: [value], page: ['1'] }, message] as const;
    }),
  ] as readonly (readonly [Record<string, string[]>, string])[])('%j is refused', async (query, message) => {
    expect(await refusal(api.listLinks, { query })).toBe(`INVALID_PARAMETERS ${message}`);
  });

  test.each([
    ['from', 'start'],
    ['to', 'end'],
    ['since', 'start'],
    ['until', 'end'],
  ])('for analytics with %s is refused for %s', async (name, meant) => {
    const query = { [name]: ['2026-01-01'] };
    expect(await refusal(api.getAnalytics, { query })).toBe(
      `INVALID_PARAMETERS ${name}: is unknown; use ${meant}`,
    );
  });

  test('with known parameters is accepted', async () => {
    expect(await refusal(api.listLinks, { query: { page: ['2'], pageSize: ['100'] } })).toBe('taken');
  });
});

describe('a body', () => {
  test.each(['\u001b', '\u007f', '\u0085', '\u009b'])('has no control character %j', async (control) => {
    const body = { name: `Sale${control}`, payload: { link } };
    expect(await refusal(api.createLink, { body })).toBe(
      'VALIDATION_ERROR name: must not contain control characters',
    );
  });

  test.each(['\u202a', '\u202e', '\u2066', '\u2069'])('has no direction mark %j', async (mark) => {
    for (const body of [
      { name: `safe${mark}gpj.exe`, payload: { link } },
      { payload: { link, social: { title: `safe${mark}gpj.exe` } } },
    ])
      expect(await refusal(api.createLink, { body })).toMatch(
        /: must not contain bidirectional control characters/,
      );
  });

  test('counts the faults that it does not name, among thousands', async () => {
    const separators = ['', '_', '-', '.'];
    const spellings = Array.from({ length: 9000 }, (_, i) => {
      const places = [...(i + 1).toString(4).padStart(9, '0')].map(Number);
      return [[...'expiresAt'].map((letter, at) => letter + separators[places[at] ?? 0]).join(''), 1];
    });
    const reply = await refusal(api.createLink, {
      body: { payload: { link }, ...Object.fromEntries(spellings) },
    });
    expect(reply).toMatch(/; and 8980 more$/);
    expect(reply.length).toBeLessThan(10_000);
  });

  // biome-ignore lint/suspicious/noExplicitAny: a part of the description
  const description = openApi() as any;
  const operations = Object.entries(api).flatMap(([id, contract]: [string, Contract]) => {
    const operation = description.paths[contract.path][contract.method.toLowerCase()];
    const schema = operation.requestBody?.content['application/json'].schema;
    return schema ? [[id, contract, fitting(schema, description).chain(mutated)] as const] : [];
  });

  const seen = new Set<string>();

  test.each(operations)('for %s may be any JSON: it is taken or refused', async (_, contract, bodies) => {
    const known: Record<string, string> = { code: 'launch', id: randomUUID() };
    const names = Object.keys(contract.params?.shape ?? {});
    const params = Object.fromEntries(names.map((name) => [name, known[name] ?? '']));
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        seen.add((await refusal(contract, { params, body })).replace(/ .*/s, ''));
      }),
      { numRuns: runs(30) },
    );
  });

  test('was taken for some of them, and refused for others', () => {
    expect([...seen]).toEqual(expect.arrayContaining(['taken', 'VALIDATION_ERROR']));
  });
});

/** Misspellings of a name, without the name itself. */
const spellings = (name: string): string[] => {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  const camel = name.replaceAll(/_([a-z])/g, (_, letter) => letter.toUpperCase());
  return [
    ...new Set([name.toUpperCase(), name.toLowerCase(), snake, camel, snake.replaceAll('_', '-')]),
  ].filter((spelling) => spelling !== name);
};

/** Each field of a body, with each misspelling next to the right name. */
const misspelt = (body: object, path: readonly string[] = []): (readonly [string, string, object])[] =>
  Object.entries(body).flatMap(([name, value]) => [
    ...spellings(name).flatMap((spelling) =>
      [null, value].map(
        (given) => [[...path, spelling].join('.'), name, { ...body, [spelling]: given }] as const,
      ),
    ),
    // Names of an app's data are its own.
    ...(typeof value === 'object' && name !== 'data'
      ? (Array.isArray(value) ? misspeltItems : misspelt)(value, [...path, name]).map(
          ([where, right, part]) => [where, right, { ...body, [name]: part }] as const,
        )
      : []),
  ]);

/** The same of each item of a list. */
const misspeltItems = (items: readonly unknown[], path: readonly string[]): ReturnType<typeof misspelt> =>
  items.flatMap((item, index) =>
    typeof item === 'object' && item !== null
      ? misspelt(item, [...path, String(index)]).map(
          ([where, right, part]) => [where, right, items.with(index, part)] as const,
        )
      : [],
  );

const settings = (platform: string) =>
  Object.fromEntries(
    namedAppFields
      .filter(([, one]) => one.platform === platform)
      .map(([name, { example }]) => [name, example]),
  );
const bodies = [
  ['createLink', { code: 'launch', name: 'N', payload: examplePayload, expiresAt: '2099-01-01' }],
  ['updateLink', { name: 'N', payload: examplePayload, expiresAt: '2099-01-01' }],
  ['updateLinkStatus', { status: 'PAUSED' }],
  ['createMobileApp', { platform: 'IOS', name: 'N', ...settings('IOS') }],
  ['createMobileApp', { platform: 'ANDROID', name: 'N', ...settings('ANDROID') }],
  ['updateMobileApp', { name: 'N', ...settings('ANDROID') }],
] as const;
const id = '6f9619ff-8b86-4d01-b42d-00cf4fc964ff';

test.each(bodies)(
  '%s accepts its body, and refuses every misspelt field by name',
  async (operation, body) => {
    const contract: Contract = api[operation];
    const params = contract.path.includes('{code}') ? code : { id };
    expect(await refusal(contract, { params, body })).toBe('taken');
    const cases = misspelt(body);
    expect(cases.length).toBeGreaterThan(1);
    for (const [where, right, given] of cases) {
      const reply = await refusal(contract, { params, body: given });
      expect(reply).toContain('VALIDATION_ERROR');
      expect(reply).toContain(`${where}: is unknown; use ${right}`);
    }
  },
);

test('a response that is sent back is accepted', async () => {
  const answer = {
    id,
    code: 'launch',
    shortUrl: link,
    shortLink: link,
    originalUrl: link,
    previewLink: link,
    qrCode: link,
    status: 'ACTIVE',
    clickCount: 1,
    projectId: 'shop',
    createdBy: 'ann',
    createdAt: '2026-01-01T00:00:00.000Z',
    updatedAt: '2026-01-01T00:00:00.000Z',
    analytics: { totalClicks: 1 },
    payload: examplePayload,
    package: 'at another place',
  };
  expect(await refusal(api.updateLink, { params: code, body: answer })).toBe('taken');
  expect(await refusal(api.createLink, { body: answer })).toBe('taken');
  const app = { id, createdAt: 'x', updatedAt: 'x', platform: 'IOS', name: 'N', ...settings('IOS') };
  expect(await refusal(api.updateMobileApp, { params: { id }, body: app })).toBe('taken');
  expect(await refusal(api.updateMobileApp, { params: { id }, body: { ...app, packageName: null } })).toBe(
    'taken',
  );
});
