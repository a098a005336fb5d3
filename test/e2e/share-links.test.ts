import { shareLink } from '../../client/app.ts';
import { makeShareKey } from '../../core/share-links/share-keys.ts';
import { writeSharePage } from '../../dev/showcase/share-page.ts';
import { coded, newProject, storesOf } from '../support/api.ts';
import { describeInBrowser, fileTab } from '../support/browser.ts';
import { newFolder } from '../support/folder.ts';
import { ofFile } from '../support/of-file.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);
const link = 'https://shop.example/join';
const cors = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
};
const corsOf = (headers: Headers) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-')));

/** The value of a publishable key with a template. */
const keyWith = async (fields: object = {}) => {
  const call = { project: project.id, now: new Date(), shortHosts: ['short.example'], createdBy: 'admin' };
  const template = { payload: { link }, allow: ['link.path', 'social.title'], ...fields };
  const key = await makeShareKey(template, call, storesOf(stack));
  return key.share?.apiKey ?? '';
};
const usual = ofFile(async () => ({ key: await keyWith() }));
const share = (body: unknown, key = usual.key, headers = {}) =>
  stack.api('POST', '/share-links', { key, body, headers });

test('a request makes a link once, and its visitors go below the template', async () => {
  const body = { link: `${link}/42`, social: { title: 'Join Ann' } };
  const first = await share(body);
  expect([first.status, first.body, corsOf(first.headers)]).toEqual([
    201,
    {
      success: true,
      data: {
        code: expect.stringMatching(/^\w{10}$/),
        shortUrl: expect.stringContaining(`/${project.id}/`),
        link: `${link}/42`,
        expiresAt: expect.stringMatching(/Z$/),
      },
    },
    cors,
  ]);
  expect(first.headers.get('x-ratelimit-limit')).toBe('5000');
  const second = await share(body);
  expect([second.status, second.body]).toEqual([200, first.body]);
  const visit = await fetch(first.body.data.shortUrl, { redirect: 'manual' });
  expect([visit.status, visit.headers.get('location')]).toEqual([302, `${link}/42`]);
  const { body: listed } = await project.call('GET', '/links');
  expect(listed.pagination.total).toBe(0);
  const shown = await project.call('GET', `/links/${first.body.data.code}`);
  expect(shown.body.data).toMatchObject({
    createdBy: expect.stringMatching(/^key-/),
    payload: { query: 'append' },
  });
});

test('the client makes a link once, and its error lists the faults', async () => {
  const settings = { url: stack.facts.apiBaseUrl, publishableKey: usual.key };
  const request = { link: `${link}/client`, social: { title: 'Join Bob' } };
  const made = await shareLink(settings, request);
  expect(made).toMatchObject({ link: request.link, created: true });
  expect(await shareLink(settings, request)).toEqual({ ...made, created: false });
  await expect(shareLink(settings, { link: 'https://evil.example/' })).rejects.toMatchObject({
    code: 'VALIDATION_ERROR',
    faults: [{ field: 'link', message: expect.any(String) }],
  });
});

test('bad requests have the paths of their faults', async () => {
  const answer = await share({
    link: 'https://evil.example/',
    social: { title: 'see evil.example' },
    colour: 1,
  });
  expect([answer.status, answer.body, corsOf(answer.headers)]).toEqual([
    400,
    coded('VALIDATION_ERROR'),
    cors,
  ]);
  expect(answer.body.error.faults.map(({ path }: { path: string }) => path).sort()).toEqual([
    'colour',
    'social.title',
  ]);
  const elsewhere = await share({ link: 'https://evil.example/' });
  expect(elsewhere.body.error.faults).toEqual([{ path: 'link', message: expect.any(String) }]);
});

test('each kind of key works on its own paths only', async () => {
  const refused = coded('INSUFFICIENT_PERMISSIONS');
  const secret = await share({}, project.key);
  expect([secret.status, secret.body]).toEqual([403, refused]);
  for (const path of ['/usage', '/links', '/links/any']) {
    const { status, body } = await stack.api('GET', path, { key: usual.key });
    expect([path, status, body]).toEqual([path, 403, refused]);
  }
  const unknown = await share({}, `dlp_${'a'.repeat(40)}`);
  expect([unknown.status, unknown.body, corsOf(unknown.headers)]).toEqual([
    401,
    coded('INVALID_API_KEY'),
    cors,
  ]);
});

test('a preflight request needs no key, and other methods get the allowed ones', async () => {
  const ask = {
    key: '',
    headers: { 'Access-Control-Request-Method': 'POST', Origin: 'https://app.example' },
  };
  const preflight = await stack.api('OPTIONS', '/share-links', ask);
  expect([preflight.status, preflight.text]).toEqual([204, '']);
  expect(corsOf(preflight.headers)).toEqual({
    'access-control-allow-origin': '*',
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type, x-api-key',
    'access-control-max-age': '86400',
  });
  for (const method of ['GET', 'PUT', 'DELETE']) {
    const { status, headers } = await stack.api(method, '/share-links', { key: '' });
    expect([method, status, headers.get('allow'), corsOf(headers)]).toEqual([
      method,
      405,
      'POST, OPTIONS',
      cors,
    ]);
  }
  expect(corsOf((await stack.api('OPTIONS', '/links', ask)).headers)).toEqual({});
});

test('the calls of an hour are limited by the template', async () => {
  const key = await keyWith({ perHour: 2 });
  const statuses = [];
  for (let call = 0; call < 3; call += 1) statuses.push((await share({}, key)).status);
  expect(statuses).toEqual([201, 200, 429]);
});

describeInBrowser("the demo's page", () => {
  const tab = fileTab();

  test('makes a link, then finds it again, also after another start', async () => {
    const { shortBaseUrl: shortBase, apiBaseUrl: apiBase } = stack.facts;
    const place = { project: (await newProject(stack)).id, folder: newFolder() };
    const write = () => writeSharePage({ stores: storesOf(stack), shortBase, apiBase }, place);
    const address = await write();
    const { page } = tab;
    const press = async () => {
      await page.goto(address);
      await page.getByRole('button').click();
      await page.locator('output').getByRole('link').waitFor();
      return page.locator('output').textContent();
    };
    const [first, second] = [await press(), await press()];
    expect(first).toMatch(/^New: http/);
    expect(second).toBe(first?.replace('New', 'The same'));
    await write();
    expect(await press()).toBe(second);
  });
});
