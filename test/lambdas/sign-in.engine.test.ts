import type { ServerResponse } from 'node:http';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { memberStore } from '../../core/members/member-store.ts';
import { sessionStore } from '../../core/members/session-store.ts';
import { projectStore } from '../../core/projects/project-store.ts';
import { type ConsoleProps, memberConsole } from '../../lambdas/sign-in/members-console.ts';
import { fileTable } from '../support/engine.ts';
import { type Behavior, startIssuer } from '../support/issuer-double.ts';
import { ofFile } from '../support/of-file.ts';

const client = 'the-client';
const redirect = 'https://api.example.com/prod/console/callback';
const origin = 'https://api.example.com';

const db = fileTable();
const issuer = ofFile(() => startIssuer(client));
beforeAll(async () => {
  const createdAt = new Date().toISOString();
  await projectStore(db.table).create({ id: 'shop', name: 'Shop', subscription: 'active', createdAt });
  for (const email of ['ann@example.com', 'bob@example.com'])
    await memberStore(db.table).add({ email, project: 'shop', role: 'viewer' }, new Date());
});
beforeEach(() => issuer.reset());

const written: string[] = [];
beforeEach(() => {
  written.length = 0;
  jest.spyOn(process.stdout, 'write').mockImplementation((text) => written.push(String(text)) > 0);
});
afterEach(() => jest.restoreAllMocks());

const opened = (more: Partial<ConsoleProps> = {}) =>
  memberConsole({
    signIn: issuer.issuer,
    signInClient: client,
    signInRedirect: redirect,
    signInSecret: undefined,
    signInTrustsEmail: false,
    stores: { members: memberStore(db.table), sessions: sessionStore(db.table) },
    attemptSecret: 'secret',
    content: (name) => `${name} at BASE`,
    ...more,
  });

type Console = ReturnType<typeof opened>;

interface Asking {
  readonly method?: string;
  readonly headers?: Record<string, string>;
  readonly cookies?: readonly string[];
  readonly query?: URLSearchParams;
  readonly body?: string;
  readonly host?: string;
}

/** Whether a file has a path of its own. */
const isSlow = (file: string) => file === 'callback' || file === 'sign-in';

const ask = (
  handler: Console,
  file: string,
  { method = 'GET', headers = {}, cookies = [], query, body, host = 'api.example.com' }: Asking = {},
): Promise<APIGatewayProxyResult> => {
  const all = { ...headers, ...(cookies.length > 0 && { Cookie: cookies.join('; ') }) };
  return handler({
    httpMethod: method,
    headers: all,
    multiValueHeaders: Object.fromEntries(Object.entries(all).map(([name, value]) => [name, [value]])),
    multiValueQueryStringParameters:
      query && Object.fromEntries([...query.keys()].map((name) => [name, query.getAll(name)])),
    resource: `/console/${isSlow(file) ? file : '{file+}'}`,
    pathParameters: file === '' || isSlow(file) ? null : { file },
    requestContext: { domainName: host, requestId: 'r' },
    body: body ?? null,
    isBase64Encoded: false,
  } as unknown as APIGatewayProxyEvent);
};

const setCookies = ({ multiValueHeaders }: APIGatewayProxyResult): string[] =>
  (multiValueHeaders?.['Set-Cookie'] ?? []).map(String);
const kept = (answer: APIGatewayProxyResult): string[] =>
  setCookies(answer).map((one) => one.split(';')[0] ?? '');
const locationOf = ({ headers }: APIGatewayProxyResult): string => String(headers?.Location);

/** Goes to sign in, and comes back from the issuer. */
const attempt = async (handler: Console, more: Record<string, string> = {}) => {
  const begun = await ask(handler, 'sign-in');
  expect(begun.statusCode).toBe(302);
  const query = issuer.visit(locationOf(begun), more).searchParams;
  return { query, cookies: kept(begun) };
};

const come = async (handler: Console, more?: Record<string, string>) =>
  ask(handler, 'callback', await attempt(handler, more));

const signedIn = async (handler: Console): Promise<string[]> => {
  const answer = await come(handler);
  expect({ status: answer.statusCode, to: locationOf(answer) }).toEqual({
    status: 302,
    to: 'https://api.example.com/prod/console',
  });
  return kept(answer).filter((one) => one.startsWith('__Host-dls-session='));
};

const own = { origin, 'content-type': 'application/json' };
const exchange = (handler: Console, cookies: readonly string[], asking: Asking = {}) =>
  ask(handler, 'session', { method: 'POST', cookies, headers: own, body: '{"project":"shop"}', ...asking });

