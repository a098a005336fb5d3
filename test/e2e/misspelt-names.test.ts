import path from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { newLink, payload, storesOf } from '../support/api.ts';
import { eventually } from '../support/local-stack.ts';
import { programVariables } from '../support/program.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);

/** Names by their paths, with those that they are refused for; a name for nothing is ignored. */
const names: readonly (readonly [given: string, meant: string])[] = [
  ['payload.androd', 'android'],
  ['payload.iso', 'ios'],
  ['payload.socail', 'social'],
  ['payload.interstital', 'interstitial'],
  ['payload.rulez', 'rules'],
  // Clicks name their rule.
  ['payload.rule', ''],
  ['payload.og', ''],
  ['payload.ogTitle', ''],
  ['payload.utm', ''],
  ['payload.campaign.source', 'utm_source'],
  ['payload.campaign.utm_scource', 'utm_source'],
  ['payload.android.pakage', 'package'],
  ['payload.social.descripton', 'description'],
  ['nmae', 'name'],
  ['expire', 'expiresAt'],
  ['description', ''],
  ['notes', ''],
  ['comments', ''],
  ['foo', ''],
  ['expires_at', 'expiresAt'],
  ['expiresat', 'expiresAt'],
  ['alias', 'code'],
  ['slug', 'code'],
  ['url', 'payload.link'],
  ['destination', 'payload.link'],
  ['tag', 'tags'],
  ['title', 'name'],
  ['utm_source', 'payload.campaign.utm_source'],
  ['payload.name', 'name beside payload'],
  ['payload.title', 'payload.social.title'],
  ['payload.desktop', 'payload.desktop_fallback'],
];

/** A draft with one more field. */
const withName = (given: string) => {
  const [name = '', ...places] = given.split('.').toReversed();
  const inner = places.reduce((value: object, place) => ({ [place]: value }), { [name]: 'x' });
  return { ...inner, payload: { ...payload, ...(inner as { payload?: object }).payload } };
};

test.each(names)('a new link with %s is refused for %s, singly and in bulk', async (given, meant) => {
  const body = withName(given);
  const single = await project.call('POST', '/links', body);
  const [many] = (await project.call('POST', '/links/bulk', { links: [body] })).body.data.results;
  expect([single.status, many.success]).toEqual(meant ? [400, false] : [201, true]);
  if (!meant) return;
  expect(single.body.error.code).toBe('VALIDATION_ERROR');
  expect(single.body.error.message).toMatch(`${given}: `);
  expect(many.error).toEqual(single.body.error);
});

test('an assistant that creates a link with these names gets their faults', async () => {
  const { code } = await newLink(project);
  const call = await assistant();
  for (const [given, meant] of names) {
    const { isError, text } = await call('create_link', withName(given));
    // Beside the payload, names are the tool's own arguments.
    if (!given.startsWith('payload'))
      expect(text).toBe(
        given === 'tag'
          ? 'VALIDATION_ERROR: tag: is unknown here; use list_links'
          : `VALIDATION_ERROR: ${given}: is unknown here; create_link takes code, name, tags, payload, expiresAt`,
      );
    else if (meant) expect(text).toMatch(`VALIDATION_ERROR: ${given}: is `);
    expect([given, isError]).toEqual([given, meant !== '' || !given.startsWith('payload')]);
  }
  expect(await call('update_link', { code, status: 'PAUSED', colour: 'red' })).toEqual({
    isError: true,
    text: 'VALIDATION_ERROR: status: is unknown here; use set_link_status; colour: is unknown here; update_link takes code, name, tags, payload, expiresAt',
  });
  expect((await call('get_link', { code, interval: '7d' })).text).toContain(
    'interval: is unknown here; use get_analytics',
  );
  expect((await call('list_apps', { page: 2 })).text).toContain(
    'page: is unknown here; list_apps takes no arguments',
  );
  expect((await shown(code)).status).toBe('ACTIVE');
});

const shown = async (code: string) => (await project.call('GET', `/links/${code}`)).body.data;

const program = path.join(import.meta.dirname, '../../client/program/dynamic-links.ts');

const assistant = async () => {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [program, 'mcp'],
      env: { ...programVariables, DLS_URL: stack.facts.apiBaseUrl, DLS_KEY: project.key },
    }),
  );
  open.push(client);
  return async (name: string, args: Record<string, unknown>) => {
    const { content, isError = false } = await client.callTool({ name, arguments: args });
    return { isError, text: (content as [{ text: string }])[0].text };
  };
};
const open: Client[] = [];
afterAll(() => Promise.all(open.map((client) => client.close())));

test.each(['PUT', 'PATCH'])(
  '%s refuses another code or status, and takes those of the link',
  async (method) => {
    const { code } = await newLink(project, { expiresAt: '2099-01-01' });
    const change = async (fields: object) => {
      const { status, body } = await project.call(method, `/links/${code}`, { payload, ...fields });
      return status === 200 ? 'taken' : `${body.error.code} ${body.error.message}`;
    };
    const statusOf = (status: string) => `status: is ${status}; PUT /1.0/links/${code}/status changes it`;
    const codeStays = "code: can't be changed, because a link keeps its code; leave it out";
    expect(await change({ name: 'A', status: 'PAUSED' })).toBe(`VALIDATION_ERROR ${statusOf('ACTIVE')}`);
    expect(await change({ name: 'A', status: 7, code: 'other' })).toBe(
      `VALIDATION_ERROR ${codeStays}; ${statusOf('ACTIVE')}`,
    );
    expect(await change({ alias: code })).toBe(`VALIDATION_ERROR ${codeStays.replace('code', 'alias')}`);
    expect(await shown(code)).not.toHaveProperty('name');
    expect(await change({ status: 'ACTIVE', code, name: 'B' })).toBe('taken');
    expect(await change({ status: null, code: null })).toBe('taken');
    await project.call('PUT', `/links/${code}/status`, { status: 'PAUSED' });
    expect(await change({ status: 'ACTIVE' })).toBe(`VALIDATION_ERROR ${statusOf('PAUSED')}`);
    expect(await change({ status: 'PAUSED' })).toBe('taken');
    expect(await shown(code)).toMatchObject({ name: 'B', status: 'PAUSED' });
  },
);

test('a missing, blocked or expired link is reported first', async () => {
  const body = { payload, status: 'PAUSED', code: 'another' };
  const { code } = await newLink(project);
  await storesOf(stack).links.block(project.id, code, { now: new Date() });
  const expiresAt = new Date(Date.now() + 1000);
  const expired = await newLink(project, { expiresAt: expiresAt.toISOString() });
  await eventually(
    async () => (await shown(expired.code)).status,
    (status) => status === 'EXPIRED',
  );
  for (const method of ['PUT', 'PATCH']) {
    const errorFor = async (one: string) => (await project.call(method, `/links/${one}`, body)).body.error;
    expect(await errorFor('missing')).toBe('Link not found');
    expect(await errorFor(code)).toMatchObject({
      code: 'BAD_REQUEST',
      message: expect.stringContaining('blocked'),
    });
    expect(await errorFor(expired.code)).toBe('The link has expired and cannot be changed');
  }
});
