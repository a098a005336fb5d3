import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { UsesOf } from '../../core/functions.ts';
import type { Session } from '../../core/members/session-store.ts';
import type { Granted } from '../../core/stores.ts';
import { kindOf } from '../../core/table/errors.ts';
import { countFailure, countMetric, logError } from '../log.ts';
import { failed, file, json, led, nothing, told } from './answers.ts';
import { type Cookies, cookiesOf } from './cookies.ts';
import { IssuerAway, newAttempt, type openIssuer, SignInRefused } from './issuer.ts';

export interface ConsoleProps {
  readonly stores: Granted<UsesOf<'sign-in'>>;
  readonly issuer: ReturnType<typeof openIssuer>;
  /** The address of the callback, whose host is the console's own. */
  readonly redirect: string;
  /** A file of the page, by its name. */
  readonly content: (name: string) => string;
}

interface Request extends ConsoleProps {
  readonly event: APIGatewayProxyEvent;
  readonly cookies: Cookies;
  /** The address of the page, without a slash at its end. */
  readonly base: URL;
}

type Act = (request: Request) => Promise<APIGatewayProxyResult>;

/** The page and what it calls, below its address. */
const routes: Readonly<Record<string, Readonly<Record<string, Act>>>> = {
  '': { GET: (request) => showPage(request) },
  'sign-in': { GET: (request) => signIn(request) },
  callback: { GET: (request) => callback(request) },
  session: { GET: (request) => showSession(request), POST: (request) => exchange(request) },
  'sign-out': { POST: (request) => signOut(request) },
};

/** Files that need no session: they are as public as their source. */
const types: Readonly<Record<string, string>> = {
  'app.js': 'text/javascript; charset=utf-8',
  'style.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
};

/** The console for members, below one address. */
export const memberConsole = (props: ConsoleProps) => {
  const base = new URL(props.redirect.replace(/\/callback$/, ''));
  const cookies = cookiesOf(base);
  return async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const name = event.pathParameters?.file?.replace(/\/$/, '') ?? '';
    const type = Object.hasOwn(types, name) ? types[name] : undefined;
    // Views have addresses below the page's.
    const route = name.startsWith('p/') ? '' : name;
    const methods = type
      ? { GET: async () => file(type, props.content(name)) }
      : Object.hasOwn(routes, route) && routes[route];
    if (!methods) return failed('NOT_FOUND');
    const act =
      Object.hasOwn(methods, event.httpMethod) && (methods as Record<string, Act>)[event.httpMethod];
    if (!act) return failed('METHOD_NOT_ALLOWED', { Allow: Object.keys(methods).join(', ') });
    const isElsewhere = event.requestContext.domainName !== base.host;
    if (isElsewhere && event.httpMethod === 'GET') return led(addressOf(base, name, event));
    try {
      return await act({ ...props, event, cookies, base });
    } catch (error) {
      return unforeseen(event, error);
    }
  };
};

const unforeseen = ({ requestContext: { requestId } }: APIGatewayProxyEvent, error: unknown) => {
  if (!['refused', 'condition'].includes(kindOf(error))) return failed('SERVICE_UNAVAILABLE');
  logError('A request of the console failed', error, { requestId });
  countFailure({ requestId });
  return failed('INTERNAL_ERROR');
};

const parametersOf = ({ multiValueQueryStringParameters: query }: APIGatewayProxyEvent) =>
  new URLSearchParams(
    Object.entries(query ?? {}).flatMap(([name, values]) =>
      (values ?? []).map((value): [string, string] => [name, value]),
    ),
  );

/** The same below the console's own address. A name arrives decoded, and no header takes all that it may have. */
const addressOf = (base: URL, name: string, event: APIGatewayProxyEvent): string => {
  const path = name.split('/').map(encodeURIComponent);
  const query = parametersOf(event).toString();
  return [base.href, ...(name ? path : [])].join('/') + (query && `?${query}`);
};

const sessionOf = async ({ event, cookies, stores }: Request): Promise<Session | undefined> => {
  const token = cookies.session(event);
  return token === undefined ? undefined : stores.sessions.find(token, new Date());
};

const showPage: Act = async (request) => {
  const { base, content } = request;
  if (!(await sessionOf(request))) return led(`${base.href}/sign-in`);
  return file('text/html; charset=utf-8', content('index.html').replaceAll('BASE', base.pathname));
};

