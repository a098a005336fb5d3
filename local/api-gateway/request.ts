import { randomBytes, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type MultiValues, parseQuery } from '../base/query.ts';

type Values = Readonly<Record<string, string>>;

/** A request as the gateway sees it, before it knows the route. */
export interface GatewayRequest {
  readonly httpMethod: string;
  /** The path to match resources against: without the stage and without leading double slashes. */
  readonly path: string;
  /** The path as `$context.path` shows it: with the stage if the address has one. */
  readonly rawPath: string;
  readonly headers: Values;
  readonly multiValueHeaders: MultiValues;
  readonly query: Values | null;
  readonly multiValueQuery: MultiValues | null;
  readonly sourceIp: string;
  readonly requestId: string;
  readonly extendedRequestId: string;
  readonly traceId: string;
  readonly startedAt: number;
  /** One header by name, ignoring case. */
  header(name: string): string | undefined;
}

/** Headers of the connection, which the gateway doesn't pass on. */
const hopHeaders = new Set(['connection', 'content-length', 'keep-alive', 'transfer-encoding', 'upgrade']);
const own = new Set(['x-amzn-trace-id', 'x-forwarded-for', 'x-forwarded-port', 'x-forwarded-proto']);
/** Headers that the gateway respells. Other names keep their case. */
const canonical = new Map([
  ['authorization', 'Authorization'],
  ['host', 'Host'],
  ['user-agent', 'User-Agent'],
]);

export function gatewayRequestOf(message: IncomingMessage): GatewayRequest {
  const target = message.url ?? '/';
  const mark = target.indexOf('?');
  const rawPath = mark < 0 ? target : target.slice(0, mark);
  const query = mark < 0 ? null : parseQuery(target.slice(mark + 1));
  const sourceIp = message.socket.remoteAddress ?? '127.0.0.1';
  const traceId = message.headers['x-amzn-trace-id'] ?? newTraceId();
  const multiValueHeaders = readHeaders(message, sourceIp, String(traceId));
  const override = message.headers['x-http-method-override'];
  return {
    httpMethod: typeof override === 'string' ? override.toUpperCase() : (message.method ?? 'GET'),
    path: rawPath.replace(/^\/{2,}/, '/'),
    rawPath,
    headers: lastOf(multiValueHeaders),
    multiValueHeaders,
    query: query && lastOf(query),
    multiValueQuery: query,
    sourceIp,
    requestId: randomUUID(),
    extendedRequestId: randomBytes(11).toString('base64').slice(0, 15).concat('='),
    traceId: String(traceId),
    startedAt: Date.now(),
    header: (name) => {
      const value = message.headers[name.toLowerCase()];
      return Array.isArray(value) ? value.at(-1) : value;
    },
  };
}

/**
 * The request as execute-api reads it, with the stage before the path; undefined if the path has no stage. Slashes
 * before the stage disappear everywhere; those after it stay in `rawPath`.
 */
export function belowStage(request: GatewayRequest, stageName: string): GatewayRequest | undefined {
  const rawPath = request.path;
  const stage = `/${stageName}`;
  if (rawPath !== stage && !rawPath.startsWith(`${stage}/`)) return undefined;
  return { ...request, rawPath, path: rawPath.slice(stage.length).replace(/^\/*/, '/') };
}

function readHeaders(message: IncomingMessage, sourceIp: string, traceId: string): MultiValues {
  // Without a prototype: `__proto__` is a header name like any other.
  const headers: Record<string, string[]> = Object.create(null);
  const { rawHeaders } = message;
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] ?? '';
    const lower = sent.toLowerCase();
    if (hopHeaders.has(lower) || own.has(lower)) continue;
    const name = canonical.get(lower) ?? sent;
    const values = headers[name] ?? [];
    values.push(rawHeaders[index + 1] ?? '');
    headers[name] = values;
  }
  const passedOn = message.headers['x-forwarded-for'];
  headers['X-Amzn-Trace-Id'] = [traceId];
  headers['X-Forwarded-For'] = [passedOn ? `${passedOn}, ${sourceIp}` : sourceIp];
  headers['X-Forwarded-Port'] = [String(message.socket.localPort ?? '')];
  headers['X-Forwarded-Proto'] = ['http'];
  return headers;
}

function lastOf(values: MultiValues): Values {
  return Object.fromEntries(Object.entries(values).map(([name, all]) => [name, all.at(-1) ?? '']));
}

function newTraceId(): string {
  const time = Math.floor(Date.now() / 1000).toString(16);
  return `Root=1-${time}-${randomBytes(12).toString('hex')}`;
}
