import { request } from 'node:http';
import {
  androidApp,
  coded,
  iosApp,
  newApp,
  newLink,
  newProject,
  payload,
  storesOf,
  type TestProject,
} from '../support/api.ts';
import { harmlessUrls, hostileUrls } from '../support/hostile-urls.ts';
import { dataFolder, dropDataFolder, type RunningStack, startLocalStack } from '../support/local-stack.ts';

let stack: RunningStack;
let project: TestProject;
let code: string;
let apps: readonly [ios: string, android: string];
const data = dataFolder();
beforeAll(async () => {
  stack = await startLocalStack(data, '--memory');
  project = await newProject(stack);
  code = (await newLink(project)).code;
  apps = [(await newApp(project)).id, (await newApp(project, androidApp)).id];
});
afterAll(async () => {
  await stack.stop();
  dropDataFolder(data);
});

/** Every URL field of every operation that has one, with one address in all of them. */
const carrying = (url: string) => {
  const links = {
    link: url,
    desktop_fallback: url,
    android: { store_fallback: url },
    ios: { app_store_fallback: url },
    social: { image: url },
  };
  const paths = [
    'payload.link',
    'payload.desktop_fallback',
    'payload.android.store_fallback',
    'payload.ios.app_store_fallback',
    'payload.social.image',
  ];
  return [
    { method: 'POST', path: '/links', body: { payload: links }, paths },
    { method: 'PUT', path: `/links/${code}`, body: { payload: links }, paths },
    {
      method: 'POST',
      path: '/mobile-apps',
      body: { ...iosApp, appStoreFallback: url },
      paths: ['appStoreFallback'],
    },
    {
      method: 'POST',
      path: '/mobile-apps',
      body: { ...androidApp, playStoreFallback: url },
      paths: ['playStoreFallback'],
    },
    {
      method: 'PUT',
      path: `/mobile-apps/${apps[0]}`,
      body: { appStoreFallback: url },
      paths: ['appStoreFallback'],
    },
    {
      method: 'PUT',
      path: `/mobile-apps/${apps[1]}`,
      body: { playStoreFallback: url },
      paths: ['playStoreFallback'],
    },
  ];
};

const expectRefused = async (url: string) => {
  for (const { method, path, body, paths } of carrying(url)) {
    const answer = await project.call(method, path, body);
    expect([url, answer.status, answer.body]).toEqual([
      url,
      400,
      expect.objectContaining({ success: false }),
    ]);
    expect(answer.body.error.code).toBe('VALIDATION_ERROR');
    // One message names every field.
    for (const field of paths) expect(answer.body.error.message).toContain(`${field}: `);
  }
};

test('a hostile address is refused in every field, each named', async () => {
  expect(hostileUrls.length).toBeGreaterThanOrEqual(60);
  const before = (await project.call('GET', `/links/${code}`)).body.data;
  await Promise.all(hostileUrls.map(expectRefused));
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

test('an odd but harmless address is taken and shown as it was sent', async () => {
  for (const url of harmlessUrls) {
    for (const { method, path, body } of carrying(url)) {
      const answer = await project.call(method, path, body);
      expect([url, answer.status]).toEqual([url, method === 'POST' ? 201 : 200]);
    }
    expect((await project.call('GET', `/links/${code}`)).body.data.originalUrl).toBe(url);
  }
});

const sendRaw = (body: string, headers: Record<string, string> = {}) =>
  project.call('POST', '/links', body, headers);

describe('a body that is not to be read', () => {
  const valid = JSON.stringify({ payload });

  test.each([
    ['nothing', ''],
    ['blanks', '  '],
    ['no JSON', '{payload}'],
    ['half of it', valid.slice(0, -1)],
    ['two of it', valid + valid],
    ['an array', '[]'],
    ['null', 'null'],
    ['a number', '1'],
    ['a text', '"text"'],
    ['base64', Buffer.from(valid).toString('base64')],
    ['a form', 'payload=1'],
    ['deep arrays', '['.repeat(30_000)],
  ])('%s', async (_, body) => {
    const { status, body: told } = await sendRaw(body);
    expect([status, told]).toEqual([400, coded('VALIDATION_ERROR')]);
  });

  test('one that is over 64 KB, and not one of 64 KB', async () => {
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
    'but %s is',
    async (type) => {
      expect((await sendRaw(valid, { 'Content-Type': type })).status).toBe(201);
    },
  );

  test('fields that are not known change nothing, whatever their names', async () => {
    const odd = `{"__proto__":{"code":"x"},"constructor":1,"toString":null,"payload":{"link":"${payload.link}","__proto__":1}}`;
    const { status, body } = await sendRaw(odd);
    expect([status, body.data.originalUrl]).toEqual([201, payload.link]);
  });
});

test.each([
  ['code', ['ab', 'x'.repeat(51), 'a b', 'ümlaut', 'a.b', '', 'abc\n', 1, null]],
  ['name', ['x'.repeat(256), 1, {}, [], '\ud800']],
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
])('%s takes no %j', async (field, values) => {
  for (const value of values) {
    const { status, body } = await project.call('POST', '/links', { payload, [field]: value });
    expect([value, status, body]).toEqual([value, 400, coded('VALIDATION_ERROR')]);
    expect(body.error.message).toContain(field);
  }
});

test('a field as long as it may be is taken, one that is longer is named', async () => {
  const longest: Record<string, Record<string, number>> = {
    android: { package: 255, min_version: 32 },
    ios: { bundleId: 255, min_version: 32 },
    social: { title: 256, description: 2048 },
    campaign: { utm_source: 255, utm_medium: 255, utm_campaign: 255, utm_term: 255, utm_content: 255 },
  };
  const sections = (more: number) =>
    Object.fromEntries(
      Object.entries(longest).map(([section, fields]) => [
        section,
        Object.fromEntries(
          Object.entries(fields).map(([field, length]) => [field, 'x'.repeat(length + more)]),
        ),
      ]),
    );
  const create = (more: number) =>
    project.call('POST', '/links', {
      name: 'n'.repeat(255 + more),
      payload: { ...payload, ...sections(more) },
    });
  expect((await create(0)).status).toBe(201);
  const { body } = await create(1);
  const paths = Object.entries(longest).flatMap(([section, fields]) =>
    Object.keys(fields).map((field) => `payload.${section}.${field}: `),
  );
  for (const path of ['name: ', ...paths]) expect(body.error.message).toContain(path);
});

/** A path as it is: fetch would tidy it up. */
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

test.each(oddCodes)('the code %s leads nowhere', async (odd) => {
  const got = await rawPath(`/links/${odd}`);
  expect([got.status, JSON.parse(got.text)]).toEqual([404, coded('LINK_NOT_FOUND')]);
  const checked = await rawPath(`/links/check/${odd}`);
  expect([checked.status, JSON.parse(checked.text)]).toEqual([400, coded('VALIDATION_ERROR')]);
  const app = await rawPath(`/mobile-apps/${odd}`);
  expect([app.status, JSON.parse(app.text).error]).toEqual([404, 'Mobile app not found']);
});
