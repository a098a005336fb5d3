import * as oauth from 'oauth4webapi';
import { hourMs } from '../../core/base/durations.ts';
import type { ReadsOf } from '../../core/functions.ts';
import { readEmail } from '../../core/members/member.ts';
import { signingAlgorithms } from '../../core/members/signing-algorithms.ts';
import type { AllSettings } from '../../core/settings.ts';

/** What is wrong: the issuer's availability, the attempt, the person's address, or the issuer's response. */
export type SignInFault =
  | ('away' | 'attempt' | 'stranger')
  | ('address' | 'unverified' | 'clock' | 'key' | 'response');

/** Sign-in failed: the issuer didn't answer, sent something invalid, or named somebody who isn't a member. The message goes to the log only. */
export class SignInFailed extends Error {
  readonly kind: SignInFault;
  /** A stranger's address. */
  readonly email: string;

  constructor(message: string, kind: SignInFault = 'response', email = '') {
    super(message);
    this.kind = kind;
    this.email = email;
  }
}

export type SignInSettings = Pick<AllSettings, ReadsOf<'sign-in'>>;

/** Deadline for all calls to the issuer in a request, in milliseconds. */
const timeoutMs = 3000;
/** The largest response of the issuer, in bytes after decompression. */
const mostBytes = 1_000_000;

/** Faults by code, error response and message of the library's errors. */
const faults: readonly (readonly [RegExp, SignInFault])[] = [
  [/TIMESTAMP_CHECK/, 'clock'],
  [/KEY_SELECTION|UNSUPPORTED_OPERATION|signature|"alg"|\bkeys?\b|JWK/i, 'key'],
  [
    /AUTHORIZATION_RESPONSE|response parameter|provided only once|authorization code|"nonce" claim value|invalid_grant/,
    'attempt',
  ],
];

/** Random values of a sign-in, which its callback must return. */
export type SignInAttempt = ReturnType<typeof newSignInAttempt>;

export const newSignInAttempt = () => ({
  state: oauth.generateRandomState(),
  nonce: oauth.generateRandomNonce(),
  verifier: oauth.generateRandomCodeVerifier(),
});

/** An OpenID Connect issuer. Its discovery document is cached for an hour. */
export const openIssuer = (settings: SignInSettings) => {
  const { signIn: issuer = '', signInClient: clientId, signInRedirect, signInTrustsEmail } = settings;
  const client: oauth.Client = { client_id: clientId, [oauth.clockTolerance]: 60 };
  let known: { readonly server: oauth.AuthorizationServer; readonly until: number } | undefined;

  const discover = async (options: Options): Promise<oauth.AuthorizationServer> => {
    if (known && Date.now() < known.until) return known.server;
    const server = await serverOf(issuer, options);
    known = { server, until: Date.now() + hourMs };
    return server;
  };

  /** Whether an e-mail address is verified, by the issuer's claim, or without one by `signInTrustsEmail`. */
  const isVerified = (claim: unknown): boolean =>
    claim === true || claim === 'true' || (claim === undefined && signInTrustsEmail);

  return {
    /** The issuer's address for signing in. Throws SignInFailed. */
    address: (attempt: SignInAttempt, { again }: { readonly again: boolean }): Promise<string> =>
      asking(issuer, async (options) => {
        const { authorization_endpoint } = await discover(options);
        const address = new URL(authorization_endpoint ?? '');
        const asked = {
          response_type: 'code',
          client_id: clientId,
          redirect_uri: signInRedirect,
          scope: 'openid email',
          state: attempt.state,
          nonce: attempt.nonce,
          code_challenge: await oauth.calculatePKCECodeChallenge(attempt.verifier),
          code_challenge_method: 'S256',
          ...(again && { prompt: 'login' }),
        };
        for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value);
        return address.href;
      }),

    /** The person's e-mail address and `sub`, from a callback's parameters. Throws SignInFailed. */
    identify: (parameters: URLSearchParams, attempt: SignInAttempt) =>
      asking(issuer, async (options) => {
        const server = await discover(options);
        const callback = oauth.validateAuthResponse(server, client, parameters, attempt.state);
        const response = await oauth.authorizationCodeGrantRequest(
          ...([server, client, authenticationOf(settings, server), callback] as const),
          ...([signInRedirect, attempt.verifier, options] as const),
        );
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: attempt.nonce,
          requireIdToken: true,
        });
        await oauth.validateApplicationLevelSignature(server, response, options);
        const claims = oauth.getValidatedIdTokenClaims(tokens);
        if (!claims) throw new SignInFailed('no id token');
        if (claims.azp !== undefined && claims.azp !== clientId) throw new SignInFailed('another azp');
        // Both claims come from one source. The library checks that userinfo has the same `sub`.
        const person =
          claims.email !== undefined || server.userinfo_endpoint === undefined
            ? claims
            : await oauth.processUserInfoResponse(
                ...([server, client, claims.sub] as const),
                await oauth.userInfoRequest(server, client, tokens.access_token, options),
              );
        const email = typeof person.email === 'string' ? readEmail(person.email) : undefined;
        if (!/^[ -~]{1,255}$/.test(claims.sub)) throw new SignInFailed('no subject');
        if (email === undefined) throw new SignInFailed('no email address', 'address');
        if (!isVerified(person.email_verified))
          throw new SignInFailed('the email address is not verified', 'unverified');
        return { email, subject: claims.sub };
      }),
  };
};

