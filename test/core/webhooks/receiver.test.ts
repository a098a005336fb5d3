import { once } from 'node:events';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { answerMs, openReceiver } from '../../../core/webhooks/receiver.ts';
import { listen } from '../../support/listen.ts';
import { ofFile } from '../../support/of-file.ts';

let answer: RequestListener;
let seen: { message: IncomingMessage; body: string }[];
const listening = ofFile(() =>
  listen(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push({ message: request, body });
    answer(request, response);
  }),
);
beforeEach(() => {
  seen = [];
  answer = (_, response) => response.end();
});

const port = () => listening.port;
const url = (host = '127.0.0.1') => `http://${host}:${port()}/hook?key=1`;
const options = { isLocal: true, sockets: 2 };

const posting = (to = url()) => ({ url: to, headers: { 'x-one': '1' }, body: '{"ä":1}' });

const post = async (to = url(), more: Partial<Parameters<typeof openReceiver>[0]> = {}) => {
  const receiver = openReceiver({ ...options, ...more });
  try {
    return await receiver.post(posting(to));
  } finally {
    receiver.close();
  }
};

test('a request has its headers and its bytes', async () => {
  expect(await post()).toEqual({ status: 200, retryAfter: undefined, ms: expect.any(Number) });
  const [{ message, body } = {}] = seen;
  expect([message?.method, message?.url, body]).toEqual(['POST', '/hook?key=1', '{"ä":1}']);
  expect(message?.headers).toMatchObject({
    'x-one': '1',
    'content-length': '8',
    host: `127.0.0.1:${port()}`,
  });
});

test('a redirect is an answer, and is not followed', async () => {
  answer = (_, response) => response.writeHead(307, { location: url() }).end();
  expect(await post()).toMatchObject({
    status: 307,
    error: expect.stringContaining('use the final address'),
  });
  expect(seen).toHaveLength(1);
});

test('a proxy of the environment is not asked', async () => {
  const names = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
  const before = names.map((name) => [name, process.env[name]] as const);
  for (const name of names) process.env[name] = 'http://127.0.0.1:9';
  try {
    expect((await post()).status).toBe(200);
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
});

test('a late response counts as none, as does one whose head does not end', async () => {
  expect(answerMs).toBe(10_000);
  answer = () => undefined;
  expect(await post(url(), { deadlineMs: 50 })).toMatchObject({ error: 'No answer within 0.05 seconds' });
  answer = (_, response) => response.socket?.write('HTTP/1.1 200 OK\r\n');
  expect(await post(url(), { deadlineMs: 50 })).toMatchObject({ error: 'No answer within 0.05 seconds' });
});

test('a name that is not resolved in time is no receiver', async () => {
  const resolve = () => new Promise<never>(() => undefined);
  expect(await post(url('hooks.example.com'), { resolve, deadlineMs: 50 })).toMatchObject({
    error: 'No answer within 0.05 seconds',
  });
});

test('an answer needs no body', async () => {
  answer = (_, response) => response.writeHead(204).end();
  expect((await post()).status).toBe(204);
});

test.each([
  ['no such order', 'no such order'],
  ['', undefined],
  ['x'.repeat(5000), 'x'.repeat(1024)],
  // A character of three bytes doesn't fit.
  [`${'x'.repeat(1022)}€`, 'x'.repeat(1022)],
])('an answer of %p is kept up to its first KB', async (body, kept) => {
  answer = (_, response) => response.writeHead(400).end(body);
  expect(await post()).toMatchObject({ status: 400, ...(kept && { answer: kept }) });
});

test('only the beginning of a body is read', async () => {
  const { promise: written, resolve } = Promise.withResolvers<number>();
  answer = ({ socket }, response) => {
    socket.on('close', () => resolve(socket.bytesWritten));
    const more = () => response.destroyed || response.write('x'.repeat(65_536), () => setImmediate(more));
    more();
  };
  const receiver = openReceiver({ ...options, bodyMs: 600_000 });
  expect((await receiver.post(posting())).status).toBe(200);
  // Systems buffer so much without a reader.
  expect(await written).toBeLessThan(32 * 1024 ** 2);
  receiver.close();
});

test('a body that never ends frees the place of its connection', async () => {
  answer = (_, response) => response.writeHead(200).write('and so on');
  const receiver = openReceiver({ ...options, sockets: 1, bodyMs: 10, deadlineMs: 3000 });
  const outcomes = await Promise.all([1, 2, 3].map(() => receiver.post(posting())));
  receiver.close();
  expect(outcomes).toMatchObject([1, 2, 3].map(() => ({ status: 200, answer: 'and so on' })));
});

test('a lost connection is reported, and its request is not sent again', async () => {
  answer = (_, response) => response.destroy();
  expect((await post()).error).toMatch(/hang up|ECONNRESET/);
  expect(seen).toHaveLength(1);
});

test('a connection that the receiver has closed meanwhile costs no attempt', async () => {
  const receiver = openReceiver(options);
  expect((await receiver.post(posting())).status).toBe(200);
  for (let round = 0; round < 5; round += 1) {
    listening.server.closeAllConnections();
    expect((await receiver.post(posting())).status).toBe(200);
  }
  receiver.close();
});

test('several connections that the receiver closes only when a request comes cost no attempt', async () => {
  const known = new Set<unknown>();
  answer = ({ socket }, response) => {
    if (known.has(socket)) return void socket.destroy();
    known.add(socket);
    response.end();
  };
  const receiver = openReceiver(options);
  await Promise.all([receiver.post(posting()), receiver.post(posting())]);
  expect(known.size).toBe(2);
  expect((await receiver.post(posting())).status).toBe(200);
  receiver.close();
});

test("a timeout on a reused connection isn't retried", async () => {
  let connections = 0;
  const count = () => {
    connections += 1;
  };
  listening.server.on('connection', count);
  const receiver = openReceiver({ ...options, deadlineMs: 1000 });
  expect((await receiver.post(posting())).status).toBe(200);
  answer = () => undefined;
  expect((await receiver.post(posting())).error).toBe('No answer within 1 seconds');
  answer = (_, response) => response.end();
  expect((await receiver.post(posting())).status).toBe(200);
  receiver.close();
  listening.server.off('connection', count);
  // The kept one, which the time-out ended, and that of the last request.
  expect(connections).toBe(2);
});

describe('a name', () => {
  const address = { address: '127.0.0.1', family: 4 };

  test('is resolved once, and the connection goes where that led', async () => {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      // A name server that answers otherwise the second time.
      return [asked === 1 ? address : { address: '10.0.0.1', family: 4 }];
    };
    expect((await post(url('rebound.example.com'), { resolve })).status).toBe(200);
    expect([asked, seen[0]?.message.headers.host]).toEqual([1, `rebound.example.com:${port()}`]);
  });

  test('is resolved once for connections at the same time', async () => {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return [address];
    };
    const receiver = openReceiver({ ...options, sockets: 5, resolve });
    const to = posting(url('hooks.example.com'));
    const outcomes = await Promise.all([1, 2, 3, 4, 5].map(() => receiver.post(to)));
    receiver.close();
    expect([asked, ...outcomes.map(({ status }) => status)]).toEqual([1, 200, 200, 200, 200, 200]);
  });

  test('that leads to a private address is not connected to', async () => {
    const resolve = async () => [address, { address: '10.0.0.1', family: 4 }];
    expect((await post(url('mixed.example.com'), { resolve })).error).toMatch(/does not lead to a public/);
    const outcome = await post(`https://loop.example.com:${port()}/`, {
      isLocal: false,
      resolve: async () => [address],
    });
    expect(outcome.error).toMatch(/does not lead to a public/);
    expect(seen).toEqual([]);
  });
});

