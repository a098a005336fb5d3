import { appSections, namedAppFields } from '../../core/apps/app-fields.ts';
import { limits } from '../../core/base/limits.ts';
import type { Field } from '../../core/fields/field.ts';
import { namedPayloadFields } from '../../core/links/payload-fields.ts';
import { androidApp, coded, iosApp, newApp, newLink, payload, storesOf } from '../support/api.ts';
import { harmlessUrls, hostileUrls } from '../support/hostile-urls.ts';
import { isNightly } from '../support/nightly.ts';
import { sendRaw } from '../support/raw-request.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);
let code: string;
let apps: readonly [ios: string, android: string];
beforeAll(async () => {
  code = (await newLink(project)).code;
  apps = [(await newApp(project)).id, (await newApp(project, androidApp)).id];
});

/** A payload with a value in each field of these kinds, and the paths of these fields. */
const filled = (kinds: readonly Field['kind'][], make: (field: Field) => string) => {
  const paths: string[] = [];
  const fill = (path: string, field: Field) => {
    paths.push(path);
    return make(field);
  };
  const body = namedPayloadFields.flatMap(([name, entry]): [string, unknown][] => {
    if (!('fields' in entry))
      return entry.kind !== 'texts' && kinds.includes(entry.kind)
        ? [[name, fill(`payload.${name}`, entry)]]
        : [];
    const fields = Object.entries(entry.fields).filter(([, field]) => kinds.includes(field.kind));
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
  const { body, paths } = filled(['address'], () => url);
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

const postLink = (body: string, headers: Record<string, string> = {}) =>
  project.call('POST', '/links', body, headers);

describe('a body', () => {
  const valid = JSON.stringify({ payload });

  test.each([
    ['empty', ''],
    ['not JSON', '{payload}'],
    ['two values', valid + valid],
    ['an array', '[]'],
    ['base64', Buffer.from(valid).toString('base64')],
    ['deep arrays', '['.repeat(30_000)],
  ])('that is %s is refused', async (_, body) => {
    const { status, body: result } = await postLink(body);
    expect([status, result]).toEqual([400, coded('VALIDATION_ERROR')]);
  });

  test('larger than 64 KB is refused, one of 64 KB is not', async () => {
    const sized = (bytes: number) =>
      `{"payload":${JSON.stringify(payload)},"x":"${'ü'.repeat((bytes - 60) / 2)}"}`;
    const exact = sized(65_536);
    const padded = exact.padEnd(exact.length + 65_536 - Buffer.byteLength(exact));
    expect((await postLink(padded)).status).toBe(201);
    const { status, body } = await postLink(`${padded} `);
    expect([status, body]).toEqual([400, coded('VALIDATION_ERROR')]);
  });

  test('must have the type of JSON, in any case and with parameters', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'nonsense']) {
      const { status, body } = await postLink(valid, { 'Content-Type': type });
      expect([type, status, body]).toEqual([type, 400, coded('VALIDATION_ERROR')]);
      expect(body.error.message).toContain('application/json');
    }
    for (const type of ['application/json; charset=utf-8', 'Application/JSON'])
      expect((await postLink(valid, { 'Content-Type': type })).status).toBe(201);
  });

  test('may have unknown fields of any name, which change nothing', async () => {
    const odd = `{"__proto__":{"code":"x"},"constructor":1,"toString":null,"payload":{"link":"${payload.link}","__proto__":1}}`;
    const { status, body } = await postLink(odd);
    expect([status, body.data.originalUrl]).toEqual([201, payload.link]);
  });
});

describe('through the gateway', () => {
  test.each([
    ['GET', '/links?find=x', 'find'],
    ['GET', '/links?page=1&page=1', 'page'],
    ['GET', '/links?=1', ': is unknown'],
    ['GET', '/links?search', 'search'],
    ['GET', '/mobile-apps?page=1', 'page'],
    ['DELETE', '/links/launch?force=true', 'force'],
  ])('%s %s names the parameter', async (method, path, name) => {
    const { status, body } = await project.call(method, path);
    const extra = path.startsWith('/mobile-apps') ? { timestamp: expect.anything() } : {};
    expect([status, body]).toEqual([400, coded('INVALID_PARAMETERS', extra)]);
    expect(body.error.message).toContain(name);
  });

  test.each(['/links?createdAfter', '/analytics?end'])(
    '%s explains how the + of an offset is written',
    async (query) => {
      const time = '2026-11-20T10:00+01:00';
      const { status, body } = await project.call('GET', `${query}=${time}`);
      expect([status, body]).toEqual([400, coded('INVALID_PARAMETERS')]);
      expect(body.error.message).toContain('in a URL, write + as %2B');
      expect((await project.call('GET', `${query}=${encodeURIComponent(time)}`)).status).toBe(200);
    },
  );

  test('the description and its page ignore parameters', async () => {
    for (const path of ['/openapi.json?v=1&v=2', '/docs?x']) {
      expect((await stack.api('GET', path, { key: undefined })).status).toBe(200);
    }
  });
});

test.each([
  ['code', ['ab', 'x'.repeat(51), 'a b', 'ümlaut', 'a.b', 'apple-app-site-association', '', 'abc\n', 1]],
  ['name', ['x'.repeat(256), 1, {}, [], '\ud800', 'two\nlines', '\u0000', '\u007f']],
  ['expiresAt', ['2099-13-01T00:00:00Z', '2020-01-01T00:00:00Z', 4e12]],
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
    const { body, paths } = filled(['text', 'identifier'], (field) =>
      'x'.repeat(('max' in field ? field.max : limits.identifier) + more),
    );
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

const getRaw = async (path: string) => {
  const headers = { 'X-API-KEY': project.key };
  const { status, body } = await sendRaw(`${stack.facts.apiBaseUrl}/1.0${path}`, { headers });
  return { status, body: JSON.parse(body.toString()) };
};

test.each(['%E2%82%AC', '%zz', '%00', '%2e%2e', 'a%2Fb', 'x'.repeat(5000), 'ab'])(
  'no link or app has the odd code %s',
  async (odd) => {
    const got = await getRaw(`/links/${odd}`);
    expect([got.status, got.body]).toEqual([404, coded('LINK_NOT_FOUND')]);
    const checked = await getRaw(`/links/check/${odd}`);
    expect([checked.status, checked.body]).toEqual([400, coded('VALIDATION_ERROR')]);
    const app = await getRaw(`/mobile-apps/${odd}`);
    expect([app.status, app.body.error]).toEqual([404, 'Mobile app not found']);
  },
);
