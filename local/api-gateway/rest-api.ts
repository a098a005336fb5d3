import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { GatewayApiKey, RestApi } from '../assembly/assembly.ts';
import { announcesBody, bodyWithin } from '../base/http-server.ts';
import type { InvocationResult, Invoke } from '../lambda/runtime.ts';
import { type Authorize, type Authorized, createAuthorizer } from './authorizer.ts';
import { createRefusals, type ProxyResponse, type Refusal, type Refuse } from './gateway-response.ts';
import { type BinaryMatch, binaryMatcher } from './media-types.ts';
import { mockResponse } from './mock-response.ts';
import { proxyEvent, type RequestBody, type RoutedRequest, requestContext } from './proxy-event.ts';
import { readProxyResult } from './proxy-result.ts';
import { belowStage, type GatewayRequest, gatewayRequestOf } from './request.ts';
import { createRouter, type Router } from './router.ts';

export interface RestApiOptions {
  readonly api: RestApi;
  readonly invoke: Invoke;
  /** Functions that may run longer than the gateway waits. */
  readonly isSlow?: (functionId: string) => boolean;
}

interface Gateway {
  readonly api: RestApi;
  readonly invoke: (functionId: string, event: unknown) => Promise<InvocationResult | 'timeout'>;
  readonly route: Router;
  readonly authorizers: ReadonlyMap<string, Authorize>;
  readonly refuse: Refuse;
  readonly isBinary: BinaryMatch;
  readonly keys: ReadonlyMap<string, GatewayApiKey>;
}

const bodyLimit = 10 * 1024 * 1024;
const headerLimit = 10_240;
const urlLimit = 10_240;
/** How long the gateway waits for a function. */
export const integrationTimeoutMs = 29_000;

/** Answers HTTP requests as API Gateway does for one REST API with Lambda proxy and MOCK integrations. */
export function createRestApi({ api, invoke, isSlow = () => false }: RestApiOptions): RequestListener {
  const gateway: Gateway = {
    api,
    invoke: (id, event) => (isSlow(id) ? withTimeout(invoke(id, event)) : invoke(id, event)),
    route: createRouter(api.methods),
    authorizers: new Map(api.authorizers.map((one) => [one.id, createAuthorizer(one, invoke)])),
    refuse: createRefusals(api.gatewayResponses),
    isBinary: binaryMatcher(api.binaryMediaTypes),
    keys: new Map(api.planKeys.map((key) => [key.value, key])),
  };
  return (message, response) => {
    answer(gateway, message, response).catch(() => fail(response));
  };
}

/** Fails a response, probably because of an invalid header. One in progress can only be cut off. */
function fail(response: ServerResponse): void {
  if (response.headersSent) response.destroy();
  else
    response
      .writeHead(502, { 'content-type': 'application/json' })
      .end('{"message":"Internal server error"}');
}

async function answer(gateway: Gateway, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const request = gatewayRequestOf(message);
  const { statusCode, headers, body } = oversized(message) ?? (await handle(gateway, request, message));
  response.writeHead(statusCode, {
    'x-amzn-requestid': request.requestId,
    'x-amz-apigw-id': request.extendedRequestId,
    ...headers,
    'content-length': Buffer.byteLength(body),
  });
  response.end(body);
  // A request refused before its body was read must not hold the connection.
  if (!message.complete) message.resume();
}