test('a member signs in, sees the projects, gets a key, and signs out', async () => {
  const handler = opened();
  const begun = await ask(handler, 'sign-in');
  const asked = Object.fromEntries(new URL(locationOf(begun)).searchParams);
  expect(asked).toMatchObject({
    response_type: 'code',
    client_id: client,
    redirect_uri: redirect,
    scope: 'openid email',
    code_challenge_method: 'S256',
  });
  expect(asked).not.toHaveProperty('prompt');
  expect(setCookies(begun)[0]).toMatch(
    /^__Host-dls-sign-in-[\w-]{43}=[\w-]+\.[\w-]+\.\.\d+\.[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax; Secure$/,
  );

  const cookies = await signedIn(handler);
  expect(cookies[0]).toMatch(/^__Host-dls-session=[\w-]{43}$/);
  const session = JSON.parse((await ask(handler, 'session', { cookies })).body);
  const id = expect.stringMatching(/^m_[A-Za-z0-9]{16}$/);
  expect(session).toEqual({
    ...{ id, email: 'ann@example.com', expiresAt: expect.stringMatching(/^\d{4}-.*Z$/) },
    projects: [{ id: 'shop', name: 'Shop', role: 'viewer' }],
  });
  const project = await ask(handler, 'session', { cookies, query: new URLSearchParams('project=shop') });
  expect(JSON.parse(project.body)).toEqual({
    ...session.projects[0],
    members: ['ann', 'bob'].map((name) => ({ id, email: `${name}@example.com` })),
  });
  const made = await exchange(handler, cookies);
  expect({ status: made.statusCode, ...JSON.parse(made.body) }).toEqual({
    ...{ status: 200, key: expect.stringMatching(/^dls_m_[A-Za-z0-9]{40}$/) },
    expiresAt: expect.any(String),
  });
  const page = await ask(handler, '', { cookies });
  expect({ status: page.statusCode, body: page.body }).toEqual({
    status: 200,
    body: 'index.html at /prod/console',
  });

  const out = await ask(handler, 'sign-out', { method: 'POST', cookies, headers: own });
  expect(out.statusCode).toBe(204);
  expect(setCookies(out)).toEqual(['__Host-dls-session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure']);
  expect((await ask(handler, 'session', { cookies })).statusCode).toBe(401);
  expect((await exchange(handler, cookies)).statusCode).toBe(401);
  expect(locationOf(await ask(handler, '', { cookies }))).toBe(
    'https://api.example.com/prod/console/sign-in',
  );
});

test('an admin manages members with the session, from the page only', async () => {
  const createdAt = new Date().toISOString();
  await projectStore(db.table).create({ id: 'team', name: 'Team', subscription: 'active', createdAt });
  const members = memberStore(db.table);
  const handler = opened();
  const cookies = await signedIn(handler);
  const send = async (body: unknown, asking: Asking = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const made = await ask(handler, 'members', {
      method: 'POST',
      cookies,
      headers: own,
      body: text,
      ...asking,
    });
    return { status: made.statusCode, body: JSON.parse(made.body) };
  };
  const bob = { project: 'team', email: 'bob@example.com', role: 'viewer' };
  const refusal = (status: number, code: string, message = expect.any(String)) => ({
    status,
    body: { success: false, error: { code, message } },
  });
  const notAdmin = refusal(403, 'INSUFFICIENT_PERMISSIONS', 'Only admins of this project manage its members');
  expect(await send(bob)).toEqual(notAdmin);
  for (const role of ['viewer', 'editor'] as const) {
    await members.add({ email: 'ann@example.com', project: 'team', role }, new Date());
    expect(await send(bob)).toEqual(notAdmin);
    expect(await send({ ...bob, email: 'ann@example.com', role: 'admin' })).toEqual(notAdmin);
  }
  await members.add({ email: 'ann@example.com', project: 'team', role: 'admin' }, new Date());
  const shown = {
    id: expect.any(String),
    project: 'team',
    email: 'bob@example.com',
    createdAt: expect.any(String),
  };
  expect(await send({ ...bob, email: 'Bob@Example.com' })).toEqual({
    status: 200,
    body: { ...shown, role: 'viewer' },
  });
  expect(await send({ ...bob, role: 'admin' })).toMatchObject({ status: 200, body: { role: 'admin' } });
  const project = await ask(handler, 'session', { cookies, query: new URLSearchParams('project=team') });
  expect(JSON.parse(project.body).members).toContainEqual({ ...shown, role: 'admin' });
  expect(await send({ ...bob, role: null })).toEqual({ status: 200, body: { ...shown, role: null } });
  expect(await send({ ...bob, role: null })).toEqual(
    refusal(404, 'NOT_FOUND', 'bob@example.com is not a member of the project team'),
  );
  expect(await send({ ...bob, email: 'ann@example.com', role: null })).toEqual(
    refusal(400, 'BAD_REQUEST', expect.stringContaining('last admin')),
  );
  expect(await send({ ...bob, project: 'shop' })).toEqual(notAdmin);

  for (const email of ['bob@example', 'bob', ''])
    expect(await send({ ...bob, email })).toEqual(
      refusal(400, 'BAD_REQUEST', expect.stringContaining('such as ann@example.com')),
    );
  const { role: _, ...noRole } = bob;
  for (const body of [
    '',
    'null',
    '[]',
    '{',
    { ...bob, role: 'owner' },
    { ...bob, email: 7 },
    { ...bob, project: 'A B' },
    noRole,
  ])
    expect(await send(body)).toEqual(
      refusal(400, 'BAD_REQUEST', expect.stringContaining('The body must be')),
    );
  expect(await send(bob, { headers: { ...own, origin: 'https://evil.example' } })).toEqual(
    refusal(403, 'INSUFFICIENT_PERMISSIONS'),
  );
  expect(await send(bob, { cookies: [], headers: { ...own, 'x-api-key': 'dls_x' } })).toEqual(
    refusal(401, 'INVALID_API_KEY'),
  );
  expect(await send(bob, { method: 'PUT' })).toEqual(refusal(405, 'METHOD_NOT_ALLOWED'));
  expect((await members.of('team')).map(({ email }) => email)).toEqual(['ann@example.com']);
  expect(written.join('')).not.toContain('@example');
});

const answering =
  (path: string, status: number, text = '{}') =>
  (asked: string, response: ServerResponse): boolean => {
    if (asked !== path) return false;
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
    return true;
  };
const hangingUp = (path: string) => (asked: string, response: ServerResponse) => {
  if (asked === path) response.destroy();
  return asked === path;
};

const noEmail = { email: undefined };
const ofAnn = { sub: 'subject-1', email: 'ann@example.com', email_verified: true };

/** Faults of the callback, by its status and words of the page. */
const wrong: Readonly<Record<string, Readonly<Record<string, Partial<Behavior>>>>> = {
  '400 This attempt can not be used': {
    'another nonce': { claims: { nonce: 'x' } },
  },
  '400 sent no email address': {
    'an address with blanks': { claims: { email: 'a b@example.com' } },
    'an address that is a list': { claims: { email: ['ann@example.com'] } },
    'no address anywhere': { claims: noEmail },
    'userinfo without an address': { claims: noEmail, userInfo: { sub: 'subject-1' } },
  },
  '400 is not verified': {
    'an address that is not verified': { claims: { email_verified: false } },
    'an address verified as text false': { claims: { email_verified: 'false' } },
    'an address without a word on it': { claims: { email_verified: undefined } },
    'userinfo whose verification is in the token': {
      claims: { ...noEmail, email_verified: true },
      userInfo: { ...ofAnn, email_verified: undefined },
    },
    'an address whose verification is at userinfo': {
      claims: { email_verified: undefined },
      userInfo: ofAnn,
    },
  },
  '400 clock differs': {
    'a token that is over': { endsIn: -61 },
    'a token of the future': { claims: { nbf: 99_999_999_999 } },
  },
  '400 can not be checked with its keys': {
    'no signature': { algorithm: 'none' },
    'a signature by the public key': { algorithm: 'HS256' },
    'a key that the issuer does not show': { signer: 'foreign' },
    'keys for encryption': { shownAs: { use: 'enc' } },
    'keys of another algorithm': { shownAs: { alg: 'PS256' } },
    'keys that may not verify': { shownAs: { key_ops: ['encrypt'] } },
    'two keys of one name': { shown: ['1', '2'], shownAs: { kid: '1' } },
    'a key of 1024 bits': { signer: 'short', shown: ['short'] },
    'a key that is null': { meddle: answering('/jwks', 200, '{"keys":[null]}') },
    'keys in no list': { meddle: answering('/jwks', 200, '{"keys":{"1":{}}}') },
    'keys that are none': { meddle: answering('/jwks', 200, '{"keys":[]}') },
    'keys at no address': { metadata: { jwks_uri: undefined } },
    'algorithms of which none counts': { metadata: { id_token_signing_alg_values_supported: ['HS256'] } },
    'algorithms that we do not take': { metadata: { id_token_signing_alg_values_supported: ['ML-DSA-44'] } },
  },
  '400 response can not be used': {
    'no nonce': { claims: { nonce: undefined } },
    'another audience': { claims: { aud: 'other' } },
    'two audiences and another azp': { claims: { aud: [client, 'b'], azp: 'b' } },
    'one audience and another azp': { claims: { azp: 'b' } },
    'another issuer': { claims: { iss: 'https://evil.example.com' } },
    'a token without an end': { claims: { exp: undefined } },
    'a token without a subject': { claims: { sub: undefined } },
    'a subject that the table could not hold': { claims: { sub: '\ud800' } },
    'a subject of 256 letters': { claims: { sub: 's'.repeat(256) } },
    'a subject with a line break': { claims: { sub: 'subject-1\n' } },
    'userinfo of another subject': { claims: noEmail, userInfo: { ...ofAnn, sub: 'x' } },
    'tokens at an address of no issuer': { metadata: { token_endpoint: 'ftp://127.0.0.1/' } },
    'tokens refused': { meddle: answering('/token', 400) },
    'tokens that are no JSON': { meddle: answering('/token', 200, 'text') },
  },
  '403 not a member': {
    'somebody who is no member': { claims: { email: 'eve@example.com' } },
    'the address of a member by another subject': { claims: { sub: 'subject-2' } },
    'the subject of a member with the address of another one': { claims: { email: 'bob@example.com' } },
  },
  '503 does not answer': {
    'userinfo that fails': { claims: noEmail, userInfo: ofAnn, meddle: answering('/userinfo', 500) },
    'keys at an address that is not there': { metadata: { jwks_uri: 'http://127.0.0.1:9/jwks' } },
    'a token endpoint that fails': { meddle: answering('/token', 502) },
    'keys that fail': { meddle: answering('/jwks', 500) },
    'a token endpoint that hangs up': { meddle: hangingUp('/token') },
  },
};
const lies = Object.entries(wrong).flatMap(([answer, named]) =>
  Object.entries(named).map(([name, lie]) => [name, answer, lie] as const),
);

test.each(lies)('no session begins with %s: %s', async (_, expected, lie) => {
  const [status, words] = [Number(expected.slice(0, 3)), expected.slice(4)];
  const handler = opened();
  // The right subject is noted, and keys are known.
  await signedIn(handler);
  Object.assign(issuer.behavior, lie);
  const fresh = opened();
  const answer = await come(fresh);
  expect(answer.statusCode).toBe(status);
  expect(setCookies(answer)).toEqual([expect.stringMatching(/^__Host-dls-sign-in-[\w-]{43}=; .*Max-Age=0/)]);
  expect(answer.headers?.['Content-Type']).toMatch(/html/);
  expect(answer.body).toContain('/prod/console/sign-in?again');
  expect(answer.body).toContain(words);
  if (status === 503) expect(answer.headers).toHaveProperty('Retry-After');
  const shown = `${answer.body}${written.join('')}`;
  expect(shown).not.toMatch(/code=|state=|nonce/);
});

test.each<[string, Partial<Behavior>]>([
  ['RS256', { algorithm: 'RS256' }],
  ['PS256', { algorithm: 'PS256' }],
  ['ES256', { algorithm: 'ES256' }],
  ['ES384', { algorithm: 'ES384' }],
  ['EdDSA', { algorithm: 'EdDSA' }],
  ['Ed25519', { algorithm: 'Ed25519' }],
  ['an address verified as text', { claims: { email_verified: 'true' } }],
  ['an address with capitals', { claims: { email: 'Ann@Example.com' } }],
  ['one audience in a list, and its azp', { claims: { aud: [client], azp: client } }],
  ['a clock half a minute behind', { endsIn: -30 }],
  [
    'an address at userinfo, without one in the token',
    { claims: { ...noEmail, email_verified: undefined }, userInfo: ofAnn },
  ],
])('a member is signed in with %s', async (_, behavior) => {
  Object.assign(issuer.behavior, behavior);
  await signedIn(opened());
});

test("with signInTrustsEmail, an address needn't be verified, unless the issuer denies it", async () => {
  issuer.behavior.claims = { email_verified: undefined };
  await signedIn(opened({ signInTrustsEmail: true }));
  issuer.behavior.claims = { email_verified: false };
  expect((await come(opened({ signInTrustsEmail: true }))).statusCode).toBe(400);
});

const discovery = '/.well-known/openid-configuration';
const discovered = (text: string, headers: Record<string, string> = {}): Partial<Behavior> => ({
  meddle: (asked, response) => {
    if (asked === discovery) response.writeHead(headers.location ? 302 : 200, headers).end(text);
    return asked === discovery;
  },
});
const json = { 'content-type': 'application/json' };

test.each<[string, Partial<Behavior>]>([
  ['the issuer', { metadata: { issuer: 'https://evil.example.com' } }],
  ['an issuer in a list', { metadata: { issuer: ['https://evil.example.com'] } }],
  ['no issuer', { metadata: { issuer: undefined } }],
  ['an address that runs a script', { metadata: { authorization_endpoint: 'javascript:alert(1)' } }],
  ['an address that is no address', { metadata: { authorization_endpoint: '//evil.example.com' } }],
  ['no address to sign in', { metadata: { authorization_endpoint: undefined } }],
  ['its place', discovered('', { location: 'https://evil.example.com/' })],
  ['its type: a page', discovered('<html>', { 'content-type': 'text/html' })],
  ['its type: a list', discovered('[]', json)],
  ['its type: null', discovered('null', json)],
  ['its type: two megabytes', discovered(`{"more":"${'x'.repeat(2_000_000)}"}`, json)],
])('a discovery that lies about %s leads nowhere', async (_, lie) => {
  Object.assign(issuer.behavior, lie);
  const answer = await ask(opened(), 'sign-in');
  expect(answer.statusCode).toBe(400);
  expect(answer.headers).not.toHaveProperty('Location');
});

/** The issuer at an address with https, of which this leaves out the encryption. */
const secured = 'https://id.example.com';
const { fetch } = globalThis;
const overHttps = (metadata: Behavior['metadata']) => {
  const asked = jest.spyOn(globalThis, 'fetch');
  asked.mockImplementation((address, init) => fetch(String(address).replace(secured, issuer.issuer), init));
  const paths = { authorization_endpoint: 'authorize', token_endpoint: 'token', jwks_uri: 'jwks' };
  const addresses = Object.entries({ ...paths, userinfo_endpoint: 'userinfo' });
  issuer.behavior.metadata = {
    issuer: secured,
    ...Object.fromEntries(addresses.map(([name, path]) => [name, `${secured}/${path}`])),
    ...metadata,
  };
  Object.assign(issuer.behavior, { claims: { iss: secured, ...noEmail }, userInfo: ofAnn });
  return opened({ signIn: secured });
};

test.each(['authorization_endpoint', 'token_endpoint', 'jwks_uri', 'userinfo_endpoint'])(
  'an issuer with https that names its %s without https gets no visitor and no request there',
  async (name) => {
    const path = { authorization_endpoint: 'authorize', jwks_uri: 'jwks' }[name] ?? name.split('_')[0];
    const handler = overHttps({ [name]: `http://id.example.com/${path}` });
    const begun = await ask(handler, 'sign-in');
    expect(begun.statusCode).toBe(name === 'authorization_endpoint' ? 400 : 302);
    if (begun.statusCode === 302) {
      const query = issuer.visit(locationOf(begun)).searchParams;
      expect((await ask(handler, 'callback', { query, cookies: kept(begun) })).statusCode).toBe(400);
    }
    expect(issuer.asked).not.toContain(`/${path}`);
    issuer.reset();
    await signedIn(overHttps({}));
  },
);

test('an issuer is asked below its own path, with a slash at its end or without', async () => {
  for (const path of ['/tenant', '/tenant/']) {
    issuer.reset();
    issuer.behavior.meddle = (asked, response) =>
      asked === '/tenant/.well-known/openid-configuration' &&
      answering(
        asked,
        200,
        JSON.stringify({
          issuer: `${issuer.issuer}/tenant`,
          authorization_endpoint: `${issuer.issuer}/go?tenant=1`,
        }),
      )(asked, response);
    const answer = await ask(opened({ signIn: issuer.issuer + path }), 'sign-in');
    expect(locationOf(answer)).toMatch(/\/go\?tenant=1&response_type=code/);
    expect(issuer.asked).toEqual(['/tenant/.well-known/openid-configuration']);
  }
});

test('an issuer that is away is waited for three seconds in all', async () => {
  // One sends nothing, the other a byte now and then.
  const slowly = (response: ServerResponse) => {
    response.writeHead(200, json);
    const more = setInterval(() => response.write(' '), 50);
    response.on('close', () => clearInterval(more));
  };
  issuer.behavior.meddle = (_, response) => {
    if (issuer.asked.length > 1) slowly(response);
    return true;
  };
  const answers = await Promise.all([ask(opened(), 'sign-in'), ask(opened(), 'sign-in')]);
  for (const { statusCode, headers } of answers)
    expect({ statusCode, after: headers?.['Retry-After'] }).toEqual({ statusCode: 503, after: '5' });
  issuer.reset();
  issuer.behavior.meddle = answering('/.well-known/openid-configuration', 503);
  expect((await ask(opened(), 'sign-in')).statusCode).toBe(503);
  expect((await ask(opened({ signIn: 'http://127.0.0.1:9' }), 'sign-in')).statusCode).toBe(503);
});

test("the issuer's metadata is read again after an hour", async () => {
  const handler = opened();
  await ask(handler, 'sign-in');
  const real = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => real() + 59 * 60_000);
  await ask(handler, 'sign-in');
  expect(issuer.asked).toHaveLength(1);
  jest.spyOn(Date, 'now').mockImplementation(() => real() + 60 * 60_000);
  await ask(handler, 'sign-in');
  expect(issuer.asked).toHaveLength(2);
});

