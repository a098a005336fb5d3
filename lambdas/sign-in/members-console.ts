import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { Failure } from '../../core/base/failure.ts';
import { failure } from '../../core/base/messages.ts';
import type { UsesOf } from '../../core/functions.ts';
import { mostMembers } from '../../core/members/member-store.ts';
import type { Person } from '../../core/members/session-store.ts';
import { imagePage } from '../../core/pages/image-page.ts';
import type { Granted } from '../../core/stores.ts';
import { errorKindOf } from '../../core/table/errors.ts';
import { headerValues } from '../frame/header-values.ts';
import { countFailure, countMetric, logError } from '../frame/log.ts';
import { changeIn, isProject, projectIn } from './bodies.ts';
import { cookiesOf } from './cookies.ts';
import {
  newSignInAttempt,
  openIssuer,
  SignInFailed,
  type SignInFault,
  type SignInSettings,
} from './issuer.ts';
import { answer, failed, failurePage, json, redirectTo } from './responses.ts';

export interface ConsoleProps extends SignInSettings {
  readonly stores: Granted<UsesOf<'sign-in'>>;
  /** Signs attempts. */
  readonly attemptSecret: string;
  /** Reads a file of the page by its name. */
  readonly content: (name: string) => string;
}

interface Request extends ConsoleProps {
  readonly issuer: ReturnType<typeof openIssuer>;
  readonly event: APIGatewayProxyEvent;
  readonly cookies: ReturnType<typeof cookiesOf>;
  /** The page's address without a trailing slash. */
  readonly base: URL;
}

type Act = (request: Request) => Promise<APIGatewayProxyResult>;

/** The members' console, below one address. */
export const memberConsole = (props: ConsoleProps) => {
  // The console has the callback's host.
  const base = new URL(props.signInRedirect.replace(/\/callback$/, ''));
  const opened = { ...props, issuer: openIssuer(props), cookies: cookiesOf(base, props.attemptSecret), base };
  return async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const { httpMethod: method, requestContext } = event;
    const name = nameOf(event);
    // Addresses of views are below the page's.
    const methods = routes.get(name.startsWith('p/') ? '' : name);
    if (!methods) return failed(failure('noPage'));
    const act = methods[method as keyof typeof methods];
    const allowed = Object.keys(methods).join(', ');
    if (!act) return failed(failure('wrongMethod', { methods: allowed }), { Allow: allowed });
    if (requestContext.domainName !== base.host && method === 'GET')
      return redirectTo(addressOf(base, name, event));
    const request = { ...opened, event };
    try {
      return await act(request);
    } catch (error) {
      if (error instanceof SignInFailed) return refused(error, request);
      return failed(error instanceof Failure ? error : unforeseen(requestContext, error));
    }
  };
};

/** Routes with paths of their own, which have a lower rate: as a file, they aren't routes. */
const slowRoutes = ['sign-in', 'callback'];

/** The name of a route. */
const nameOf = ({ resource, pathParameters }: APIGatewayProxyEvent): string => {
  const slow = slowRoutes.find((name) => resource === `/console/${name}`);
  const name = pathParameters?.file?.replace(/\/$/, '') ?? '';
  return slow ?? (slowRoutes.includes(name) ? 'nothing' : name);
};

const unforeseen = ({ requestId }: APIGatewayProxyEvent['requestContext'], error: unknown): Failure => {
  if (!['refused', 'condition'].includes(errorKindOf(error))) return failure('unread');
  logError('A request of the console failed', error, { requestId });
  countFailure({ requestId });
  return failure('internal');
};

const parametersOf = ({ multiValueQueryStringParameters: query }: APIGatewayProxyEvent) =>
  new URLSearchParams(
    Object.entries(query ?? {}).flatMap(([name, values = []]) =>
      values.map((value) => [name, value] as [string, string]),
    ),
  );

/** The request's address on the console's own host. Names arrive as sent, so they are encoded for a header. */
const addressOf = (base: URL, name: string, event: APIGatewayProxyEvent): string => {
  const path = name.split('/').map((part) => encodeURIComponent(decoded(part.toWellFormed())));
  const query = parametersOf(event).toString();
  return [base.href, ...(name ? path : [])].join('/') + (query && `?${query}`);
};

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

const findSession = async ({ event, cookies, stores }: Request) => {
  const token = cookies.session(event);
  return token === undefined ? undefined : stores.sessions.find(token, new Date());
};

/** Throws a Failure. */
const sessionOf = async (request: Request) => {
  const session = await findSession(request);
  if (!session) throw failure('notSignedIn');
  return session;
};

const showPage: Act = async (request) => {
  const { base, content } = request;
  if (!(await findSession(request))) {
    const to = addressOf(base, nameOf(request.event), request.event).slice(base.href.length + 1);
    return redirectTo(`${base.href}/sign-in${to && `?${new URLSearchParams({ to })}`}`);
  }
  const page = content('index.html').replaceAll('BASE', base.pathname);
  return answer(200, { 'Content-Type': 'text/html; charset=utf-8' }, page);
};

/** Only for members, so that the console's address shows nobody else's images. */
const showImage: Act = async (request) => {
  await sessionOf(request);
  const image = imagePage(parametersOf(request.event).get('src'));
  return image ? answer(200, image.headers, image.html) : failed(failure('noPage'));
};

const signIn: Act = async ({ event, cookies, issuer }) => {
  const attempt = newSignInAttempt();
  const address = await issuer.address(attempt, { again: parametersOf(event).has('again') });
  return redirectTo(address, cookies.keepAttempt(event, attempt, parametersOf(event).get('to') ?? ''));
};

/** A view of this console, and no other address. */
const viewAt = ({ href }: URL, to: string): string => {
  const view = URL.parse(`${href}/${to}`)?.href;
  return view?.startsWith(`${href}/p/`) ? view : href;
};