async function handle(
  gateway: Gateway,
  request: GatewayRequest,
  message: IncomingMessage,
): Promise<ProxyResponse> {
  const refuse = (refusal: Refusal, values = {}) => gateway.refuse(refusal, { ...shownOf(request), values });
  const routed = locate(gateway, request);
  if (!routed)
    return refuse({ type: 'MISSING_AUTHENTICATION_TOKEN', message: 'Missing Authentication Token' });
  const bytes = announcesBody(message) ? await bodyWithin(message, bodyLimit) : Buffer.alloc(0);
  if (!bytes)
    return refuse({
      type: 'REQUEST_TOO_LARGE',
      message: `HTTP content length exceeded ${bodyLimit} bytes.`,
    });

  const { authorizerId, apiKeyRequired, integration } = routed.route.method;
  const authorized: Authorized | Refusal | undefined =
    authorizerId === undefined ? undefined : await authorize(gateway, authorizerId, routed);
  if (authorized && 'type' in authorized) return refuse(authorized, requestContext(routed));
  const key = apiKeyRequired ? gateway.keys.get(presentedKey(gateway.api, request, authorized)) : undefined;
  const context = requestContext(routed, authorized?.context, key);
  if (apiKeyRequired && !key) return refuse({ type: 'INVALID_API_KEY', message: 'Forbidden' }, context);

  if (typeof integration !== 'string') {
    const answer = mockResponse(integration, request.header('content-type'));
    return 'type' in answer ? refuse(answer, context) : answer;
  }
  const event = proxyEvent(routed, bodyOf(bytes, gateway.isBinary(request.header('content-type'))), context);
  const result = await gateway.invoke(integration, event);
  if (result === 'timeout') {
    return refuse({ type: 'INTEGRATION_TIMEOUT', message: 'Endpoint request timed out' }, context);
  }
  if (!result.ok && result.errorType === 'RequestEntityTooLargeException') {
    return refuse({ type: 'REQUEST_TOO_LARGE', message: 'Request Too Long' }, context);
  }
  const decodes = gateway.isBinary(request.header('accept'));
  const read = result.ok ? readProxyResult(result.payload, decodes) : undefined;
  if (!read) {
    return refuse({ type: 'DEFAULT_5XX', message: 'Internal server error', statusCode: 502 }, context);
  }
  return { ...read, headers: { ...read.headers, 'x-amzn-trace-id': request.traceId } };
}

/** One address serves both forms: below the stage, as execute-api does, and at the root, as a custom domain does. */
function locate({ api, route }: Gateway, request: GatewayRequest): RoutedRequest | undefined {
  for (const form of [belowStage(request, api.stageName), request]) {
    const found = form && route(form.httpMethod, form.path);
    if (found) return { api, request: form, route: found };
  }
  return undefined;
}

async function authorize({ authorizers }: Gateway, id: string, routed: RoutedRequest) {
  const authorizer = authorizers.get(id);
  if (!authorizer) throw new Error(`the authorizer ${id} isn't part of the API`);
  return authorizer(routed);
}

function presentedKey(api: RestApi, request: GatewayRequest, authorized?: Authorized): string {
  const key =
    api.apiKeySource === 'AUTHORIZER' ? authorized?.usageIdentifierKey : request.header('x-api-key');
  return key ?? '';
}

function bodyOf(bytes: Buffer, isBinary: boolean): RequestBody {
  if (bytes.length === 0) return { body: null, isBase64Encoded: false };
  return { body: bytes.toString(isBinary ? 'base64' : 'utf8'), isBase64Encoded: isBinary };
}

/** Limits checked before the API is known, so no gateway response can shape their errors. */
function oversized({ url = '', rawHeaders }: IncomingMessage): ProxyResponse | undefined {
  if (url.length > urlLimit) return plain(414, 'Request-URI Too Long');
  let size = url.length;
  for (const text of rawHeaders) size += text.length;
  return size > headerLimit ? plain(400, 'Bad Request') : undefined;
}

function plain(statusCode: number, message: string): ProxyResponse {
  return {
    statusCode,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ message }),
  };
}

function shownOf({ requestId, extendedRequestId, header }: GatewayRequest) {
  return { requestId, extendedRequestId, header };
}

function withTimeout(result: Promise<InvocationResult>): Promise<InvocationResult | 'timeout'> {
  const { promise, resolve } = Promise.withResolvers<'timeout'>();
  const timer = setTimeout(resolve, integrationTimeoutMs, 'timeout');
  return Promise.race([result, promise]).finally(() => clearTimeout(timer));
}
