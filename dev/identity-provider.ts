import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { readEmail } from '../core/members/member.ts';
import { htmlPage } from '../core/pages/html.ts';
import { closeServer } from '../ops/base/close-server.ts';

/** The service's client id at this provider. */
export const localClient = 'local-console';

export interface IdentityProvider {
  /** The issuer, for the setting `signIn`. */
  readonly issuer: string;
  /** Accepts sign-ins only for this address. */
  serveFor(redirect: string): void;
  stop(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text?: string;
}

interface Granted {
  readonly email: string;
  readonly nonce: string;
  readonly challenge: string;
  readonly until: number;
}

const json = (status: number, data: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  text: JSON.stringify(data),
});

const encoded = (data: object): string => Buffer.from(JSON.stringify(data)).toString('base64url');
const sha256 = (text: string) => createHash('sha256').update(text);

/** A local OpenID Connect provider for trials: its user signs in as anybody. */
export const startIdentityProvider = async (): Promise<IdentityProvider> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const provider = new Provider(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.on('request', (request, response) => {
    provider.answer(request).then(
      ({ status, headers, text }) => response.writeHead(status, headers).end(text),
      () => response.destroy(),
    );
  });
  return {
    issuer: provider.issuer,
    serveFor: (redirect) => {
      provider.redirect = redirect;
    },
    stop: () => closeServer(server),
  };
};

class Provider {
  readonly issuer: string;
  redirect = '';
  readonly #host: string;
  readonly #keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  readonly #granted = new Map<string, Granted>();

  constructor(host: string) {
    this.#host = host;
    this.issuer = `http://${host}`;
  }

