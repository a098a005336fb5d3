import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { identifyKey } from '../../core/api-keys/api-key.ts';
import { generateMemberKey } from '../../core/members/member.ts';
import type { Role } from '../../core/members/roles.ts';
import type { Key } from '../../core/table/keys.ts';
import { keyCountKey, memberKey, memberKeyKey, sessionKey } from '../../core/table/member-keys.ts';
import { updateOf } from '../../core/table/update.ts';
import { assemble } from '../../dev/app.ts';
import { startStack } from '../../local/stack.ts';
import { openDeployment } from '../../ops/deployment/deployment.ts';
import { localServices } from '../../ops/deployment/service-access.ts';
import { payload } from '../support/api.ts';
import { unique } from '../support/builders.ts';
import { type Behavior, startIssuer } from '../support/issuer-double.ts';
import { openWholeTable } from '../support/lean-table.ts';
import { eventually } from '../support/local-stack.ts';
import { ofFile } from '../support/of-file.ts';
import { type RawRequest, sendRaw } from '../support/raw-request.ts';

const client = 'local-console';
const issuer = ofFile(() => startIssuer(client));
const printed: string[] = [];
/** As `npm start -- --sign-in` makes it, with an issuer that lies on demand. */
const stack = ofFile(async () =>
  startStack({
    assembly: await assemble({ signIn: 'http://127.0.0.1', signInClient: client }),
    apiPort: 0,
    distributionPort: 0,
    engine: 'sqlite',
    leadingKeys: 'request',
    environment: { SIGN_IN: issuer.issuer, LOCAL_MEMORY_MS: '1' },
    log: (_, line) => printed.push(line),
  }),
);
const deployment = ofFile(() => openDeployment(stack.outputs, localServices({ dynamodb: stack.endpoint })));
const table = ofFile(() => openWholeTable(stack.endpoint, { name: deployment.tableName }));
beforeAll(async () => {
  for (const id of ['shop', 'other']) await newProject(id);
  await deployment.stores.members.add(
    { email: 'ann@example.com', project: 'shop', role: 'viewer' },
    new Date(),
  );
});
beforeEach(() => issuer.reset());

const newProject = async (id = unique('p').toLowerCase()): Promise<string> => {
  const createdAt = new Date().toISOString();
  await deployment.stores.projects.create({ id, name: id, subscription: 'active', createdAt });
  return id;
};
const memberConsole = () => stack.outputs.SignInRedirect?.replace(/\/callback$/, '') ?? '';
const origin = () => new URL(memberConsole()).origin;
const own = () => ({ origin: origin(), 'content-type': 'application/json' });

interface Asked extends RawRequest {
  readonly cookies?: readonly string[];
}

const send = async (address: string, { headers, cookies = [], ...asked }: Asked = {}) => {
  const cookie = cookies.length > 0 && { cookie: cookies.join('; ') };
  const answer = await sendRaw(address, { ...asked, headers: { ...headers, ...cookie } });
  const set = answer.headers['set-cookie'] ?? [];
  return {
    ...answer,
    set,
    kept: set.filter((one) => !one.includes('Max-Age=0')).map((one) => one.split(';')[0] ?? ''),
    text: answer.body.toString(),
  };
};
type Answer = Awaited<ReturnType<typeof send>>;
const ask = (path: string, asked?: Asked): Promise<Answer> => send(memberConsole() + path, asked);

const sessionName = () => `dls-session-${new URL(memberConsole()).port}`;
const sessionIn = ({ kept }: Answer) => kept.filter((one) => one.startsWith(`${sessionName()}=`));

