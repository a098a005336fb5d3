import { createHash, createHmac, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type Claims = Record<string, unknown>;

/** An issuer's behaviour, of which each test makes a part wrong. */
export interface Behavior {
  /** Claims of the id token that override the right ones; undefined omits one. */
  claims: Claims;
  /** Seconds until the id token expires. */
  endsIn: number;
  /** Response of `userinfo`; undefined: no such endpoint. */
  userInfo?: Claims | undefined;
  algorithm: 'RS256' | 'PS256' | 'ES256' | 'ES384' | 'EdDSA' | 'Ed25519' | 'HS256' | 'none';
  /** The key that signs, and the published ones. */
  signer: string;
  shown: readonly string[];
  /** Members of each published key that override the right ones. */
  shownAs: Claims;
  /** Header of the id token that overrides the right one. */
  header: Claims;
  /** Replaces the text of the id token. */
  written?: ((token: string) => unknown) | undefined;
  /** Members of the token response that override the right ones. */
  tokens: Claims;
  /** Members of the discovery document that override the right ones. */
  metadata: Claims;
  /** Called before every response with its path; returns true if it has responded. */
  meddle?: ((path: string, response: ServerResponse) => boolean) | undefined;
}

const usual = (): Behavior => ({
  claims: {},
  endsIn: 300,
  algorithm: 'RS256',
  signer: '1',
  shown: ['1'],
  shownAs: {},
  header: {},
  tokens: {},
  metadata: {},
});

const pairs = new Map<string, { privateKey: KeyObject; publicKey: KeyObject }>();
const keyOf = (kid: string, algorithm: string) => {
  const kind = algorithm.startsWith('E') ? algorithm : 'RSA';
  const pair = pairs.get(`${kind} ${kid}`) ?? newPair(kind, kid);
  pairs.set(`${kind} ${kid}`, pair);
  return pair;
};
const newPair = (kind: string, kid: string) => {
  if (kind === 'RSA') return generateKeyPairSync('rsa', { modulusLength: kid === 'short' ? 1024 : 2048 });
  if (kind.startsWith('Ed')) return generateKeyPairSync('ed25519');
  return generateKeyPairSync('ec', { namedCurve: `P-${kind.slice(2)}` });
};

const encoded = (data: object): string => Buffer.from(JSON.stringify(data)).toString('base64url');

const signatureOf = (text: string, { algorithm, signer }: Behavior): Buffer => {
  const { privateKey, publicKey } = keyOf(signer, algorithm);
  if (algorithm === 'none') return Buffer.alloc(0);
  if (algorithm === 'HS256')
    return createHmac('sha256', publicKey.export({ type: 'spki', format: 'pem' }))
      .update(text)
      .digest();
  if (algorithm === 'PS256')
    return sign('sha256', Buffer.from(text), { key: privateKey, padding: 6, saltLength: 32 });
  if (algorithm.startsWith('Ed')) return sign(null, Buffer.from(text), privateKey);
  if (algorithm.startsWith('ES'))
    return sign(`sha${algorithm.slice(2)}`, Buffer.from(text), {
      key: privateKey,
      dsaEncoding: 'ieee-p1363',
    });
  return sign('sha256', Buffer.from(text), privateKey);
};

/** An OpenID Connect issuer that can send wrong responses. */
export const startIssuer = async (client: string) => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const double = {
    issuer,
    behavior: usual(),
    /** Nonce and challenge of each issued code. */
    codes: new Map<string, { readonly nonce: string; readonly challenge: string }>(),
    /** Requested paths. */
    asked: [] as string[],
    /** Token requests. */
    redeemed: [] as { readonly form: URLSearchParams; readonly authorization: string | undefined }[],
    reset: () => {
      double.behavior = usual();
      double.asked = [];
    },
    /** Signs in at an address of the issuer. Returns the address of the redirect. */
    visit: (address: string, more: Record<string, string> = {}): URL => {
      const query = new URL(address).searchParams;
      const code = randomBytes(12).toString('hex');
      double.codes.set(code, {
        nonce: query.get('nonce') ?? '',
        challenge: query.get('code_challenge') ?? '',
      });
      const back = new URL(query.get('redirect_uri') ?? '');
      for (const [name, value] of Object.entries({ code, state: query.get('state') ?? '', ...more }))
        back.searchParams.set(name, value);
      return back;
    },
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  const tokenOf = (nonce: string): string => {
    const { behavior } = double;
    const now = Math.floor(Date.now() / 1000);
    const claims = {
      ...{ iss: issuer, aud: client, sub: 'subject-1', nonce, iat: now, exp: now + behavior.endsIn },
      ...{ email: 'ann@example.com', email_verified: true },
      ...behavior.claims,
    };
    const header = { alg: behavior.algorithm, kid: behavior.signer, ...behavior.header };
    const text = `${encoded(header)}.${encoded(claims)}`;
    return `${text}.${signatureOf(text, behavior).toString('base64url')}`;
  };

  const json = (response: ServerResponse, status: number, data: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(data));

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', issuer);
    const { behavior } = double;
    double.asked.push(pathname);
    let body = '';
    for await (const chunk of request) body += chunk;
    if (behavior.meddle?.(pathname, response)) return;
    if (pathname === '/.well-known/openid-configuration')
      return json(response, 200, {
        issuer,
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
        jwks_uri: `${issuer}/jwks`,
        ...(behavior.userInfo && { userinfo_endpoint: `${issuer}/userinfo` }),
        id_token_signing_alg_values_supported: [behavior.algorithm],
        ...behavior.metadata,
      });
    if (pathname === '/jwks')
      return json(response, 200, {
        keys: behavior.shown.map((kid) => ({
          ...keyOf(kid, behavior.algorithm).publicKey.export({ format: 'jwk' }),
          kid,
          use: 'sig',
          ...behavior.shownAs,
        })),
      });
    if (pathname === '/userinfo') return json(response, 200, behavior.userInfo ?? {});
    if (pathname !== '/token') return json(response, 404, {});
    const form = new URLSearchParams(body);
    double.redeemed.push({ form, authorization: request.headers.authorization });
    const granted = double.codes.get(form.get('code') ?? '');
    double.codes.delete(form.get('code') ?? '');
    const proof = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (granted?.challenge !== proof) return json(response, 400, { error: 'invalid_grant' });
    return json(response, 200, {
      access_token: 'access',
      token_type: 'Bearer',
      id_token: double.behavior.written?.(tokenOf(granted.nonce)) ?? tokenOf(granted.nonce),
      ...behavior.tokens,
    });
  };
  server.on('request', (request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  return double;
};

export type IssuerDouble = Awaited<ReturnType<typeof startIssuer>>;
