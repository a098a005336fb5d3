import { request } from 'node:http';
import { appSections, namedAppFields } from '../../core/apps/app-fields.ts';
import type { Field } from '../../core/fields/field.ts';
import { namedPayloadFields } from '../../core/links/payload-fields.ts';
import { androidApp, coded, iosApp, newApp, newLink, payload, storesOf } from '../support/api.ts';
import { harmlessUrls, hostileUrls } from '../support/hostile-urls.ts';
import { isNightly } from '../support/nightly.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';
import { noIdentifiers, saysWhatItMustBe } from '../support/store-identifiers.ts';

const stack = sharedStack();
const project = projectOn(stack);
let code: string;
let apps: readonly [ios: string, android: string];
beforeAll(async () => {
  code = (await newLink(project)).code;
  apps = [(await newApp(project)).id, (await newApp(project, androidApp)).id];
});

/** A payload with a value in each field of one kind, and the paths of these fields. */
const filled = (kind: Field['kind'], make: (field: Field) => string) => {
  const paths: string[] = [];
  const fill = (path: string, field: Field) => {
    paths.push(path);
    return make(field);
  };
  const body = namedPayloadFields.flatMap(([name, entry]): [string, unknown][] => {
    if (!('fields' in entry)) return entry.kind === kind ? [[name, fill(`payload.${name}`, entry)]] : [];
    const fields = Object.entries(entry.fields).filter(([, field]) => field.kind === kind);
    return [
      [
        name,
        Object.fromEntries(fields.map(([field, one]) => [field, fill(`payload.${name}.${field}`, one)])),
      ],
    ];
  });
  return { body: Object.fromEntries(body), paths };
};

const addressesOf = (platform: string) =>
  namedAppFields.flatMap(([name, field]) =>
    field.kind === 'address' && field.platform === platform ? [name] : [],
  );

/** Requests that have this URL in every field for URLs, by operation. */
const carrying = (url: string) => {
  const { body, paths } = filled('address', () => url);
  const some = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, url]));
  const [ios, android] = [addressesOf('IOS'), addressesOf('ANDROID')];
  return [
    { method: 'POST', path: '/links', body: { payload: body }, paths },
    { method: 'PUT', path: `/links/${code}`, body: { payload: body }, paths },
    { method: 'POST', path: '/mobile-apps', body: { ...iosApp, ...some(ios) }, paths: ios },
    { method: 'POST', path: '/mobile-apps', body: { ...androidApp, ...some(android) }, paths: android },
    { method: 'PUT', path: `/mobile-apps/${apps[0]}`, body: some(ios), paths: ios },
    { method: 'PUT', path: `/mobile-apps/${apps[1]}`, body: some(android), paths: android },
  ];
};

const expectRefused = async (url: string, requests = carrying(url)) => {
  for (const { method, path, body, paths } of requests) {
    const answer = await project.call(method, path, body);
    expect([url, answer.status, answer.body]).toEqual([
      url,
      400,
      expect.objectContaining({ success: false }),
    ]);
    expect(answer.body.error.code).toBe('VALIDATION_ERROR');
    // One message names all fields.
    for (const field of paths) expect(answer.body.error.message).toContain(`${field}: `);
  }
};

test('a hostile address is refused in every field, and the message names each', async () => {
  expect(hostileUrls.length).toBeGreaterThanOrEqual(60);
  const before = (await project.call('GET', `/links/${code}`)).body.data;
  // All of them check addresses by the same schema, so by day each address is in one of the requests.
  const by = (i: number) => (_: object, operation: number) => isNightly || operation === i % 6;
  await Promise.all(hostileUrls.map((url, i) => expectRefused(url, carrying(url).filter(by(i)))));
  expect((await project.call('GET', `/links/${code}`)).body.data).toEqual(before);
});

test("the service's own short hosts are refused in every field", async () => {
  await storesOf(stack).domains.assign({ host: 'go.shop.example', project: project.id });
  for (const url of [
    'https://go.shop.example/code',
    'http://GO.shop.example:8080/code',
    'https://go.shop.example./code',
  ]) {
    await expectRefused(url);
  }
});

test('an odd but harmless address is accepted and returned as sent', async () => {
  for (const url of harmlessUrls) {
    for (const { method, path, body } of carrying(url)) {
      const answer = await project.call(method, path, body);
      expect([url, answer.status]).toEqual([url, method === 'POST' ? 201 : 200]);
    }
    expect((await project.call('GET', `/links/${code}`)).body.data.originalUrl).toBe(url);
  }
});