test("the issuer's metadata and keys are cached, and a rotated key is looked up after a minute", async () => {
  const handler = opened();
  await signedIn(handler);
  await signedIn(handler);
  const count = (path: string) => issuer.asked.filter((one) => one === path).length;
  expect([count('/.well-known/openid-configuration'), count('/jwks')]).toEqual([1, 1]);
  Object.assign(issuer.behavior, { signer: '2', shown: ['1', '2'] });
  // Nobody can make it ask for keys more than once a minute.
  expect((await come(handler)).statusCode).toBe(400);
  expect(count('/jwks')).toBe(1);
  const real = Date.now;
  jest.spyOn(Date, 'now').mockImplementation(() => real() + 61_000);
  await signedIn(handler);
  expect(count('/jwks')).toBe(2);
});

test('the client proves itself by its secret, in the way that the issuer takes', async () => {
  const secret = 'a secret: with / and +';
  await signedIn(opened({ signInSecret: secret }));
  expect(issuer.redeemed.at(-1)?.authorization).toMatch(/^Basic /);
  issuer.behavior.metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
  await signedIn(opened({ signInSecret: secret }));
  expect(issuer.redeemed.at(-1)?.form.get('client_secret')).toBe(secret);
  await signedIn(opened());
  expect(issuer.redeemed.at(-1)?.form.get('client_id')).toBe(client);
  expect(issuer.redeemed.at(-1)?.form.get('code_verifier')).toMatch(/^[\w-]{43}$/);
});