const attemptIn = ({ event, cookies }: Request) =>
  cookies.attempt(event, parametersOf(event).get('state') ?? '');

const callback: Act = async (request) => {
  const { event, cookies, base, issuer, stores } = request;
  const attempt = attemptIn(request);
  if (!attempt) throw new SignInFailed('no such attempt', 'attempt');
  // The issuer may count the calls of a client, and anybody can begin an attempt.
  if (!(await stores.sessions.useAttempt(attempt.state, new Date())))
    throw new SignInFailed('the attempt was used', 'attempt');
  const { email, subject } = await issuer.identify(parametersOf(event), attempt);
  const begun = await stores.sessions.begin(email, subject, new Date());
  if (typeof begun === 'string') throw new SignInFailed(begun, 'stranger', email);
  return redirectTo(viewAt(base, attempt.to), [
    cookies.endAttempt(attempt),
    cookies.keepSession(begun.token),
  ]);
};

const refusal = (text: string) => [400, 'Signing in did not work', text] as const;

/** Responses to failed sign-ins: status, title and text. EMAIL is the issuer's address for the person. */
const words: Readonly<Record<SignInFault, readonly [status: number, title: string, text: string]>> = {
  away: [503, 'Signing in takes too long', 'The identity provider does not answer. Try again in a moment.'],
  stranger: [
    403,
    'You are not a member here',
    'You signed in as EMAIL. Ask the operators to add this address.',
  ],
  attempt: refusal('This attempt can not be used, or was used. Begin a new one.'),
  address: refusal('The identity provider sent no email address. Ask the operators to let it send one.'),
  unverified: refusal(
    'Your email address is not verified at the identity provider. Verify it there, or ask the operators.',
  ),
  clock: refusal(
    'The identity provider’s clock differs from the one here. Ask the operators to compare the two.',
  ),
  key: refusal(
    'The identity provider’s signature can not be checked with its keys. Ask the operators to check its keys and algorithm.',
  ),
  response: refusal('The identity provider’s response can not be used. The operators see the reason.'),
};

/** The response to a failed sign-in, which ends the attempt. */
const refused = ({ message: reason, kind, email }: SignInFailed, request: Request) => {
  if (kind === 'away') countMetric('IssuerAway', { reason });
  else countMetric('SignInRefused', { reason });
  const [status, title, text] = words[kind];
  const shown = text.replace('EMAIL', () => email);
  const { headers, html } = failurePage(title, shown, `${request.base.href}/sign-in?again`);
  const attempt = attemptIn(request);
  const ended = attempt && [request.cookies.endAttempt(attempt)];
  return answer(status, { ...headers, ...(kind === 'away' && { 'Retry-After': '5' }) }, html, ended);
};

const showSession: Act = async (request) => {
  const session = await sessionOf(request);
  const asked = parametersOf(request.event);
  if (asked.has('project')) return showProject(request, session, asked.getAll('project'));
  const projects = await request.stores.sessions.projects(session);
  if (projects.length === 0) throw failure('notSignedIn');
  const { id, email, expiresAt } = session;
  return json({ id, email, expiresAt, projects });
};

/** Throws a Failure. */
const showProject = async ({ stores }: Request, session: Person, [id, more]: readonly unknown[]) => {
  if (!isProject(id) || more !== undefined) throw failure('oneProject');
  const project = await stores.sessions.project(session, id);
  if (!project) throw failure('notMember');
  return json(project);
};

/** Checks that the console's page made the call: browsers send the origin, and let no other page send JSON. Throws a Failure. */
const checkOrigin = ({ event, base }: Request): void => {
  const [origins, types] = [headerValues(event, 'origin'), headerValues(event, 'content-type')];
  if (origins.join() !== base.origin || !/^application\/json *(;|$)/i.test(types.join()))
    throw failure('foreignCall');
};

const exchange: Act = async (request) => {
  checkOrigin(request);
  const session = await sessionOf(request);
  const project = projectIn(request.event);
  const made = await request.stores.sessions.exchange(session, project, new Date());
  if (made === 'stranger') throw failure('notMember');
  if (made === 'too many') throw failure('tooManyKeys');
  return json(made);
};

/** Adds, changes or removes a member. The store judges whether the person is an admin of the project. */
const changeMember: Act = async (request) => {
  checkOrigin(request);
  const session = await sessionOf(request);
  const change = changeIn(request.event);
  const changed = await request.stores.members.change(session, change, new Date());
  if (typeof changed === 'string') throw failure(changed, { ...change, role: '', limit: mostMembers });
  const { id, createdAt } = changed;
  return json({ id, ...change, createdAt });
};

const signOut: Act = async (request) => {
  checkOrigin(request);
  const token = request.cookies.session(request.event);
  if (token !== undefined) await request.stores.sessions.end(token);
  return answer(204, {}, '', [request.cookies.endSession]);
};

/** A route for a public file, without a session. */
const file = (name: string, type: string): readonly [string, { readonly GET: Act }] => [
  name,
  { GET: async ({ content }) => answer(200, { 'Content-Type': type }, content(name)) },
];

/** The console's routes: its page, and everything that it loads and calls. */
const routes = new Map<string, { readonly GET?: Act; readonly POST?: Act }>([
  ['', { GET: showPage }],
  ['image', { GET: showImage }],
  ['sign-in', { GET: signIn }],
  ['callback', { GET: callback }],
  ['session', { GET: showSession, POST: exchange }],
  ['members', { POST: changeMember }],
  ['sign-out', { POST: signOut }],
  file('app.js', 'text/javascript; charset=utf-8'),
  file('style.css', 'text/css; charset=utf-8'),
  file('icon.svg', 'image/svg+xml'),
]);