test("a store's address or any other text that is no identifier is refused on every way in", async () => {
  const link = payload.link;
  const requests = (text: string) => [
    ...[{ android: { package: text } }, { ios: { bundleId: text } }].flatMap((settings) => [
      { method: 'POST', path: '/links', body: { payload: { link, ...settings } } },
      { method: 'PUT', path: `/links/${code}`, body: { payload: { link, ...settings } } },
    ]),
    { method: 'POST', path: '/mobile-apps', body: { ...androidApp, packageName: text } },
    { method: 'POST', path: '/mobile-apps', body: { ...iosApp, bundleId: text } },
    { method: 'PUT', path: `/mobile-apps/${apps[0]}`, body: { bundleId: text } },
    { method: 'PUT', path: `/mobile-apps/${apps[1]}`, body: { packageName: text } },
  ];
  for (const text of noIdentifiers) {
    const answers = requests(text).map(({ method, path, body }) => project.call(method, path, body));
    for (const { status, body } of await Promise.all(answers)) {
      expect([text, status, body]).toEqual([text, 400, expect.objectContaining({ success: false })]);
      expect(body.error).toEqual({
        code: 'VALIDATION_ERROR',
        message: expect.stringMatching(saysWhatItMustBe),
      });
    }
  }
  const links = noIdentifiers.map((text) => ({ payload: { link, android: { package: text } } }));
  const { body } = await project.call('POST', '/links/bulk', { links });
  expect(body.data).toMatchObject({ created: 0, failed: links.length });
  for (const { error } of body.data.results) expect(error.message).toMatch(saysWhatItMustBe);
});

const sendRaw = (body: string, headers: Record<string, string> = {}) =>
  project.call('POST', '/links', body, headers);

describe('a body is refused:', () => {
  const valid = JSON.stringify({ payload });

  test.each([
    ['an empty one', ''],
    ['blanks', '  '],
    ['one that is not JSON', '{payload}'],
    ['half of a valid one', valid.slice(0, -1)],
    ['two valid ones', valid + valid],
    ['an array', '[]'],
    ['null', 'null'],
    ['a number', '1'],
    ['a string', '"text"'],
    ['base64', Buffer.from(valid).toString('base64')],
    ['a form', 'payload=1'],
    ['deep arrays', '['.repeat(30_000)],
  ])('%s', async (_, body) => {
    const { status, body: told } = await sendRaw(body);
    expect([status, told]).toEqual([400, coded('VALIDATION_ERROR')]);
  });

  test('one of more than 64 KB, but not one of 64 KB', async () => {
    const sized = (bytes: number) =>
      `{"payload":${JSON.stringify(payload)},"x":"${'ü'.repeat((bytes - 60) / 2)}"}`;
    const exact = sized(65_536);
    const padded = exact.padEnd(exact.length + 65_536 - Buffer.byteLength(exact));
    expect((await sendRaw(padded)).status).toBe(201);
    const { status, body } = await sendRaw(`${padded} `);
    expect([status, body]).toEqual([400, coded('VALIDATION_ERROR')]);
    expect((await sendRaw(sized(5_000_000))).status).toBe(400);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'nonsense',
  ])('one of type %s', async (type) => {
    const { status, body } = await sendRaw(valid, { 'Content-Type': type });
    expect([status, body]).toEqual([400, coded('VALIDATION_ERROR')]);
    expect(body.error.message).toContain('application/json');
  });

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON'])(
    'but not one of type %s',
    async (type) => {
      expect((await sendRaw(valid, { 'Content-Type': type })).status).toBe(201);
    },
  );

  test('unknown fields change nothing, whatever their names', async () => {
    const odd = `{"__proto__":{"code":"x"},"constructor":1,"toString":null,"payload":{"link":"${payload.link}","__proto__":1}}`;
    const { status, body } = await sendRaw(odd);
    expect([status, body.data.originalUrl]).toEqual([201, payload.link]);
  });
});