describe('a callback', () => {
  test('works once: its cookie ends, and the issuer refuses the code', async () => {
    const handler = opened();
    const one = await attempt(handler);
    const first = await ask(handler, 'callback', one);
    expect(first.statusCode).toBe(302);
    const state = one.query.get('state');
    expect(setCookies(first)).toEqual([
      `__Host-dls-sign-in-${state}=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax; Secure`,
      expect.stringMatching(
        /^__Host-dls-session=[\w-]{43}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
    expect((await ask(handler, 'callback', one)).statusCode).toBe(400);
  });

  test('brings one code for an attempt: the issuer is asked for no second one', async () => {
    const one = await attempt(opened());
    const junk = (text: string) => new URLSearchParams({ state: one.query.get('state') ?? '', code: text });
    // From functions without shared memory.
    const answers = await Promise.all(
      ['one', 'two', 'three'].map((text) => ask(opened(), 'callback', { ...one, query: junk(text) })),
    );
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([400, 400, 400]);
    expect((await ask(opened(), 'callback', one)).statusCode).toBe(400);
    expect(issuer.asked.filter((path) => path === '/token')).toHaveLength(1);
  });

  test.each<[string, () => Promise<{ query: URLSearchParams; cookies: string[] }>]>([
    [
      'without a signature',
      async () => {
        const { query, cookies } = await attempt(opened());
        return { query, cookies: cookies.map((one) => one.split('.').slice(0, 3).join('.')) };
      },
    ],
    ['of another secret', () => attempt(opened({ attemptSecret: 'another' }))],
    [
      'of eleven minutes ago',
      async () => {
        const one = await attempt(opened());
        const later = Date.now() + 660_000;
        jest.spyOn(Date, 'now').mockReturnValue(later);
        return one;
      },
    ],
  ])('of an attempt %s reaches no issuer', async (_, begun) => {
    const one = await begun();
    const before = issuer.asked.length;
    expect((await ask(opened(), 'callback', one)).statusCode).toBe(400);
    expect(issuer.asked.length).toBe(before);
  });

  test('leads to the view that was asked for, and to nothing that is no view', async () => {
    const handler = opened();
    const first = 'https://api.example.com/prod/console';
    const query = new URLSearchParams({ interval: '7d', tags: 'a/b&c' });
    const turned = locationOf(await ask(handler, 'p/shop/links/été', { query }));
    const asked = new URL(turned).searchParams;
    for (const [to, expected] of [
      [asked.get('to'), `${first}/p/shop/links/%C3%A9t%C3%A9?${query}`],
      ['p/../../../elsewhere', first],
      ['p/..%2f..', `${first}/p/..%2f..`],
      ['//evil.example/p/', first],
      ['\\evil.example\\p/', first],
      ['sign-in', first],
      [`p/${'x'.repeat(600)}`, first],
      ['', first],
    ] as const) {
      const begun = await ask(handler, 'sign-in', { query: new URLSearchParams({ to: to ?? '?' }) });
      const back = issuer.visit(locationOf(begun)).searchParams;
      const answer = await ask(handler, 'callback', { query: back, cookies: kept(begun) });
      expect([to, locationOf(answer)]).toEqual([to, expected]);
    }
  });

  test('has one path', async () => {
    const handler = opened();
    const { query, cookies } = await attempt(handler);
    for (const file of ['callback/', 'callback//', 'sign-in/'])
      expect((await ask(handler, file, { query, cookies })).statusCode).toBe(404);
    expect((await ask(handler, 'callback', { query, cookies })).statusCode).toBe(302);
  });

  test.each<[string, (query: URLSearchParams, cookies: string[]) => void]>([
    ['no state', (query) => query.delete('state')],
    ['another state', (query) => query.set('state', 'x'.repeat(43))],
    ['a state that is no name', (query) => query.set('state', '=; a')],
    ['two codes', (query) => query.append('code', 'other')],
    ['two states', (query) => query.append('state', 'other')],
    ['no code', (query) => query.delete('code')],
    ['an error of the issuer', (query) => query.set('error', 'access_denied')],
    ['another iss', (query) => query.set('iss', 'https://evil.example.com')],
    ['no cookie, from another browser', (_, cookies) => cookies.splice(0)],
    ['a changed cookie', (_, cookies) => cookies.splice(0, 1, `${cookies[0]?.slice(0, -3)}abc`)],
  ])('with %s returns 400', async (_, change) => {
    const one = await attempt(opened());
    change(one.query, one.cookies);
    const answer = await ask(opened(), 'callback', one);
    expect(answer).toMatchObject({
      statusCode: 400,
      body: expect.stringContaining('This attempt can not be used'),
    });
  });

  test('names the issuer, if its metadata announces that', async () => {
    issuer.behavior.metadata = { authorization_response_iss_parameter_supported: true };
    expect((await come(opened())).statusCode).toBe(400);
    expect((await come(opened(), { iss: issuer.issuer })).statusCode).toBe(302);
  });
});

test('a browser keeps four attempts, so that their cookies never fill up its headers', async () => {
  const handler = opened();
  let cookies: string[] = [];
  for (let i = 0; i < 30; i += 1) {
    const answer = await ask(handler, 'sign-in', { cookies });
    const ended = setCookies(answer)
      .filter((one) => one.includes('Max-Age=0'))
      .map((one) => one.split('=')[0]);
    cookies = [...cookies, ...kept(answer)].filter((one) => !ended.includes(one.split('=')[0]));
    expect(cookies.length).toBeLessThanOrEqual(4);
  }
});

test('?again asks the issuer to let somebody sign in anew', async () => {
  const answer = await ask(opened(), 'sign-in', { query: new URLSearchParams('again=') });
  expect(new URL(locationOf(answer)).searchParams.get('prompt')).toBe('login');
});

test('a request for another host of the API is led to the own one, with its query', async () => {
  const query = new URLSearchParams({ code: 'c', state: 's' });
  const answer = await ask(opened(), 'callback', { host: 'x.execute-api.example.com', query });
  expect({ status: answer.statusCode, to: locationOf(answer) }).toEqual({
    status: 302,
    to: `${redirect}?code=c&state=s`,
  });
  expect((await ask(opened(), '', { host: 'x.execute-api.example.com' })).statusCode).toBe(302);
  const broken = await ask(opened(), 'p/ü\r\nSet-Cookie: a', { host: 'x.execute-api.example.com' });
  expect(locationOf(broken)).toBe('https://api.example.com/prod/console/p/%C3%BC%0D%0ASet-Cookie%3A%20a');
  // A REST API passes names on as they were sent.
  const sent = await ask(opened(), 'p/%C3%BC%2F100%', { host: 'x.execute-api.example.com' });
  expect(locationOf(sent)).toBe('https://api.example.com/prod/console/p/%25C3%25BC%252F100%25');
  const encoded = await ask(opened(), 'p/%C3%BC%2Fa', { host: 'x.execute-api.example.com' });
  expect(locationOf(encoded)).toBe('https://api.example.com/prod/console/p/%C3%BC%2Fa');
});

test.each<[string, Asking]>([
  ['a foreign origin', { headers: { ...own, origin: 'https://evil.example.com' } }],
  ['no origin', { headers: { 'content-type': 'application/json' } }],
  ['a null origin', { headers: { ...own, origin: 'null' } }],
  ['an origin that begins like the own', { headers: { ...own, origin: `${origin}.example.com` } }],
  ['the own origin with a slash', { headers: { ...own, origin: `${origin}/` } }],
  ['two origins', { headers: { ...own, origin: `${origin}, https://evil.example.com` } }],
  ['a form', { headers: { origin, 'content-type': 'application/x-www-form-urlencoded' } }],
  ['text', { headers: { origin, 'content-type': 'text/plain; application/json' } }],
  ['a type that begins like JSON', { headers: { origin, 'content-type': 'application/jsonp' } }],
  ['no type', { headers: { origin } }],
])('%s gets no key and ends no session', async (_, asking) => {
  const handler = opened();
  const cookies = await signedIn(handler);
  expect((await exchange(handler, cookies, asking)).statusCode).toBe(403);
  expect((await ask(handler, 'sign-out', { method: 'POST', cookies, ...asking })).statusCode).toBe(403);
  expect((await ask(handler, 'session', { cookies })).statusCode).toBe(200);
});

const shownFailure = { success: false, error: { code: expect.any(String) } };

const badProjects = [
  ...['{"project":"SHOP"}', '{"project":["shop"]}', '{"project":"../shop"}', '{"project":"shop\\n"}'],
  // The key of another item, and a member that objects inherit.
  ...['{"project":"shop#MEMBERS"}', '{"__proto__":{"project":"shop"}}', '["shop"]'],
  ...['{}', 'null', '', '{'],
];

test.each([
  ['{"project":"other"}', 403],
  ...badProjects.map((body) => [body, 400] as const),
  // A name in escapes, and a role that changes nothing.
  ['{"\\u0070roject":"shop","role":"x"}', 200],
  ['\uFEFF{"project":"shop"}', 200],
] as const)('the body %j gets %d', async (body, status) => {
  const handler = opened();
  const answer = await exchange(handler, await signedIn(handler), { body });
  const shown = status === 200 ? { key: expect.any(String) } : shownFailure;
  expect([answer.statusCode, JSON.parse(answer.body)]).toMatchObject([status, shown]);
});

test.each([
  ['project=other', 403],
  ['project=nowhere', 403],
  ...['project=SHOP', 'project=', 'project=shop%23MEMBERS', 'project=shop&project=shop'].map(
    (query) => [query, 400] as const,
  ),
  ['project=shop&other=x', 200],
] as const)('the session with %s is %d', async (query, status) => {
  const handler = opened();
  const cookies = await signedIn(handler);
  const answer = await ask(handler, 'session', { cookies, query: new URLSearchParams(query) });
  const shown = status === 200 ? { id: 'shop' } : shownFailure;
  expect([answer.statusCode, JSON.parse(answer.body)]).toMatchObject([status, shown]);
});

test.each(['x', '', 'a'.repeat(5000), '%00'])('the session %j is refused', async (token) => {
  const answer = await ask(opened(), 'session', { cookies: [`__Host-dls-session=${token}`] });
  expect(answer.statusCode).toBe(401);
});

test.each([
  ...['POST ', 'HEAD callback', 'DELETE session', 'GET sign-out'].map((call) => [call, 405] as const),
  ...['nope', '__proto__', 'constructor', 'app.js/..', 'index.html'].map(
    (file) => [`GET ${file}`, 404] as const,
  ),
  ...['app.js', 'style.css'].map((file) => [`GET ${file}`, 200] as const),
])('%s is %d', async (call, status) => {
  const [method = '', file = ''] = call.split(' ');
  expect((await ask(opened(), file, { method })).statusCode).toBe(status);
});

test('a member sees an image in a frame of the console, and nobody else does', async () => {
  const handler = opened();
  const image = new URLSearchParams({ src: 'https://cdn.example.com/a.png' });
  const shown = await ask(handler, 'image', { query: image, cookies: await signedIn(handler) });
  expect([shown.statusCode, shown.headers?.['Content-Security-Policy']]).toEqual([
    200,
    expect.stringContaining('img-src https://cdn.example.com;'),
  ]);
  expect((await ask(handler, 'image', { query: image })).statusCode).toBe(401);
});

test('no answer may be cached, embedded or shown to other hosts', async () => {
  const handler = opened();
  const cookies = await signedIn(handler);
  for (const answer of [
    await ask(handler, '', { cookies }),
    await ask(handler, 'session', { cookies }),
    await ask(handler, 'sign-in'),
    await ask(handler, 'callback'),
    await ask(handler, 'app.js'),
  ]) {
    expect(answer.headers).toMatchObject({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' });
    expect(answer.headers?.['Content-Security-Policy']).toMatch(/frame-ancestors 'none'/);
    expect(answer.headers?.['Content-Security-Policy']).not.toMatch(/https?:|unsafe/);
  }
});

test('on http, cookies are distinguished by port', async () => {
  const handler = opened({ signInRedirect: 'http://127.0.0.1:8787/console/callback' });
  const begun = await ask(handler, 'sign-in', { host: '127.0.0.1:8787' });
  expect(setCookies(begun)[0]).toMatch(/^dls-sign-in-8787-[\w-]{43}=.*; HttpOnly; SameSite=Lax$/);
  const query = issuer.visit(locationOf(begun)).searchParams;
  const answer = await ask(handler, 'callback', { host: '127.0.0.1:8787', query, cookies: kept(begun) });
  expect(kept(answer)).toContainEqual(expect.stringMatching(/^dls-session-8787=[\w-]{43}$/));
});
