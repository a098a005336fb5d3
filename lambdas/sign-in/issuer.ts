import * as oauth from 'oauth4webapi';
import { hourMs } from '../../core/base/durations.ts';
import { readEmail } from '../../core/members/member.ts';

/** The issuer doesn't answer in time, or says that it can't. */
export class IssuerAway extends Error {}

/** What the issuer says, or is said to say, can't be relied on. The message is for the log. */
export class SignInRefused extends Error {}

export interface IssuerProps {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string | undefined;
  /** Where the issuer sends those who have signed in. */
  readonly redirect: string;
  /** Whether an address counts of which the issuer doesn't say whether it is verified. */
  readonly trustsEmail: boolean;
}

/** What a sign-in draws, and its callback must bring back. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface Identity {
  readonly email: string;
  /** The issuer's own name for the person. */
  readonly subject: string;
}

/** For all calls to the issuer that a request needs. */
const patienceMs = 3000;
const algorithms = ['RS256', 'PS256', 'ES256'];

export const newAttempt = (): Attempt => ({
  state: oauth.generateRandomState(),
  nonce: oauth.generateRandomNonce(),
  verifier: oauth.generateRandomCodeVerifier(),
});

/** An OpenID Connect issuer. What it says of itself is remembered for an hour. */
export const openIssuer = (props: IssuerProps) => {
  const { clientId, redirect, trustsEmail } = props;
  const client: oauth.Client = { client_id: clientId, [oauth.clockTolerance]: 60 };
  let known: { readonly server: oauth.AuthorizationServer; readonly until: number } | undefined;

  const discover = async (options: Options): Promise<oauth.AuthorizationServer> => {
    if (known && Date.now() < known.until) return known.server;
    const server = await serverOf(props, options);
    known = { server, until: Date.now() + hourMs };
    return server;
  };

  return {
    /** Where somebody signs in. */
    address: (attempt: Attempt, { again }: { readonly again: boolean }): Promise<string> =>
      asking(props.issuer, async (options) => {
        const { authorization_endpoint } = await discover(options);
        const address = new URL(authorization_endpoint ?? '');
        const asked = {
          response_type: 'code',
          client_id: clientId,
          redirect_uri: redirect,
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

    /** Who came back. Throws IssuerAway or SignInRefused. */
    identify: (parameters: URLSearchParams, attempt: Attempt): Promise<Identity> =>
      asking(props.issuer, async (options) => {
        const server = await discover(options);
        const brought = oauth.validateAuthResponse(server, client, parameters, attempt.state);
        const response = await oauth.authorizationCodeGrantRequest(
          ...([server, client, authenticationOf(props, server), brought] as const),
          ...([redirect, attempt.verifier, options] as const),
        );
        const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
          expectedNonce: attempt.nonce,
          requireIdToken: true,
        });
        await oauth.validateApplicationLevelSignature(server, response, options);
        const claims = oauth.getValidatedIdTokenClaims(tokens);
        if (!claims) throw new SignInRefused('no id token');
        if (claims.azp !== undefined && claims.azp !== clientId) throw new SignInRefused('another azp');
        const { email, email_verified } =
          claims.email === undefined
            ? await userInfo(server, client, { token: tokens.access_token, claims, options })
            : claims;
        const address = typeof email === 'string' ? readEmail(email) : undefined;
        if (address === undefined) throw new SignInRefused('no e-mail address');
        const isVerified = [true, 'true', ...(trustsEmail ? [undefined] : [])].includes(
          email_verified as true,
        );
        if (!isVerified) throw new SignInRefused('the e-mail address is not verified');
        return { email: address, subject: claims.sub };
      }),
  };
};

type Options = Readonly<{
  signal: AbortSignal;
  [oauth.customFetch]: typeof fetch;
  [oauth.allowInsecureRequests]: boolean;
}>;

/** Gives a request's calls to the issuer one deadline, and tells an issuer that is away from one that can't be relied on. */
const asking = async <Result>(
  issuer: string,
  ask: (options: Options) => Promise<Result>,
): Promise<Result> => {
  const signal = AbortSignal.timeout(patienceMs);
  let isAway = false;
  const options: Options = {
    signal,
    [oauth.customFetch]: async (address, init) => {
      const response = await fetch(address, init).catch((error: unknown) => {
        isAway = true;
        throw error;
      });
      isAway ||= response.status >= 500;
      return response;
    },
    // Settings allow http on loopback alone.
    [oauth.allowInsecureRequests]: issuer.startsWith('http://'),
  };
  try {
    return await ask(options);
  } catch (error) {
    if (isAway || signal.aborted) throw new IssuerAway('the issuer is away');
    const { code } = error as { readonly code?: unknown };
    throw error instanceof SignInRefused ? error : new SignInRefused(String(code ?? (error as Error).name));
  }
};

/** What an issuer says of itself, checked. */
const serverOf = async ({ issuer }: IssuerProps, options: Options): Promise<oauth.AuthorizationServer> => {
  const response = await oauth.discoveryRequest(new URL(issuer), options);
  const { issuer: named } = (await response.clone().json()) as { readonly issuer?: unknown };
  // Its own spelling counts, which may end in a slash or not.
  const bare = (text: unknown) => String(text).replace(/\/$/, '');
  if (bare(named) !== bare(issuer)) throw new SignInRefused('another issuer');
  const server = await oauth.processDiscoveryResponse(new URL(String(named)), response);
  const { protocol } = new URL(server.authorization_endpoint ?? '');
  const isSafe = protocol === 'https:' || (protocol === 'http:' && options[oauth.allowInsecureRequests]);
  if (!isSafe) throw new SignInRefused('an unsafe address to sign in');
  const { id_token_signing_alg_values_supported: offered = ['RS256'] } = server;
  const usable = algorithms.filter((one) => offered.includes(one));
  return { ...server, id_token_signing_alg_values_supported: usable };
};

const authenticationOf = ({ clientSecret }: IssuerProps, server: oauth.AuthorizationServer) => {
  if (clientSecret === undefined) return oauth.None();
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic')
    ? oauth.ClientSecretBasic(clientSecret)
    : oauth.ClientSecretPost(clientSecret);
};

interface Known {
  readonly token: string;
  readonly claims: oauth.IDToken;
  readonly options: Options;
}

/** Of the same person as the id token, which the library checks. */
const userInfo = async (
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  { token, claims, options }: Known,
): Promise<oauth.UserInfoResponse> => {
  const response = await oauth.userInfoRequest(server, client, token, options);
  return oauth.processUserInfoResponse(server, client, claims.sub, response);
};