const signIn: Act = async ({ event, cookies, base, issuer }) => {
  const attempt = newAttempt();
  const again = parametersOf(event).has('again');
  try {
    const address = await issuer.address(attempt, { again });
    return led(address, { cookies: cookies.keepAttempt(event, attempt) });
  } catch (error) {
    return refused(error, base);
  }
};

const callback: Act = async ({ event, cookies, base, issuer, stores }) => {
  const parameters = parametersOf(event);
  const state = parameters.get('state') ?? '';
  const attempt = /^[\w-]{1,100}$/.test(state) ? cookies.attempt(event, state) : undefined;
  if (!attempt) return refused(new SignInRefused('no such attempt'), base);
  const ended = cookies.endAttempt(state);
  try {
    const { email, subject } = await issuer.identify(parameters, attempt);
    const begun = await stores.sessions.begin(email, subject, new Date());
    if (typeof begun === 'object')
      return led(base.href, { cookies: [ended, cookies.keepSession(begun.token)] });
    countMetric('SignInRefused', { reason: begun });
    return told({
      status: 403,
      title: 'You are not a member here',
      text: `You have signed in as ${email}. Ask the operators of this service to add this address, or sign in with another one.`,
      again: `${base.href}/sign-in?again`,
      cookies: [ended],
    });
  } catch (error) {
    return refused(error, base, ended);
  }
};

/** Says that signing in did not work; throws what is no fault of the issuer's or the visitor's. */
const refused = (error: unknown, base: URL, ended?: string): APIGatewayProxyResult => {
  const isAway = error instanceof IssuerAway;
  if (!isAway && !(error instanceof SignInRefused)) throw error;
  countMetric(isAway ? 'IssuerAway' : 'SignInRefused', { reason: error.message });
  return told({
    status: isAway ? 503 : 400,
    title: isAway ? 'Signing in takes too long' : 'Signing in did not work',
    text: isAway
      ? 'The identity provider of this service does not answer. Try again in a moment.'
      : 'This attempt to sign in can not be used, or was used already. Begin a new one.',
    again: `${base.href}/sign-in?again`,
    cookies: ended ? [ended] : [],
    ...(isAway && { retryAfter: 5 }),
  });
};

const showSession: Act = async (request) => {
  const session = await sessionOf(request);
  if (!session) return failed('SIGN_IN_REQUIRED');
  const { id, email, expiresAt } = session;
  const projects = await Promise.all(
    session.projects.map((project) => request.stores.sessions.project(session, project)),
  );
  const own = projects.filter((one) => one !== undefined);
  return own.length > 0 ? json({ id, email, expiresAt, projects: own }) : failed('SIGN_IN_REQUIRED');
};

/** A browser says where a call of a page comes from, and lets no other page send JSON. */
const isOwn = ({ event: { headers }, base }: Request): boolean => {
  const given = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return given.origin === base.origin && /^application\/json *(;|$)/i.test(given['content-type'] ?? '');
};

const exchange: Act = async (request) => {
  if (!isOwn(request)) return failed('FOREIGN_ORIGIN');
  const session = await sessionOf(request);
  if (!session) return failed('SIGN_IN_REQUIRED');
  const project = projectIn(request.event);
  if (project === undefined) return failed('BAD_REQUEST');
  const made = await request.stores.sessions.exchange(session, project, new Date());
  if (made === 'stranger') return failed('NOT_A_MEMBER');
  return made === 'too many' ? failed('TOO_MANY_KEYS') : json(made);
};

const projectIn = ({ body, isBase64Encoded }: APIGatewayProxyEvent): string | undefined => {
  try {
    const text = isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : (body ?? '');
    const { project } = JSON.parse(text) as { readonly project?: unknown };
    return typeof project === 'string' && /^[a-z0-9-]{2,32}$/.test(project) ? project : undefined;
  } catch {
    return undefined;
  }
};

const signOut: Act = async (request) => {
  if (!isOwn(request)) return failed('FOREIGN_ORIGIN');
  const token = request.cookies.session(request.event);
  if (token !== undefined) await request.stores.sessions.end(token);
  return nothing({ cookies: [request.cookies.endSession] });
};
