import { randomUUID } from 'node:crypto';
import { parseQuery } from '../base/query.ts';
import { formatRequestTime } from '../base/request-time.ts';

export interface FunctionUrlRequest {
  readonly method: string;
  /** Undecoded. */
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** Names in lower case, repeated ones joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly sourceIp: string;
}

/** The event of payload format 2.0 that a function URL passes to its function. */
export function functionUrlEvent(request: FunctionUrlRequest): Record<string, unknown> {
  const { method, path, query, body, sourceIp } = request;
  const { cookie, ...headers } = request.headers;
  const host = headers.host ?? '';
  const startedAt = Date.now();
  const parameters = query === '' ? null : parseQuery(query);
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: query,
    ...(cookie !== undefined && { cookies: cookie.split(/; */) }),
    headers,
    ...(parameters && { queryStringParameters: joined(parameters) }),
    requestContext: {
      accountId: 'anonymous',
      apiId: host.split('.')[0],
      domainName: host,
      domainPrefix: host.split('.')[0],
      http: { method, path, protocol: 'HTTP/1.1', sourceIp, userAgent: headers['user-agent'] ?? null },
      requestId: randomUUID(),
      routeKey: '$default',
      stage: '$default',
      time: formatRequestTime(startedAt),
      timeEpoch: startedAt,
    },
    ...bodyOf(body, headers['content-type']),
  };
}

const textual = /^(?:text\/|application\/(?:json|javascript|xml)\b|application\/[^;]+\+(?:json|xml)\b)/i;

function bodyOf(body: Buffer, contentType = ''): Record<string, unknown> {
  if (body.length === 0) return { isBase64Encoded: false };
  const isText = textual.test(contentType);
  return { body: body.toString(isText ? 'utf8' : 'base64'), isBase64Encoded: !isText };
}

function joined(parameters: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(parameters).map(([name, values]) => [name, values.join(',')]));
}
