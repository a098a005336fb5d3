import type { Authorizer } from '../assembly/assembly.ts';
import type { AccessDecision } from '../iam/policy.ts';
import type { Invoke } from '../lambda/runtime.ts';
import { compilePolicy } from './access-policy.ts';
import type { Refusal } from './gateway-response.ts';
import { type AuthorizerContext, methodArn, type RoutedRequest, requestContext } from './proxy-event.ts';
import type { GatewayRequest } from './request.ts';

export interface Authorized {
  readonly context: AuthorizerContext;
  readonly usageIdentifierKey?: string;
}

export type Authorize = (routed: RoutedRequest) => Promise<Authorized | Refusal>;

interface Verdict {
  readonly decide: (methodArn: string) => AccessDecision;
  readonly context: Readonly<Record<string, string>>;
  readonly usageIdentifierKey?: string;
}

interface Kept {
  readonly verdict: Verdict;
  readonly until: number;
}

const keptAtMost = 10_000;
const unauthorized: Refusal = { type: 'UNAUTHORIZED', message: 'Unauthorized' };
const misconfigured: Refusal = { type: 'AUTHORIZER_CONFIGURATION_ERROR', message: null };

/** A Lambda authorizer with its cache. The cache holds the policy, which is evaluated for every request. */
export function createAuthorizer(authorizer: Authorizer, invoke: Invoke): Authorize {
  const kept = new Map<string, Kept>();
  const isCached = authorizer.ttlSeconds > 0;
  const validation = authorizer.validation === undefined ? undefined : new RegExp(authorizer.validation);
  const sources = authorizer.identitySources.map(identitySource);

  function keep(identity: string, verdict: Verdict): void {
    if (kept.size >= keptAtMost) kept.clear();
    kept.set(identity, { verdict, until: Date.now() + authorizer.ttlSeconds * 1000 });
  }

  return async (routed) => {
    const arn = methodArn(routed);
    const identities = sources.map((source) => source(routed));
    const isMissing = identities.some((identity) => !identity);
    if (isMissing && (isCached || authorizer.type === 'TOKEN')) return unauthorized;
    const token = identities[0] ?? '';
    if (validation && !validation.test(token)) return unauthorized;
    const identity = JSON.stringify(identities);
    const known = isCached ? kept.get(identity) : undefined;
    if (known && known.until > Date.now()) return conclude(known.verdict, arn, 0);
    const startedAt = performance.now();
    const event = authorizer.type === 'TOKEN' ? tokenEvent(arn, token) : requestEvent(arn, routed);
    const result = await invoke(authorizer.functionId, event);
    if (!result.ok) return result.errorMessage === 'Unauthorized' ? unauthorized : misconfigured;
    const verdict = readVerdict(result.payload);
    if (!verdict) return misconfigured;
    if (isCached) keep(identity, verdict);
    return conclude(verdict, arn, Math.round(performance.now() - startedAt));
  };
}

function conclude({ decide, context, usageIdentifierKey }: Verdict, arn: string, latency: number) {
  const decision = decide(arn);
  if (decision.kind === 'allowed') {
    return {
      context: { ...context, integrationLatency: latency },
      ...(usageIdentifierKey !== undefined && { usageIdentifierKey }),
    };
  }
  const why = decision.kind === 'denied by a statement' ? ' with an explicit deny' : '';
  return {
    type: 'ACCESS_DENIED',
    message: `User is not authorized to access this resource${why}`,
  } satisfies Refusal;
}

/** The authorizer's result; undefined if API Gateway refuses it: no principal, no policy, or nested context values. */
function readVerdict(payload: unknown): Verdict | undefined {
  if (payload === null || typeof payload !== 'object') return undefined;
  const { principalId, policyDocument, context, usageIdentifierKey } = payload as Record<string, unknown>;
  const decide = compilePolicy(policyDocument);
  if (typeof principalId !== 'string' || !decide) return undefined;
  const entries = Object.entries(context ?? {}).filter(([, value]) => value !== null);
  if (entries.some(([, value]) => typeof value === 'object')) return undefined;
  return {
    decide,
    // Numbers and booleans reach the function as strings.
    context: { ...Object.fromEntries(entries.map(([name, value]) => [name, String(value)])), principalId },
    ...(typeof usageIdentifierKey === 'string' && { usageIdentifierKey }),
  };
}

function tokenEvent(arn: string, token: string): Record<string, unknown> {
  return { type: 'TOKEN', methodArn: arn, authorizationToken: token };
}

function requestEvent(arn: string, routed: RoutedRequest): Record<string, unknown> {
  const { request, route } = routed;
  return {
    type: 'REQUEST',
    methodArn: arn,
    resource: route.method.path,
    path: request.path,
    httpMethod: request.httpMethod,
    headers: request.headers,
    multiValueHeaders: request.multiValueHeaders,
    queryStringParameters: request.query ?? {},
    multiValueQueryStringParameters: request.multiValueQuery ?? {},
    pathParameters: route.pathParameters ?? {},
    stageVariables: {},
    requestContext: requestContext(routed),
  };
}

function identitySource(expression: string): (routed: RoutedRequest) => string | undefined {
  const [scope, part, kind, ...rest] = expression.split('.');
  const name = rest.join('.');
  if (scope === 'method' && part === 'request') {
    if (kind === 'header') return ({ request }) => request.header(name);
    if (kind === 'querystring') return ({ request }) => request.query?.[name];
  }
  const known = contextValues[expression];
  if (!known) throw new Error(`the identity source ${expression} isn't emulated`);
  return ({ request }) => known(request);
}

const contextValues: Readonly<Record<string, (request: GatewayRequest) => string>> = {
  'context.httpMethod': ({ httpMethod }) => httpMethod,
  'context.path': ({ rawPath }) => rawPath,
  'context.identity.sourceIp': ({ sourceIp }) => sourceIp,
};