type Options = Readonly<{
  signal: AbortSignal;
  [oauth.customFetch]: typeof fetch;
  [oauth.allowInsecureRequests]: boolean;
}>;

/** Gives a request's calls to the issuer one deadline. Throws SignInFailed, of kind `away` if the issuer is unavailable. */
const asking = async <Result>(issuer: string, ask: (options: Options) => Promise<Result>) => {
  const signal = AbortSignal.timeout(timeoutMs);
  let isAway = false;
  const options: Options = {
    signal,
    [oauth.customFetch]: async (address, init) => {
      isAway = true;
      const response = await fetch(address, init);
      const body = await beginningOf(response);
      isAway = response.status >= 500;
      return new Response(body, response);
    },
    // Settings allow http only on loopback.
    [oauth.allowInsecureRequests]: issuer.startsWith('http://'),
  };
  try {
    return await ask(options);
  } catch (error) {
    if (isAway || signal.aborted) throw new SignInFailed('the issuer is away', 'away');
    if (error instanceof SignInFailed) throw error;
    const {
      code,
      name,
      message,
      error: answered,
    } = error as Error & Readonly<Record<'code' | 'error', unknown>>;
    const [, fault] = faults.find(([pattern]) => pattern.test(`${code} ${answered} ${message}`)) ?? [];
    throw new SignInFailed(String(code ?? name), fault);
  }
};

/** A body up to the limit. A longer one is cut and fails to parse. */
const beginningOf = async ({ body }: Response): Promise<Buffer> => {
  const chunks: Uint8Array[] = [];
  let left = mostBytes;
  for await (const chunk of body ?? []) {
    chunks.push(chunk);
    left -= chunk.length;
    if (left < 0) break;
  }
  return Buffer.concat(chunks);
};

/** An issuer's discovery document, checked. Throws SignInFailed. */
const serverOf = async (issuer: string, options: Options): Promise<oauth.AuthorizationServer> => {
  const response = await oauth.discoveryRequest(new URL(issuer), options);
  const { issuer: named } = (await response.clone().json()) as { readonly issuer?: unknown };
  // The issuer's own spelling decides, with or without a trailing slash.
  const bare = (text: unknown) => String(text).replace(/\/$/, '');
  if (bare(named) !== bare(issuer)) throw new SignInFailed('another issuer');
  const server = await oauth.processDiscoveryResponse(new URL(String(named)), response);
  const { protocol } = new URL(server.authorization_endpoint ?? '');
  if (protocol !== 'https:' && !(protocol === 'http:' && options[oauth.allowInsecureRequests]))
    throw new SignInFailed('an unsafe address to sign in');
  const { id_token_signing_alg_values_supported: offered = ['RS256'] } = server;
  const usable = signingAlgorithms.filter((one) => offered.includes(one));
  return { ...server, id_token_signing_alg_values_supported: usable };
};

const authenticationOf = ({ signInSecret: secret }: SignInSettings, server: oauth.AuthorizationServer) => {
  if (secret === undefined) return oauth.None();
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(secret)
    : oauth.ClientSecretPost(secret);
};
