import { AsyncLocalStorage } from 'node:async_hooks';
import { createContext, Script } from 'node:vm';
import type { Distribution } from '../assembly/assembly.ts';
import { viewerHeader } from './forwarding.ts';
import { type OriginGroup, readOriginGroup } from './origin-group.ts';
import { edgeHeaders, type ViewerRequest } from './viewer.ts';

/** The request to continue with, also to the function's own group of origins; or its response. */
type ViewerFunctionResult =
  | { readonly request: ViewerRequest; readonly group: OriginGroup | undefined }
  | { readonly response: FunctionResponse };

interface FunctionResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

export type ViewerFunction = (viewer: ViewerRequest) => Promise<ViewerFunctionResult>;

type Values = Record<string, { value: string; multiValue?: { value: string }[] }>;

interface EdgeRequest {
  readonly method: string;
  readonly uri: string;
  readonly querystring: Values;
  readonly headers: Values;
  readonly cookies: Values;
}

interface EdgeResponse {
  readonly statusCode: number;
  readonly headers?: Values;
  readonly cookies?: Values;
  readonly body?: string | { readonly encoding?: string; readonly data: string };
}

export interface ViewerFunctionOptions {
  readonly source: string;
  readonly distributionId: string;
  readonly origins: Distribution['origins'];
  /** CloudFront's own headers that the behaviour's policies ask for: the function sees no others. */
  readonly edgeHeaderNames: readonly string[];
  readonly log: (text: string) => void;
}

/** The first line of a function that uses the module of helpers; runtime 2.0 knows no other import of this kind. */
const importLine = /^import cf from (['"])cloudfront\1;?(?=\r?\n)/;

/**
 * Runs a CloudFront Function's source as deployed, in a context with only the language and nothing of Node.
 */
export function compileViewerFunction(options: ViewerFunctionOptions): ViewerFunction {
  const write = (...values: unknown[]) => options.log(`${values.map(String).join(' ')}\n`);
  const groups = new AsyncLocalStorage<{ made?: OriginGroup }>();
  const createRequestOriginGroup = (given: unknown) => {
    const invocation = groups.getStore();
    if (invocation) invocation.made = readOriginGroup(given, options.origins);
  };
  const hasHelpers = importLine.test(options.source);
  const context = createContext({
    console: { log: write, error: write },
    ...(hasHelpers && { cf: { createRequestOriginGroup } }),
  });
  const source = options.source.replace(importLine, '');
  const handler: unknown = new Script(`${source}\n;handler`).runInContext(context);
  if (typeof handler !== 'function') throw new Error('a CloudFront Function needs a function named handler');
  return async (viewer) => {
    const given = edgeRequest(viewer, options.edgeHeaderNames);
    const query = joinPairs(given.querystring, '&');
    const invocation: { made?: OriginGroup } = {};
    const result: EdgeRequest | EdgeResponse = await groups.run(invocation, () =>
      handler({
        version: '1.0',
        context: {
          distributionDomainName: viewer.headers.host ?? '',
          distributionId: options.distributionId,
          eventType: 'viewer-request',
          requestId: viewer.id,
        },
        viewer: { ip: viewer.ip },
        request: given,
      }),
    );
    if ('statusCode' in result) return { response: readResponse(result) };
    return { request: readRequest(viewer, result, query), group: invocation.made };
  };
}

function edgeRequest(viewer: ViewerRequest, edgeHeaderNames: readonly string[]): EdgeRequest {
  const headers: Values = {};
  for (const name of Object.keys(viewer.headers)) {
    if (name !== 'cookie') headers[name] = { value: viewer.headers[name] ?? '' };
  }
  for (const name of edgeHeaderNames) {
    const value = viewerHeader(viewer, name);
    if (value !== undefined) headers[name] = { value };
  }
  return {
    method: viewer.method,
    uri: viewer.uri,
    querystring: splitPairs(viewer.query, '&'),
    headers,
    cookies: splitPairs(viewer.headers.cookie ?? '', ';'),
  };
}

function readRequest(viewer: ViewerRequest, result: EdgeRequest, queryBefore: string): ViewerRequest {
  const headers: Record<string, string> = Object.create(null);
  for (const [name, { value }] of Object.entries(result.headers)) {
    const lower = name.toLowerCase();
    // A function can't change CloudFront's own headers about a viewer.
    if (!edgeHeaders.has(lower)) headers[lower] = String(value);
  }
  const cookies = joinPairs(result.cookies ?? {}, '; ');
  if (cookies) headers.cookie = cookies;
  const query = joinPairs(result.querystring ?? {}, '&');
  // An unchanged query passes as it was sent, without re-encoding.
  return { ...viewer, uri: result.uri, query: query === queryBefore ? viewer.query : query, headers };
}

function readResponse({ statusCode, headers = {}, cookies = {}, body = '' }: EdgeResponse): FunctionResponse {
  const named = Object.entries(headers).map(([name, { value }]) => [name.toLowerCase(), String(value)]);
  const setCookies = Object.entries(cookies).map(([name, { value }]) => `${name}=${value}`);
  const { data, encoding = 'text' } = typeof body === 'string' ? { data: body } : body;
  return {
    statusCode,
    headers: { ...Object.fromEntries(named), ...(setCookies.length > 0 && { 'set-cookie': setCookies }) },
    body: Buffer.from(data, encoding === 'base64' ? 'base64' : 'utf8'),
  };
}

function splitPairs(text: string, separator: string): Values {
  const values: Values = {};
  if (text === '') return values;
  for (const pair of text.split(separator)) {
    const [name = '', ...rest] = pair.trim().split('=');
    if (name === '') continue;
    const value = rest.join('=');
    const known = Object.hasOwn(values, name) ? values[name] : undefined;
    if (known) known.multiValue = [...(known.multiValue ?? [{ value: known.value }]), { value }];
    else values[name] = { value };
  }
  return values;
}

function joinPairs(values: Values, separator: string): string {
  return Object.entries(values)
    .flatMap(([name, { value, multiValue }]) =>
      (multiValue ?? [{ value }]).map((one) => `${name}=${one.value}`),
    )
    .join(separator);
}
