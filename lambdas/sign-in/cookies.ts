import { createHmac, timingSafeEqual } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { sessionMs } from '../../core/members/member.ts';
import { headerValues } from '../frame/header-values.ts';
import type { SignInAttempt } from './issuer.ts';

const attemptSeconds = 600;
/** The most attempts in a browser: more cookies would exceed the gateway's limit for headers. */
const mostAttempts = 4;
/** The longest address of a view that sign-in returns to, in characters; after a longer one, it shows the first view. */
const mostOfView = 500;

/** The cookies of a request, with names and values that the console itself may have set. */
const cookiesIn = (event: APIGatewayProxyEvent): ReadonlyMap<string, string> => {
  const pairs = headerValues(event, 'cookie').flatMap((one) => one.split(/; */));
  const read = pairs.map((one) => /^([\w-]+)=([\w.-]+)$/.exec(one) ?? []);
  return new Map(read.flatMap(([, name, value]) => (name && value ? [[name, value]] : [])));
};

/**
 * The cookies of a console's address: bound to the host with https, and distinguished by port on loopback. `secret` signs
 * attempts, so that nobody invents them.
 */
export const cookiesOf = (address: URL, secret: string) => {
  const signatureOf = (...parts: readonly string[]): Buffer =>
    createHmac('sha256', secret).update(parts.join('.')).digest();
  const isSecure = address.protocol === 'https:';
  const name = (kind: string) => (isSecure ? `__Host-dls-${kind}` : `dls-${kind}-${address.port}`);
  const set = (one: string, value: string, seconds: number): string =>
    `${one}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`;
  const session = name('session');
  const attempts = `${name('sign-in')}-`;
  return {
    session: (event: APIGatewayProxyEvent): string | undefined => cookiesIn(event).get(session),
    keepSession: (token: string): string => set(session, token, sessionMs / 1000),
    endSession: set(session, '', 0),

    /** Cookies with the values that the callback compares, one for each state, and the view to go to. */
    keepAttempt: (
      event: APIGatewayProxyEvent,
      { state, nonce, verifier }: SignInAttempt,
      to: string,
    ): string[] => {
      const open = [...cookiesIn(event).keys()].filter((one) => one.startsWith(attempts));
      const dropped = open.length < mostAttempts ? [] : open;
      const view = Buffer.from(to.length > mostOfView ? '' : to).toString('base64url');
      const until = String(Date.now() + attemptSeconds * 1000);
      const signature = signatureOf(state, nonce, verifier, view, until).toString('base64url');
      const value = [nonce, verifier, view, until, signature].join('.');
      const kept = set(`${attempts}${state}`, value, attemptSeconds);
      return [...dropped.map((one) => set(one, '', 0)), kept];
    },

    attempt: (event: APIGatewayProxyEvent, state: string) => {
      const value = cookiesIn(event).get(`${attempts}${state}`) ?? '';
      const [nonce = '', verifier = '', view = '', until = '', signature = ''] = value.split('.');
      const expected = signatureOf(state, nonce, verifier, view, until);
      const given = Buffer.from(signature, 'base64url');
      const isSigned = given.length === expected.length && timingSafeEqual(given, expected);
      if (!isSigned || Number(until) < Date.now()) return undefined;
      return { state, nonce, verifier, to: Buffer.from(view, 'base64url').toString() };
    },
    endAttempt: ({ state }: SignInAttempt): string => set(`${attempts}${state}`, '', 0),
  };
};
