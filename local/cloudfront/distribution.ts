import type { IncomingMessage, OutgoingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { isNativeError } from 'node:util/types';
import type { CacheBehavior, Distribution } from '../assembly/assembly.ts';
import { announcesBody, bodyWithin } from '../base/http-server.ts';
import { functionUrlEvent } from '../function-url/event.ts';
import type { Invoke } from '../lambda/runtime.ts';
import { createCache, type EdgeCache, ttlOf } from './cache.ts';
import { errorPage, type ViewerResponse, viewerHeaders } from './edge-response.ts';
import { createCacheKey, createForwarding, type Forward } from './forwarding.ts';
import { askOrigins, type OriginGroup } from './origin-group.ts';
import { compilePathPattern, type PathMatch } from './path-pattern.ts';
import { edgeHeaders, readViewer, type ViewerRequest } from './viewer.ts';
import { compileViewerFunction, type ViewerFunction } from './viewer-function.ts';

export interface DistributionOptions {
  readonly distribution: Distribution;
  readonly invoke: Invoke;
  readonly log: (text: string) => void;
}

interface Edge {
  readonly invoke: Invoke;
  readonly origins: Distribution['origins'];
  readonly behaviors: readonly Behavior[];
  readonly cache: EdgeCache;
  readonly errorTtls: Distribution['errorTtls'];
  readonly errorPages: NonNullable<Distribution['errorPages']>;
  readonly log: (text: string) => void;
}

interface Behavior {
  readonly matches: PathMatch;
  readonly settings: CacheBehavior;
  readonly viewerFunction: ViewerFunction | undefined;
  readonly forward: Forward;
  readonly cacheKey: (viewer: ViewerRequest) => string;
}

const bodyLimit = 6 * 1024 * 1024;

/** Answers HTTP requests as CloudFront does for one distribution in front of function URLs. */
export function createDistribution({ distribution, invoke, log }: DistributionOptions): RequestListener {
  const edge: Edge = {
    invoke,
    origins: distribution.origins,
    behaviors: distribution.behaviors.map((settings) => prepare(settings, distribution, log)),
    cache: createCache(),
    errorTtls: distribution.errorTtls,
    errorPages: distribution.errorPages ?? {},
    log,
  };
  return (message, response) => {
    answer(edge, message, response).catch((error: Error) => {
      log(`${error.stack}\n`);
      if (response.headersSent) response.destroy();
      else response.writeHead(502, { 'x-cache': 'Error from cloudfront' }).end();
    });
  };
}

function prepare(
  settings: CacheBehavior,
  { id, origins }: Distribution,
  log: (text: string) => void,
): Behavior {
  const lists = [settings.cache.headers, settings.originRequest.headers];
  const asked = new Set(lists.flatMap((list) => (list === 'all' ? [...edgeHeaders.keys()] : list)));
  const edgeHeaderNames = [...asked]
    .map((name) => name.toLowerCase())
    .filter((name) => edgeHeaders.has(name));
  return {
    matches: compilePathPattern(settings.pathPattern),
    settings,
    viewerFunction:
      settings.viewerRequest === undefined
        ? undefined
        : compileViewerFunction({
            source: settings.viewerRequest,
            distributionId: id,
            origins,
            edgeHeaderNames,
            log,
          }),
    forward: createForwarding(settings),
    cacheKey: createCacheKey(settings.cache),
  };
}

async function answer(edge: Edge, message: IncomingMessage, response: ServerResponse): Promise<void> {
  const viewer = readViewer(message);
  const behavior = edge.behaviors.find(({ matches }) => matches(viewer.uri));
  if (!behavior) throw new Error('a distribution ends with a default behaviour');
  const made = refusal(behavior, message) ?? (await respond(edge, behavior, viewer, message));
  const { source, age } = made;
  const headers: OutgoingHttpHeaders = {
    ...viewerHeaders(made, behavior.settings),
    'content-length': made.body.length,
    'x-cache': `${source} from cloudfront`,
    via: '1.1 local.cloudfront.net (CloudFront)',
    'x-amz-cf-pop': 'LOCAL1-C1',
    'x-amz-cf-id': viewer.id,
    ...(age !== undefined && { age: String(age) }),
  };
  response.writeHead(made.statusCode, headers);
  // An empty body would cost a separate write.
  if (viewer.method === 'HEAD' || made.body.length === 0) response.end();
  else response.end(made.body);
  if (!message.complete) message.resume();
}

/** The error of a request that CloudFront refuses before any function runs. */
function refusal({ settings }: Behavior, message: IncomingMessage): ViewerResponse | undefined {
  const { method = '' } = message;
  if (!settings.allowedMethods.includes(method)) {
    return errorPage(403, 'This distribution is not configured to allow the HTTP request method.');
  }
  if ((method === 'GET' || method === 'HEAD') && announcesBody(message))
    return errorPage(403, 'Bad request.');
  return undefined;
}

async function respond(
  edge: Edge,
  behavior: Behavior,
  viewer: ViewerRequest,
  message: IncomingMessage,
): Promise<ViewerResponse> {
  let request = viewer;
  let target: string | OriginGroup = behavior.settings.originId;
  if (behavior.viewerFunction) {
    try {
      const result = await behavior.viewerFunction(viewer);
      if ('response' in result) return { ...result.response, source: 'FunctionGeneratedResponse' };
      request = result.request;
      target = result.group ?? target;
    } catch (error) {
      edge.log(`${isNativeError(error) ? error.stack : error}\n`);
      return { ...errorPage(503, 'The CloudFront function failed.'), source: 'FunctionExecutionError' };
    }
  }
  const isCacheable = request.method === 'GET' || request.method === 'HEAD';
  const key = behavior.cacheKey(request);
  const cached = isCacheable ? find(edge.cache, request.method, key) : undefined;
  if (cached) return cached;
  const body = announcesBody(message) ? await bodyWithin(message, bodyLimit) : Buffer.alloc(0);
  if (!body) return errorPage(413, 'The request is too large.');
  const fetched = await fetchOrigin(edge, { behavior, request, target, body });
  const page = edge.errorPages[fetched.statusCode];
  const shown = page ? { ...page, body: Buffer.from(page.body) } : fetched;
  if (isCacheable) {
    const ttl = ttlOf(fetched, behavior.settings.cache, edge.errorTtls);
    edge.cache.keep(`${request.method}\n${key}`, shown, ttl);
  }
  return { ...shown, source: fetched.statusCode >= 400 ? 'Error' : 'Miss' };
}

/** Finds a cached response. A GET's response also serves HEAD, but not the reverse. */
function find(cache: EdgeCache, method: string, key: string): ViewerResponse | undefined {
  const cached = cache.find(`GET\n${key}`) ?? (method === 'HEAD' ? cache.find(`HEAD\n${key}`) : undefined);
  if (!cached) return undefined;
  return {
    statusCode: cached.statusCode,
    headers: cached.headers,
    body: cached.body,
    source: cached.statusCode >= 400 ? 'Error' : 'Hit',
    age: Math.floor((Date.now() - cached.storedAt) / 1000),
  };
}

interface Fetched {
  readonly behavior: Behavior;
  readonly request: ViewerRequest;
  readonly target: string | OriginGroup;
  readonly body: Buffer;
}

function fetchOrigin({ invoke, origins }: Edge, { behavior, request, target, body }: Fetched) {
  return askOrigins({
    origins,
    target,
    viewer: request,
    ask: (origin) => {
      const { method, uri: path } = request;
      const { query, headers } = behavior.forward(request, origin);
      const event = functionUrlEvent({ method, path, query, headers, body, sourceIp: '127.0.0.1' });
      return invoke(origin.functionId, event);
    },
  });
}
