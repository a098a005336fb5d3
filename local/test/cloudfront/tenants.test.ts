import type { RequestListener } from 'node:http';
import { type HttpServer, listen } from '../../base/http-server.ts';
import { createSharedAddress, type TenantOf } from '../../cloudfront/tenant-hosts.ts';
import { send } from '../http-client.ts';

let server: HttpServer;
const logged: string[] = [];
const saying =
  (text: string): RequestListener =>
  (_request, response) =>
    response.end(text);

const serve = (tenantOf: TenantOf) =>
  server.serve(
    createSharedAddress({
      authority: server.authority,
      own: {
        id: 'Own',
        isTemplate: false,
        aliases: ['alias.example.com'],
        origins: {},
        behaviors: [],
        errorTtls: {},
      },
      serveOwn: saying('own'),
      templates: new Map([['Template', saying('template')]]),
      tenantOf,
      log: (text) => logged.push(text),
    }),
  );

beforeEach(async () => {
  server = await listen({ port: 0 });
  logged.length = 0;
});
afterEach(() => server.stop(0));

const bodyAt = async (host?: string) =>
  (await send(server.authority, { path: '/', ...(host !== undefined && { headers: { host } }) })).body;

test('a host gets its distribution, in any spelling', async () => {
  serve(async (host) => ({ 'a.example.com': 'Template', 'b.example.com:8443': 'Template' })[host]);
  const port = server.authority.split(':')[1];
  for (const host of [undefined, `localhost:${port}`, 'alias.example.com', 'ALIAS.example.com.:443'])
    expect(await bodyAt(host)).toBe('own');
  for (const host of ['a.example.com', 'A.Example.com.', 'a.example.com:80', 'b.example.com:8443'])
    expect(await bodyAt(host)).toBe('template');
});

test('a host without a distribution is refused, even if its tenant names a missing one', async () => {
  serve(async (host) => (host === 'gone.example.com' ? 'Gone' : undefined));
  for (const host of ['gone.example.com', 'a.example.com:8443', '<script>']) {
    const { status, headers, body } = await send(server.authority, { path: '/', headers: { host } });
    expect([status, headers['x-cache']]).toEqual([403, 'Error from cloudfront']);
    expect(body).not.toContain('<script>');
  }
});

test('a failing lookup causes status 502, and the stack goes on', async () => {
  serve(async (host) => {
    if (host === 'broken.example.com') throw new Error('unreadable');
    return 'Template';
  });
  const { status } = await send(server.authority, { path: '/', headers: { host: 'broken.example.com' } });
  expect(status).toBe(502);
  expect(logged.join('')).toContain('unreadable');
  expect(await bodyAt('a.example.com')).toBe('template');
});
