import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { bodyWithin, type HttpServer, listen } from '../../base/http-server.ts';
import { send } from '../http-client.ts';

let server: HttpServer;
beforeEach(async () => {
  server = await listen({ port: 0 });
});
afterEach(() => server.stop(0));

test('responds with 503 until it has something to serve', async () => {
  expect((await send(server.authority, { path: '/' })).status).toBe(503);
  server.serve((_request, response) => response.end('served'));
  expect((await send(server.authority, { path: '/' })).body).toBe('served');
});

test('a port in use is reported in one line', async () => {
  const port = Number(server.authority.split(':')[1]);
  await expect(listen({ port, portOption: '--port' })).rejects.toThrow(
    new Error(`port ${port} is already in use: stop the other program or choose another with --port`),
  );
});

/** Starts a request that is unfinished when the server stops. */
async function halfway(): Promise<{ finish: () => void; answer: Promise<string> }> {
  const agent = new Agent({ keepAlive: true });
  const reached = Promise.withResolvers<() => void>();
  server.serve((_request, response) => reached.resolve(() => response.end('done')));
  const answer = new Promise<string>((resolve, reject) => {
    const request = get(server.url, { agent }, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      resolve(text);
    });
    request.on('error', reject);
  });
  return { finish: await reached.promise, answer };
}

test('stops once the running request has its response, even on a kept-alive connection', async () => {
  const { finish, answer } = await halfway();
  const stopped = server.stop(3_600_000);
  finish();
  expect(await answer).toBe('done');
  await stopped;
});

test('stops without waiting longer for a request that never ends', async () => {
  const { answer } = await halfway();
  const lost = expect(answer).rejects.toThrow();
  await server.stop(1);
  await lost;
});

test('can be stopped twice', async () => {
  await server.stop();
  await server.stop();
});

test('a body over the limit is refused, and the client gets the refusal', async () => {
  server.serve(async (request, response) => {
    const body = await bodyWithin(request, 10);
    response.end(body ? 'taken' : 'refused');
  });
  const post = (length: number) =>
    send(server.authority, { method: 'POST', path: '/', body: 'x'.repeat(length) });
  expect((await post(10)).body).toBe('taken');
  expect((await post(5_000_000)).body).toBe('refused');
});

/** The server's complete response to these bytes. */
async function said(bytes: Buffer): Promise<string> {
  const socket = connect(Number(server.authority.split(':')[1]), '127.0.0.1');
  socket.write(bytes);
  let text = '';
  for await (const chunk of socket) text += chunk;
  return text;
}

test('takes raw UTF-8 in a target, percent-encoded', async () => {
  server.serve((request, response) =>
    response.end(`asked for ${request.url} as ${request.headers['user-agent']}`),
  );
  const request = 'GET /launch?city=Köln HTTP/1.1\r\nHost: go.test\r\nUser-Agent: bröwser\r\n\r\n';
  const answer = await said(Buffer.from(request, 'utf8'));
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).toContain('asked for /launch?city=K%C3%B6ln as brÃ¶wser');
});

test('responds to a request that is not HTTP', async () => {
  expect(await said(Buffer.from('GET /a b c\r\n\r\n'))).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
});
