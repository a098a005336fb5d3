import type {
  APIGatewayProxyEvent,
  APIGatewayProxyResult,
  LambdaFunctionURLEvent,
  LambdaFunctionURLResult,
} from 'aws-lambda';
import { scopes } from '../../core/api-keys/scopes.ts';
import { userAgents } from '../../ops/base/user-agents.ts';
import { unique } from './builders.ts';

export type ApiHandler = (event: APIGatewayProxyEvent) => Promise<APIGatewayProxyResult>;

export interface ApiCall {
  readonly method?: string;
  /** As the contract states it, with the names of its parameters in braces. */
  readonly path: string;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, readonly string[]>>;
  readonly project: string;
  /** Other facts from the authorizer. */
  readonly caller?: Readonly<Record<string, string>>;
  readonly at?: number;
}

/** Calls a function of the API as the gateway does. */
export const callApi = async (handler: ApiHandler, { path, params, query, body, ...call }: ApiCall) => {
  const { statusCode, ...answer } = await handler({
    httpMethod: call.method ?? 'GET',
    resource: `/1.0${path}`,
    pathParameters: params ?? null,
    multiValueQueryStringParameters:
      query && Object.fromEntries(Object.entries(query).map(([name, value]) => [name, [value]])),
    headers: body === undefined ? {} : { 'Content-Type': 'application/json' },
    multiValueHeaders: call.headers,
    body: body === undefined ? null : JSON.stringify(body),
    isBase64Encoded: false,
    requestContext: {
      path: `/1.0${path.replaceAll(/\{(\w+)\}/g, (_, name) => params?.[name] ?? '')}`,
      requestId: 'r',
      requestTimeEpoch: call.at ?? Date.now(),
      authorizer: {
        keyId: call.project,
        scopes: scopes.join(' '),
        user: 'ann',
        ...call.caller,
        project: call.project,
      },
    },
  } as unknown as APIGatewayProxyEvent);
  return { status: statusCode, headers: answer.headers ?? {}, body: JSON.parse(answer.body) };
};

export interface Visit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly now?: Date;
}

/** A visit as the edge hands it to the functions of short URLs. */
export const visitEvent = (
  path: string,
  { method = 'GET', headers = {}, query = '', now = new Date() }: Visit = {},
): LambdaFunctionURLEvent =>
  ({
    rawPath: path,
    rawQueryString: query,
    headers: {
      'user-agent': userAgents.desktop,
      'x-forwarded-host': 'd111111abcdef8.cloudfront.net',
      'x-amz-cf-id': unique('request'),
      'cloudfront-viewer-address': '203.0.113.7:4711',
      ...headers,
    },
    requestContext: { http: { method }, timeEpoch: now.getTime(), requestId: unique('request') },
  }) as unknown as LambdaFunctionURLEvent;

export type VisitHandler = (event: LambdaFunctionURLEvent) => Promise<LambdaFunctionURLResult>;

export const visitBy = async (handler: VisitHandler, path: string, visit?: Visit) => {
  const answer = await handler(visitEvent(path, visit));
  if (typeof answer === 'string') throw new Error('An answer has a status');
  return answer;
};