describe('through the gateway', () => {
  test.each([
    ['GET', '/links?find=x', 'find'],
    ['GET', '/links?page=1&page=2', 'page'],
    ['GET', '/links?page=1&page=1', 'page'],
    ['GET', '/links?Page=1', 'Page'],
    ['GET', '/links?=1', ': is unknown'],
    ['GET', '/links?search', 'search'],
    ['GET', '/links/launch?x=1', 'x'],
    ['GET', '/links/check/launch?x=1', 'x'],
    ['GET', '/mobile-apps?page=1', 'page'],
    ['GET', '/usage?verbose=1', 'verbose'],
    ['DELETE', '/links/launch?force=true', 'force'],
  ])('%s %s names the parameter', async (method, path, name) => {
    const { status, body } = await project.call(method, path);
    const extra = path.startsWith('/mobile-apps') ? { timestamp: expect.anything() } : {};
    expect([status, body]).toEqual([400, coded('INVALID_PARAMETERS', extra)]);
    expect(body.error.message).toContain(name);
  });

  test.each(['/links?createdAfter', '/links?createdBefore', '/analytics?start', '/analytics?end'])(
    '%s tells how the + of an offset is written',
    async (query) => {
      for (const time of [
        '2026-11-20T10:00:00+01:00',
        '2026-11-20T10:00+01:00',
        '2026-11-20T10:00:00.5+14:00',
      ]) {
        const { status, body } = await project.call('GET', `${query}=${time}`);
        expect([time, status, body]).toEqual([time, 400, coded('INVALID_PARAMETERS')]);
        expect(body.error.message).toContain('in a URL, write + as %2B');
        const encoded = encodeURIComponent(time);
        expect((await project.call('GET', `${query}=${encoded}`)).body.error?.message ?? '').not.toContain(
          '%2B',
        );
      }
    },
  );

  test('a request with an unknown parameter creates nothing', async () => {
    const { status } = await project.call('POST', '/links?dryRun=1', { code: 'not-made', payload });
    expect(status).toBe(400);
    expect((await project.call('GET', '/links/not-made')).status).toBe(404);
  });

  test('the description and its page ignore parameters', async () => {
    for (const path of ['/openapi.json?v=1&v=2', '/docs?x']) {
      expect((await stack.api('GET', path, { key: undefined })).status).toBe(200);
    }
  });

  test.each([
    ['2099-01-01', '2099-01-01T00:00:00.000Z'],
    ['2099-01-01T10:00Z', '2099-01-01T10:00:00.000Z'],
    ['2099-01-01T10:00:00.5-12:00', '2099-01-01T22:00:00.500Z'],
    ['2099-01-01T10:00+14:00', '2098-12-31T20:00:00.000Z'],
  ])('the expiry %s is accepted', async (expiresAt, time) => {
    expect((await newLink(project, { expiresAt })).expiresAt).toBe(time);
  });
});

test.each([
  ['code', ['ab', 'x'.repeat(51), 'a b', 'ümlaut', 'a.b', 'apple-app-site-association', '', 'abc\n', 1]],
  ['name', ['x'.repeat(256), 1, {}, [], '\ud800', 'two\nlines', '\u0000', '\u007f']],
  [
    'expiresAt',
    [
      'tomorrow',
      '2099-13-01T00:00:00Z',
      '2099-01-01T00:00:00',
      '2020-01-01T00:00:00Z',
      4e12,
      '9999-12-31T23:59:59-23:59',
    ],
  ],
  ['payload', [undefined, null, 'x', [], {}]],
])('%s refuses %j', async (field, values) => {
  for (const value of values) {
    const { status, body } = await project.call('POST', '/links', { payload, [field]: value });
    expect([value, status, body]).toEqual([value, 400, coded('VALIDATION_ERROR')]);
    expect(body.error.message).toContain(field);
  }
});

test('a field of the full length is accepted, and the message names a longer one', async () => {
  const create = (more: number) => {
    const { body, paths } = filled('text', (field) => 'x'.repeat('max' in field ? field.max + more : 0));
    // Ids of unknown apps are another fault.
    for (const { appId } of more === 0 ? appSections : []) delete body[appId];
    const request = { name: 'n'.repeat(255 + more), payload: { ...body, ...payload } };
    return { paths: ['name', ...paths], answer: project.call('POST', '/links', request) };
  };
  expect((await create(0).answer).status).toBe(201);
  const { paths, answer } = create(1);
  const { body } = await answer;
  expect(paths.length).toBeGreaterThan(11);
  for (const path of paths) expect(body.error.message).toContain(`${path}: `);
});

/** Sends a path as it is; fetch would normalise it. */
const rawPath = (path: string): Promise<{ status: number; text: string }> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(stack.facts.apiBaseUrl);
    request(
      { hostname, port, path: `/1.0${path}`, headers: { 'X-API-KEY': project.key } },
      async (response) => {
        let text = '';
        for await (const chunk of response) text += chunk;
        resolve({ status: response.statusCode ?? 0, text });
      },
    )
      .on('error', reject)
      .end();
  });

const oddCodes = [
  '%E2%82%AC',
  '%zz',
  '%',
  '%00',
  '%2e%2e',
  'a%2Fb',
  'a%20b',
  'x'.repeat(51),
  'x'.repeat(5000),
  '..;',
  'ab',
  '%F0%9F',
];

test.each(oddCodes)('no link or app has the odd code %s', async (odd) => {
  const got = await rawPath(`/links/${odd}`);
  expect([got.status, JSON.parse(got.text)]).toEqual([404, coded('LINK_NOT_FOUND')]);
  const checked = await rawPath(`/links/check/${odd}`);
  expect([checked.status, JSON.parse(checked.text)]).toEqual([400, coded('VALIDATION_ERROR')]);
  const app = await rawPath(`/mobile-apps/${odd}`);
  expect([app.status, JSON.parse(app.text).error]).toEqual([404, 'Mobile app not found']);
});