  async answer(request: IncomingMessage): Promise<Answer> {
    if (await isForeign(request.socket)) return json(403, { error: 'another user' });
    // Refuses pages of other names that resolve to this machine (DNS rebinding).
    if (request.headers.host !== this.#host) return json(421, { error: 'another host' });
    const { pathname, searchParams } = new URL(request.url ?? '/', this.issuer);
    switch (`${request.method} ${pathname}`) {
      case 'GET /.well-known/openid-configuration':
        return json(200, this.#metadata());
      case 'GET /jwks': {
        const key = this.#keys.publicKey.export({ format: 'jwk' });
        return json(200, { keys: [{ ...key, kid: '1', alg: 'RS256', use: 'sig' }] });
      }
      case 'GET /authorize':
        return this.#isAsked(searchParams)
          ? this.#form()
          : json(400, { error: 'unknown client or redirect_uri' });
      case 'POST /authorize':
        return this.#isAsked(searchParams) && request.headers.origin === this.issuer
          ? this.#grant(searchParams, await formOf(request))
          : json(400, { error: 'unknown client, redirect_uri or origin' });
      case 'POST /token':
        return this.#redeem(await formOf(request));
      default:
        return json(404, { error: 'not found' });
    }
  }

  #metadata() {
    return {
      issuer: this.issuer,
      authorization_endpoint: `${this.issuer}/authorize`,
      token_endpoint: `${this.issuer}/token`,
      jwks_uri: `${this.issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['none'],
      code_challenge_methods_supported: ['S256'],
    };
  }

  #isAsked(query: URLSearchParams): boolean {
    const wanted = {
      client_id: localClient,
      redirect_uri: this.redirect,
      response_type: 'code',
      code_challenge_method: 'S256',
    };
    return Object.entries(wanted).every(([name, value]) => value !== '' && query.get(name) === value);
  }

  #form(): Answer {
    const { headers, html } = htmlPage({
      title: 'Sign in to try the console',
      style:
        'form { display: grid; gap: .75rem } input { font: inherit; padding: .5rem .75rem; border: 1px solid var(--soft); border-radius: .5rem } .button { width: 100%; font: inherit; font-weight: 600; cursor: pointer }',
      body: `<main class="card"><div><form method="post">
<h1>Try the console</h1>
<p>This page stands in for an identity provider, on this machine only. admin@example.com, editor@example.com and viewer@example.com are members of this stack’s projects.</p>
<label for="email">E-mail</label>
<input id="email" name="email" value="editor@example.com">
<button class="button">Sign in</button>
</form></div></main>`,
    });
    const forms = `form-action 'self' ${new URL(this.redirect).origin}`;
    const policy = String(headers['Content-Security-Policy']).replace("form-action 'none'", forms);
    // Without a referrer, browsers don't send a form's origin.
    const referrer = { 'Referrer-Policy': 'same-origin', 'Cache-Control': 'no-store' };
    return {
      status: 200,
      headers: { ...headers, ...referrer, 'Content-Security-Policy': policy },
      text: html,
    };
  }

  #grant(query: URLSearchParams, form: URLSearchParams): Answer {
    const email = readEmail(form.get('email')?.trim() ?? '');
    if (email === undefined) return this.#form();
    const code = randomBytes(24).toString('base64url');
    const asked = { nonce: query.get('nonce') ?? '', challenge: query.get('code_challenge') ?? '' };
    this.#granted.set(code, { email, ...asked, until: Date.now() + 60_000 });
    const back = new URL(this.redirect);
    back.searchParams.set('code', code);
    back.searchParams.set('state', query.get('state') ?? '');
    return { status: 303, headers: { location: back.href, 'referrer-policy': 'no-referrer' } };
  }

  #redeem(form: URLSearchParams): Answer {
    const code = form.get('code') ?? '';
    const granted = this.#granted.get(code);
    this.#granted.delete(code);
    const challenge = sha256(form.get('code_verifier') ?? '').digest('base64url');
    const isRight = form.get('client_id') === localClient && form.get('redirect_uri') === this.redirect;
    if (!granted || granted.until < Date.now() || challenge !== granted.challenge || !isRight)
      return json(400, { error: 'invalid_grant' });
    const now = Math.floor(Date.now() / 1000);
    const { email, nonce } = granted;
    const claims = {
      ...{ iss: this.issuer, aud: localClient, sub: sha256(email).digest('hex').slice(0, 24) },
      ...{ email, email_verified: true, nonce, iat: now, exp: now + 300 },
    };
    const signed = `${encoded({ alg: 'RS256', kid: '1', typ: 'JWT' })}.${encoded(claims)}`;
    const signature = sign('sha256', Buffer.from(signed), this.#keys.privateKey).toString('base64url');
    const token = { access_token: randomBytes(16).toString('hex'), token_type: 'Bearer', expires_in: 300 };
    return json(200, { ...token, id_token: `${signed}.${signature}` });
  }
}

/** Whether another user of this machine sent the request, by Linux's data. The superuser forwards ports. */
const isForeign = async ({
  remoteAddress = '',
  remotePort = 0,
  localAddress = '',
  localPort = 0,
}: Socket): Promise<boolean> => {
  if (process.platform !== 'linux') return false;
  const tables = ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => readFile(file, 'utf8').catch(() => ''));
  const hex = (number: number, length: number) => number.toString(16).toUpperCase().padStart(length, '0');
  // Four bytes of the address, the last one first; a server of IPv4 sees no other addresses.
  const end = (address: string, port: number) => {
    const bytes = address.replace('::ffff:', '').split('.').reverse();
    return `${bytes.map((byte) => hex(Number(byte), 2)).join('')}:${hex(port, 4)}`;
  };
  const rows = (await Promise.all(tables)).flatMap((text) => text.split('\n'));
  const [from, to] = [end(remoteAddress, remotePort), end(localAddress, localPort)];
  // The server's end of the connection has its own row, with reversed ports.
  const row = rows
    .map((line) => line.trim().split(/\s+/))
    .find(([, own = '', other = '']) => own.endsWith(from) && other.endsWith(to));
  // Without a row, nobody knows whose it is.
  return !row || (row[7] !== '0' && row[7] !== String(process.getuid?.()));
};

const formOf = async (request: IncomingMessage): Promise<URLSearchParams> => {
  let text = '';
  for await (const chunk of request) {
    text += chunk;
    if (text.length > 10_000) throw new Error('The form is too long');
  }
  return new URLSearchParams(text);
};
