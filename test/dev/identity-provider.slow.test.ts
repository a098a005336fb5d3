import { execFile } from 'node:child_process';
import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { localClient, startIdentityProvider } from '../../dev/identity-provider.ts';
import { ofFile } from '../support/of-file.ts';

const redirect = 'http://127.0.0.1:8787/console/callback';
const provider = ofFile(async () => {
  const started = await startIdentityProvider();
  started.serveFor(redirect);
  return started;
});

const right = {
  client_id: localClient,
  redirect_uri: redirect,
  response_type: 'code',
  code_challenge_method: 'S256',
  code_challenge: 'x',
  state: 's',
  nonce: 'n',
};

/** Resolves to the status and where it leads. */
const ask = (method: string, query: object, headers: Record<string, string> = {}, form: object = {}) =>
  new Promise<{ status: number | undefined; to: string | undefined; body: string }>((resolve, reject) => {
    const address = `${provider.issuer}/authorize?${new URLSearchParams({ ...query })}`;
    const call = request(address, { method, headers }, async (answer) =>
      resolve({ status: answer.statusCode, to: answer.headers.location, body: await text(answer) }),
    );
    call.on('error', reject).end(method === 'POST' ? String(new URLSearchParams({ ...form })) : undefined);
  });
const grant = (change: object = {}, headers: Record<string, string> = {}) =>
  ask('POST', { ...right, ...change }, { origin: provider.issuer, ...headers }, { email: 'ann@example.com' });

test('a form of its own leads back with a code, which is redeemed only with its proof', async () => {
  expect(await ask('GET', right)).toMatchObject({ status: 200, body: expect.stringContaining('<form') });
  const { status, to = '' } = await grant();
  expect([status, new URL(to).searchParams.get('state')]).toEqual([303, 's']);
  const code = new URL(to).searchParams.get('code') ?? '';
  const redeem = (form: object) =>
    fetch(`${provider.issuer}/token`, { method: 'POST', body: new URLSearchParams({ ...form }) });
  const given = { client_id: localClient, redirect_uri: redirect, code, code_verifier: 'another' };
  expect((await redeem(given)).status).toBe(400);
  expect((await redeem({ ...given, code: 'unknown' })).status).toBe(400);
});

test.each<[string, object]>([
  ['another client', { client_id: 'other' }],
  ['another address to go back to', { redirect_uri: 'https://evil.example.com/console/callback' }],
  ['an address to go back to that begins like the own', { redirect_uri: `${redirect}.evil.example.com` }],
  ['no proof of the code', { code_challenge_method: 'plain' }],
  ['a token in the address', { response_type: 'token' }],
])('%s gets neither form nor code', async (_, change) => {
  expect((await ask('GET', { ...right, ...change })).status).toBe(400);
  expect(await grant(change)).toMatchObject({ status: 400, to: undefined });
});

test.each<[string, Record<string, string>, number]>([
  ['another page', { origin: 'https://evil.example.com' }, 400],
  ['a page of no origin', { origin: 'null' }, 400],
  ['a name that leads here by DNS', { host: 'evil.example.com' }, 421],
])('%s can not send its form', async (_, headers, status) => {
  expect(await grant({}, headers)).toMatchObject({ status, to: undefined });
});

// Only the superuser can be another user, and only Linux names callers.
const asSuperuser = process.platform === 'linux' && process.getuid?.() === 0 ? test : test.skip;
asSuperuser('another user of the machine gets neither form nor code', async () => {
  const address = `${provider.issuer}/authorize?${new URLSearchParams(right)}`;
  const form = ['-H', `origin: ${provider.issuer}`, '-d', 'email=editor@example.com'];
  const statusOf = async (user: number, ...more: readonly string[]) => {
    const args = ['-s', '-o', '/dev/null', '-w', '%{http_code}', ...more, address];
    return (await promisify(execFile)('curl', args, { uid: user, cwd: '/' })).stdout;
  };
  // The system lists the two ends of a connection in any order.
  for (const from of ['127.0.0.1', '127.0.0.1', '127.0.0.2']) {
    const at = ['--interface', from];
    expect([await statusOf(65_534, ...at), await statusOf(65_534, ...at, ...form)]).toEqual(['403', '403']);
  }
  expect([await statusOf(0), await statusOf(0, ...form)]).toEqual(['200', '303']);
});