/** The outcome in a word: the status, the failure's code, and whether there is a session now. */
const outcomeOf = (answer: Answer): string => {
  const code = /"error":\{"code":"(\w+)"/.exec(answer.text)?.[1];
  return [answer.status, ...(code ? [code] : []), ...(sessionIn(answer).length > 0 ? ['session'] : [])].join(
    ' ',
  );
};

const begin = async (asked?: Asked) => {
  const answer = await ask('/sign-in', asked);
  return {
    cookies: answer.kept,
    query: issuer.visit(answer.headers.location ?? '').searchParams,
    address: new URL(answer.headers.location ?? ''),
  };
};
const come = async (asked?: Asked): Promise<Answer> => {
  const { cookies, query } = await begin(asked);
  return ask(`/callback?${query}`, { cookies });
};
const signedIn = async (email = 'ann@example.com', sub = 'subject-1'): Promise<string[]> => {
  issuer.behavior.claims = { email, sub };
  const answer = await come();
  if (outcomeOf(answer) !== '302 session') throw new Error(answer.text);
  return sessionIn(answer);
};

const exchanged = (
  cookies: readonly string[],
  body: string | Buffer = '{"project":"shop"}',
  asked: Asked = {},
) => ask('/session', { method: 'POST', headers: own(), cookies, body, ...asked });
const keyIn = ({ text: said }: Answer): string => JSON.parse(said).key;

/** Somebody new who has signed in. */
const person = async (role: Role, project = 'shop') => {
  const email = `${unique('kim').toLowerCase()}@example.com`;
  await deployment.stores.members.add({ email, project, role }, new Date());
  const cookies = await signedIn(email, email);
  const key = async () => keyIn(await exchanged(cookies, JSON.stringify({ project })));
  return { email, project, cookies, key };
};
const call = async (key: string, method = 'GET', path = '/links', body?: unknown, headers: object = {}) =>
  send(`${stack.outputs.ApiBaseUrl}/1.0${path}`, {
    method,
    headers: {
      'x-api-key': key,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
const change = (key: Key, set: object) => table.update(updateOf(key, { set: { ...set } }));
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const sessionItem = ({ cookies }: { readonly cookies: readonly string[] }) =>
  sessionKey(hashOf(cookies[0]?.split('=')[1] ?? ''));
const add = (email: string, project: string, role: Role) =>
  deployment.stores.members.add({ email, project, role }, new Date());
const remove = ({ email, project }: { email: string; project: string }) =>
  deployment.stores.members.remove(email, project, new Date());

type Act = () => Promise<Answer | string>;
/** Tries by their outcome and name. */
type Tries = Readonly<Record<string, Readonly<Record<string, Act>>>>;
/** Each outcome once, in order. */
const all = (answers: readonly Answer[]): string => [...new Set(answers.map(outcomeOf))].sort().join(', ');
const inTurn = async (...acts: readonly (() => Promise<Answer>)[]): Promise<string> => {
  const outcomes: string[] = [];
  for (const act of acts) outcomes.push(outcomeOf(await act()));
  return outcomes.join(', ');
};

const session = (...cookies: string[]) => ask('/session', { cookies });
const token = async () => (await signedIn())[0] ?? '';
const value = async () => (await token()).split('=')[1] ?? '';
const as = async (change: (value: string) => string) => session(`${sessionName()}=${change(await value())}`);
const none = '401 INVALID_API_KEY';

const cookies: Tries = {
  [none]: {
    'one as a key of the API': async () => call(await value()),
    'one under the name that https has': async () => session(`__Host-dls-session=${await value()}`),
    'one of another port': async () => session(`dls-session-1=${await value()}`),
    'one in capitals': () => as((text) => text.toUpperCase()),
    'the hash that the table has of one': () => as(hashOf),
    'one in the query': async () => ask(`/session?${await token()}`),
    'one as a bearer': async () => ask('/session', { headers: { authorization: `Bearer ${await value()}` } }),
    'a key of the API': async () => ask('/session', { headers: { 'x-api-key': await keyOf('editor') } }),
    'names of prototypes': () => session('__proto__=a', 'constructor=b', 'toString=c'),
    'a wrong one after the right one': async () => session(await token(), `${sessionName()}=wrong`),
    'pairs without a name, a value or a sense': () => session('=', ';;', '=a', 'a=', `${sessionName()}=`),
    'one that was planted before signing in': async () => {
      const planted = `${sessionName()}=${'p'.repeat(43)}`;
      await come({ cookies: [planted] });
      return session(planted);
    },
  },
  200: {
    'a right one after a wrong one': async () => session(`${sessionName()}=wrong`, await token()),
    'one after 200 others': async () =>
      session(...Array.from({ length: 200 }, (_, i) => `other-${i}=${'x'.repeat(20)}`), await token()),
  },
  '2 sessions': {
    'signing in twice': async () => `${new Set([await token(), await token()]).size} sessions`,
  },
  '1 attempt': {
    'fifty that were planted': async () => {
      const name = `dls-sign-in-${new URL(memberConsole()).port}-`;
      const planted = Array.from({ length: 50 }, (_, i) => `${name}${i}=a.b`);
      const { set, kept } = await ask('/sign-in', { cookies: planted });
      const ended = set.filter((one) => one.includes('Max-Age=0')).length;
      return `${planted.length + kept.length - ended} attempt`;
    },
  },
};

const answered = (query: string | URLSearchParams, asked?: Asked) => ask(`/callback?${query}`, asked);
const changed = async (change: (query: URLSearchParams) => void, more?: Asked) => {
  const { query, cookies } = await begin();
  change(query);
  return answered(query, { cookies, ...more });
};
const saying = (name: string, text: string) => () => changed((query) => query.set(name, text));
const two = async () => [await begin(), await begin()] as const;

const attempts: Tries = {
  400: {
    "another attempt's code": async () => {
      const [one, other] = await two();
      one.query.set('code', other.query.get('code') ?? '');
      return answered(one.query, one);
    },
    "another attempt's state, with both cookies": async () => {
      const [one, other] = await two();
      one.query.set('state', other.query.get('state') ?? '');
      return answered(one.query, { cookies: [...one.cookies, ...other.cookies] });
    },
    "another attempt's cookie under the own name": async () => {
      const [one, other] = await two();
      const [name, said] = [one.cookies[0]?.split('=')[0], other.cookies[0]?.split('=')[1]];
      return answered(one.query, { cookies: [`${name}=${said}`] });
    },
    'a token for all of it': saying('response', 'a.b.c'),
    'an id token with the code': saying('id_token', 'a.b.c'),
    'an error with the code': saying('error', 'access_denied'),
    'an issuer with a slash more': () => changed((query) => query.set('iss', `${issuer.issuer}/`)),
    'two issuers': async () => answered(`${(await begin()).query}&iss=x&iss=y`),
    'an empty code': saying('code', ''),
    'a state that is the name of a prototype': saying('state', '__proto__'),
    'names of prototypes in the query': () => answered('__proto__=a&constructor=b&state=c&code=d'),
    'a broken escape in the query': () => answered('code=%E0%A4&state=%ZZ'),
  },
  '302 session': {
    'the right way': () => come(),
    'the issuer with the code': () => changed((query) => query.set('iss', issuer.issuer)),
  },
  '302 session, 400': {
    'three browsers with one code at the same time': async () => {
      const one = await begin();
      return all(await Promise.all([1, 2, 3].map(() => answered(one.query, one))));
    },
  },
  405: { 'a callback by HEAD': () => changed(() => undefined, { method: 'HEAD' }) },
  '405 METHOD_NOT_ALLOWED': {
    'a callback by POST': () => changed(() => undefined, { method: 'POST', headers: own() }),
  },
  'to the console': {
    'an address to go to afterwards': async () => {
      const { query, cookies } = await begin();
      const evil = 'next=//evil.example.com&redirect_uri=https://evil.example.com';
      const { headers } = await answered(`${query}&${evil}`, { cookies });
      return headers.location === memberConsole() ? 'to the console' : String(headers.location);
    },
  },
  'not heard': {
    'what the issuer is to be asked': async () => {
      const asked =
        'redirect_uri=https://evil.example.com&state=evil&nonce=evil&scope=evil&prompt=evil&client_id=evil';
      const { headers } = await ask(`/sign-in?${asked}`);
      return headers.location?.includes('evil') ? String(headers.location) : 'not heard';
    },
    'a host that is forwarded': async () => {
      const headers = { 'x-forwarded-host': 'evil.example.com', forwarded: 'host=evil.example.com' };
      const { headers: said, set } = await ask('/sign-in', { headers });
      return JSON.stringify([said.location, set]).includes('evil') ? String(said.location) : 'not heard';
    },
  },
};

const lying = async (behavior: Partial<Behavior>): Promise<Answer> => {
  Object.assign(issuer.behavior, behavior);
  return come();
};
const part = (token: string, i: number) => token.split('.')[i] ?? '';
const base64url = (said: string) => Buffer.from(said).toString('base64url');
/** The token with another payload under the same signature. */
const holding = (payload: string) => ({
  written: (token: string) => [part(token, 0), base64url(payload), part(token, 2)].join('.'),
});
const soon = Math.floor(Date.now() / 1000) + 300;

type Lie = readonly [name: string, behavior: Partial<Behavior>];
const wrongTokens: readonly Lie[] = [
  ['a header that must be understood', { header: { crit: ['exp'] } }],
  ['a key in the header', { signer: 'foreign', header: { kid: undefined, jwk: { kty: 'oct', k: 'AAAA' } } }],
  ['a foreign key under the name of the own', { signer: 'foreign', header: { kid: '1' } }],
  ['a key that is the name of a prototype', { header: { kid: '__proto__' } }],
  ['an algorithm in small letters', { header: { alg: 'rs256' } }],
  ['another padding than was signed', { header: { alg: 'PS256' } }],
  ['None with a capital', { algorithm: 'none', header: { alg: 'None' } }],
  ['a list of algorithms', { header: { alg: ['RS256', 'none'] } }],
  ['no signature', { written: (token) => `${part(token, 0)}.${part(token, 1)}.` }],
  ['five parts', { written: (token) => `${token}.a.b` }],
  [
    'a header that is no JSON',
    { written: (token) => `${base64url('alg')}.${part(token, 1)}.${part(token, 2)}` },
  ],
  ['a payload of somebody else', holding('{"email":"eve@example.com"}')],
  ['a payload that is null', holding('null')],
  ['a payload that nests 20,000 deep', holding(`${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`)],
  ['3 MB', { claims: { more: 'x'.repeat(3_000_000) } }],
  ['a number in its place', { written: () => 1 }],
  ['nothing in its place', { tokens: { id_token: undefined } }],
  ['no access token with it', { tokens: { access_token: undefined } }],
  ['an end that is text', { claims: { exp: String(soon) } }],
  ['a beginning after now', { claims: { nbf: soon } }],
  ['no time of issue', { claims: { iat: undefined } }],
  ['an audience of two without azp', { claims: { aud: [client, 'other'] } }],
  ['an audience that begins like the client', { claims: { aud: `${client}-2` } }],
  ['an audience of lists', { claims: { aud: [[client]] } }],
  ['an azp that is null', { claims: { azp: null } }],
  ['no issuer', { claims: { iss: undefined } }],
  ['an empty nonce', { claims: { nonce: '' } }],
  ['a subject that is a number', { claims: { sub: 2 ** 53 } }],
  ['an empty subject', { claims: { sub: '' } }],
  ['a verification that is 1', { claims: { email_verified: 1 } }],
  ['a verification in capitals', { claims: { email_verified: 'TRUE' } }],
  [
    'a verification in what objects inherit',
    { claims: JSON.parse('{"email_verified":null,"__proto__":{"email_verified":true}}') },
  ],
  ['a Cyrillic a in the address', { claims: { email: '\u0430nn@example.com' } }],
  ['a Kelvin sign, which is k in small letters', { claims: { email: '\u212Aim@example.com' } }],
  ['a blank behind the address', { claims: { email: 'ann@example.com ' } }],
  ['two addresses in one', { claims: { email: 'ann@example.com,eve@example.com' } }],
  ['an address of 255 letters', { claims: { email: `${'a'.repeat(243)}@example.com` } }],
  ['an address that is an object', { claims: { email: { toString: 'ann@example.com' } } }],
];
const rightTokens: readonly Lie[] = [
  ['no name of a key, where there is one', { header: { kid: undefined } }],
  ['an audience of two with the right azp', { claims: { aud: [client, 'other'], azp: client } }],
  ['an address in capitals', { claims: { email: 'ANN@EXAMPLE.COM' } }],
];
const otherPeople: readonly Lie[] = [
  ['another domain', { claims: { email: 'ann@example.com.evil.example' } }],
  ['the key of another item', { claims: { email: 'ann@example.com#PERSON' } }],
  ['the right subject and a blank', { claims: { sub: 'subject-1 ' } }],
];

const triesOf = (lies: readonly Lie[]): Tries[string] =>
  Object.fromEntries(lies.map(([name, behavior]) => [name, () => lying(behavior)]));

const tokens: Tries = {
  400: triesOf(wrongTokens),
  '302 session': triesOf(rightTokens),
  403: triesOf(otherPeople),
  escaped: {
    'an address that is a script': async () => {
      const email = '<script>alert(1)</script>$&@example.com';
      const { text: page } = await lying({ claims: { email } });
      return page.includes('&lt;script&gt;alert(1)&lt;/script&gt;$&amp;@example.com') ? 'escaped' : page;
    },
  },
};

type Responding = (response: ServerResponse) => unknown;
const atToken = (respond: Responding) => () =>
  lying({
    meddle: (asked, response) => {
      if (asked === '/token') respond(response);
      return asked === '/token';
    },
  });
const json = { 'content-type': 'application/json' };
const said = (body: string | Buffer, status = 200, headers: object = {}) =>
  atToken((response) => response.writeHead(status, { ...json, ...headers }).end(body));

const answers: Tries = {
  400: {
    'a page': said('<html>', 200, { 'content-type': 'text/html' }),
    nothing: said('', 204),
    'a list': said('[]'),
    'bytes that are no text': said(Buffer.from([0xff, 0xfe, 0])),
    'too many requests': said('{"error":"slow_down"}', 429),
    '20 MB in 20 KB': said(gzipSync(Buffer.alloc(20_000_000, ' ')), 200, { 'content-encoding': 'gzip' }),
    'what has no end': atToken((response) => {
      response.writeHead(200, json);
      const more = (): unknown => response.destroyed || response.write(' '.repeat(100_000), more);
      more();
    }),
  },
  503: {
    'less than was promised': atToken((response) => {
      response.writeHead(200, { ...json, 'content-length': '100' });
      response.write('{', () => response.destroy());
    }),
    'a status that is none': atToken((response) => response.socket?.end('HTTP/1.1 999 Odd\r\n\r\n')),
  },
  '400, asked nowhere else': {
    'an address to go to': async () => {
      const elsewhere = `${issuer.issuer}/latest/meta-data`;
      const outcome = outcomeOf(await said('', 307, { location: elsewhere })());
      return `${outcome}, asked ${issuer.asked.includes('/latest/meta-data') ? 'there' : 'nowhere else'}`;
    },
  },
};

const asks = (...lines: readonly string[]): Tries[string] =>
  Object.fromEntries(
    lines.map((line) => {
      const [method = '', path = ''] = line.split(' ');
      return [line, () => ask(path, { method })];
    }),
  );
const elsewhere = (...paths: readonly string[]): Tries[string] =>
  Object.fromEntries(
    paths.map((path) => [
      path,
      async () => {
        const { status, set, headers } = await ask(path, { headers: { host: 'evil.example.com' } });
        const isOwn = headers.location?.startsWith(`${memberConsole()}/`) && !/[\r\n]/.test(headers.location);
        return status === 302 && isOwn && set.length === 0 ? 'led to the own host' : JSON.stringify(headers);
      },
    ]),
  );
const paths: Tries = {
  '405 METHOD_NOT_ALLOWED': asks(...['POST ', 'POST /sign-in', 'PUT /session', 'OPTIONS /session']),
  '404 NOT_FOUND': asks(
    ...['GET /%2e%2e%2findex.js', 'GET /app.js%00', 'GET /%5C%5Cevil.example.com', 'GET /a/../session/b'],
  ),
  [none]: asks('GET /session/'),
  302: asks('GET /p/..%2f..%2fsession'),
  'led to the own host': elsewhere(
    ...['/session', '/sign-in?again', '/p/%0d%0aset-cookie:%20a=b', '/p/%2f%2fevil.example.com'],
    ...['/p/%5c%5cevil.example.com', '/callback?a=%0d%0aset-cookie:%20a=b'],
  ),
};

const itemOf = (key: string) => memberKeyKey(identifyKey(key).keyId);
const isOver = () => ({ expiresAt: new Date(Date.now() - 1).toISOString() });
const keyOf = async (role: Role) => (await person(role)).key();
const callAs = async (role: Role, change: (key: string) => string) => call(change(await keyOf(role)));
const creation = ['POST', '/links', { payload }] as const;
/** Allowed calls after a change of the own key's item in the table. */
const meddled = (role: Role, set: () => object | Promise<object>) => async () => {
  const key = await keyOf(role);
  await change(itemOf(key), await set());
  return call(key, ...creation);
};
/** Allowed calls after a change of the role. */
const turned = (before: Role, after: Role) => async () => {
  const one = await person(before);
  const key = await one.key();
  await add(one.email, 'shop', after);
  return call(key, ...creation);
};
/** Functions cache suspensions for a moment. */
const onceRefused = (key: string) =>
  eventually(
    () => call(key),
    ({ status }) => status !== 200,
  );
const out = ({ cookies }: { readonly cookies: readonly string[] }) =>
  ask('/sign-out', { method: 'POST', headers: own(), cookies });

const keys: Tries = {
  [none]: {
    'the session of only a deleted project': async () => {
      const one = await person('editor', await newProject());
      await deployment.stores.projects.markDeleted(one.project, new Date());
      return session(...one.cookies);
    },
    'a session whose item names another member': async () => {
      const [one, other] = [await person('viewer'), await person('editor')];
      await change(sessionItem(one), { email: other.email });
      return session(...one.cookies);
    },
    'a session that another function began': async () => {
      const one = await person('viewer');
      expect((await table.get(sessionItem(one)))?.beganBy).toMatch(/SignIn/);
      await change(sessionItem(one), { beganBy: 'the function of before sign-in was turned off' });
      return session(...one.cookies);
    },
    'an unknown one': () => call(generateMemberKey()),
    "a key's id": () => callAs('viewer', (key) => identifyKey(key).keyId),
    'one in the query': async () => call('', 'GET', `/links?x-api-key=${await keyOf('viewer')}`),
    'two at once': async () => {
      const key = await keyOf('viewer');
      return call('', 'GET', '/links', undefined, { 'x-api-key': [key, key] });
    },
    'one that has ended': meddled('editor', isOver),
    'one whose item names another project': meddled('editor', () => ({ project: 'other' })),
    'one whose item names another member': meddled('viewer', async () => ({
      email: (await person('editor')).email,
    })),
  },
  '403 INSUFFICIENT_PERMISSIONS': {
    'a project that one has left, of two': async () => {
      const one = await person('viewer');
      await add(one.email, 'other', 'viewer');
      await remove(one);
      return exchanged(one.cookies);
    },
    'a change by a viewer': async () => call(await keyOf('viewer'), ...creation),
    'one whose item names a role and scopes': meddled('viewer', () => ({
      ...{ scopes: ['links:write'], role: 'editor' },
    })),
    'a role that was taken since': turned('editor', 'viewer'),
    'a suspended project': async () => {
      const one = await person('editor', await newProject());
      await deployment.stores.projects.suspend(one.project, new Date());
      return onceRefused(await one.key());
    },
    'a project that is being deleted': async () => {
      const one = await person('editor', await newProject());
      await deployment.stores.projects.markDeleted(one.project, new Date());
      return onceRefused(await one.key());
    },
    'a role that is none': async () => {
      const one = await person('editor');
      await change(memberKey('shop', one.email), { role: 'owner' });
      return call(await one.key());
    },
  },
  201: { 'a role that was given since': turned('viewer', 'editor') },
  '404 LINK_NOT_FOUND': {
    'a link of another project': async () => {
      const made = await call(await (await person('editor', 'other')).key(), ...creation);
      return call(await keyOf('editor'), 'GET', `/links/${JSON.parse(made.text).data.code}`);
    },
  },
  [`${none}, ${none}`]: {
    'a session that has ended': async () => {
      const one = await person('viewer');
      await change(sessionItem(one), isOver());
      return inTurn(
        () => session(...one.cookies),
        () => exchanged(one.cookies),
      );
    },
  },
  [`204, 204, ${none}, 200, ${none}`]: {
    'signing out twice, which ends the keys of the session and no other session': async () => {
      const one = await person('viewer');
      const [key, other] = [await one.key(), await signedIn(one.email, one.email)];
      return inTurn(
        () => out(one),
        () => out(one),
        () => session(...one.cookies),
        () => session(...other),
        () => call(key),
      );
    },
  },
  '200, 429 RATE_LIMIT_EXCEEDED': {
    'more than three hundred in a quarter of an hour': async () => {
      const one = await person('viewer');
      await one.key();
      const { id = '' } = (await table.get(memberKey('shop', one.email))) as { id?: string };
      await change(keyCountKey(id, 'shop'), { n: 299 });
      return inTurn(
        () => exchanged(one.cookies),
        () => exchanged(one.cookies),
      );
    },
  },
};

describe.each<[string, Tries]>([
  ['a session', cookies],
  ['an attempt to sign in', attempts],
  ['a token with', tokens],
  ['an issuer that answers for tokens with', answers],
  ['the path', paths],
  ["members' keys:", keys],
])('%s', (_, tries) => {
  const rows = Object.entries(tries).flatMap(([outcome, acts]) =>
    Object.entries(acts).map(([name, act]) => [name, outcome, act] as const),
  );
  test.each(rows)('%s: %s', async (_name, outcome, act) => {
    const found = await act();
    expect(typeof found === 'string' ? found : outcomeOf(found)).toBe(outcome);
  });
});

test('nothing of this failed in a function, and no log has an address, a key or a code', () => {
  const log = printed.join('');
  expect(log).toContain('SignInRefused');
  expect(log).not.toMatch(/InternalError|"ERROR"|@example\.com|dls_m_|code=|state=/);
});
