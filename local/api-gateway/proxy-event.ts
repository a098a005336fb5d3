import { createHash } from 'node:crypto';
import type { RestApi } from '../assembly/assembly.ts';
import { account } from '../assembly/intrinsics.ts';
import { apiId } from '../assembly/references.ts';
import { defaultRegion } from '../assembly/template.ts';
import { formatRequestTime } from '../base/request-time.ts';
import type { GatewayRequest } from './request.ts';
import type { GatewayRoute } from './router.ts';

export interface RoutedRequest {
  readonly api: RestApi;
  readonly request: GatewayRequest;
  readonly route: GatewayRoute;
}

/** An authorizer's result, in the shape of `requestContext.authorizer`. */
export type AuthorizerContext = Readonly<Record<string, string | number>>;

export interface CallerKey {
  readonly id: string;
  readonly value: string;
}

/** `requestContext` of proxy and authorizer events. */
export function requestContext(
  { api, request, route }: RoutedRequest,
  authorizer?: AuthorizerContext,
  key?: CallerKey,
): Record<string, unknown> {
  const domainName = request.headers.Host ?? '';
  return {
    resourceId: resourceId(route.method.path),
    ...(authorizer && { authorizer }),
    resourcePath: route.method.path,
    httpMethod: request.httpMethod,
    extendedRequestId: request.extendedRequestId,
    requestTime: formatRequestTime(request.startedAt),
    path: request.rawPath,
    accountId: account,
    protocol: 'HTTP/1.1',
    stage: api.stageName,
    domainPrefix: domainName.split('.')[0],
    requestTimeEpoch: request.startedAt,
    requestId: request.requestId,
    identity: {
      cognitoIdentityPoolId: null,
      accountId: null,
      ...(key && { apiKey: key.value, apiKeyId: key.id }),
      cognitoIdentityId: null,
      caller: null,
      sourceIp: request.sourceIp,
      principalOrgId: null,
      accessKey: null,
      cognitoAuthenticationType: null,
      cognitoAuthenticationProvider: null,
      userArn: null,
      userAgent: request.headers['User-Agent'] ?? null,
      user: null,
    },
    domainName,
    deploymentId: 'local0',
    apiId: apiId(api),
  };
}

export interface RequestBody {
  readonly body: string | null;
  readonly isBase64Encoded: boolean;
}

export function proxyEvent(
  routed: RoutedRequest,
  body: RequestBody,
  context: Record<string, unknown>,
): Record<string, unknown> {
  const { request, route } = routed;
  return {
    resource: route.method.path,
    path: request.path,
    httpMethod: request.httpMethod,
    headers: request.headers,
    multiValueHeaders: request.multiValueHeaders,
    queryStringParameters: request.query,
    multiValueQueryStringParameters: request.multiValueQuery,
    pathParameters: route.pathParameters,
    stageVariables: null,
    requestContext: context,
    ...body,
  };
}

export function methodArn({ api, request }: RoutedRequest): string {
  const { stageName } = api;
  return `arn:aws:execute-api:${defaultRegion}:${account}:${apiId(api)}/${stageName}/${request.httpMethod}${request.path}`;
}

const resourceIds = new Map<string, string>();

function resourceId(path: string): string {
  const known = resourceIds.get(path);
  if (known) return known;
  const id = createHash('sha256').update(path).digest('hex').slice(0, 6);
  resourceIds.set(path, id);
  return id;
}