test.each(['https://127.0.0.1:1/', 'https://[::ffff:10.0.0.1]/', 'https://169.254.169.254/'])(
  'nothing connects to %s in AWS',
  async (to) => {
    expect((await post(to, { isLocal: false })).error).toMatch(/does not lead to a public/);
  },
);

test('without TLS nothing is sent in AWS', async () => {
  expect((await post(url(), { isLocal: false })).error).toBeDefined();
  expect(seen).toEqual([]);
});

/** A self-signed certificate, valid for a hundred years. Its key is used for nothing else. */
const selfSigned = {
  key: `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgFn/TZg7K5HmS9lOo
hyLdsigOSL0U2toVk9qUVn/i55OhRANCAAQkN0yLW/82zqujNC99QeJZeBrMf+Ur
Z72NTNwUeZFHsdNMjueLU0FpcARwG8Y37fSEE6H7RXux35fii05MxtXB
-----END PRIVATE KEY-----`,
  cert: `-----BEGIN CERTIFICATE-----
MIIBrTCCAVOgAwIBAgIUSyYcIhGIo8IiF0hxzLUjJXd+KfcwCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRaG9va3MuZXhhbXBsZS5jb20wIBcNMjYxMTIzMTk0MjM1WhgP
MjEyNjEwMzAxOTQyMzVaMBwxGjAYBgNVBAMMEWhvb2tzLmV4YW1wbGUuY29tMFkw
EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEJDdMi1v/Ns6rozQvfUHiWXgazH/lK2e9
jUzcFHmRR7HTTI7ni1NBaXAEcBvGN+30hBOh+0V7sd+X4otOTMbVwaNxMG8wHQYD
VR0OBBYEFMqqYcr5XTAOTHu1LEufETtobiLjMB8GA1UdIwQYMBaAFMqqYcr5XTAO
THu1LEufETtobiLjMA8GA1UdEwEB/wQFMAMBAf8wHAYDVR0RBBUwE4IRaG9va3Mu
ZXhhbXBsZS5jb20wCgYIKoZIzj0EAwIDSAAwRQIhAJwXU+OJAHw5WR1MXS2b+ulh
mNm2kS4oMpoXyvMz2xInAiAh4x22Tts1du0/715bOBuLFxNcFK6PYl3Hg+1wBpmy
Ww==
-----END CERTIFICATE-----`,
};

test('nothing is sent to a receiver with an untrusted certificate', async () => {
  let requests = 0;
  const secure = createSecureServer(selfSigned, (_, response) => {
    requests += 1;
    response.end();
  }).listen(0, '127.0.0.1');
  await once(secure, 'listening');
  try {
    const to = `https://hooks.example.com:${(secure.address() as AddressInfo).port}/`;
    const resolve = async () => [{ address: '127.0.0.1', family: 4 }];
    expect((await post(to, { resolve })).error).toMatch(/self-signed certificate/);
    expect(requests).toBe(0);
  } finally {
    secure.close();
  }
});
