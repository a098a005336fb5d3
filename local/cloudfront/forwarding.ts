import type { CacheBehavior, ForwardedParts, Origin } from '../assembly/assembly.ts';
import { edgeHeaders, type ViewerRequest } from './viewer.ts';

interface OriginRequest {
  readonly query: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Headers that reach every custom origin, regardless of policies. */
const alwaysForwarded = [
  'content-length',
  'content-md5',
  'content-type',
  'date',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'pragma',
  'range',
];
/** Headers that never reach an origin as the viewer sent them. */
const neverForwarded = new Set([
  'connection',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-real-ip',
]);

export type Forward = (viewer: ViewerRequest, origin: Origin) => OriginRequest;

/** Selects the parts of a viewer's request that reach the origin, by the cache and origin request policies. */
export function createForwarding({ cache, originRequest }: CacheBehavior): Forward {
  const selectHeaders = headerSelector(cache.headers, originRequest.headers);
  const selectQuery = pairSelector('&', cache.queryStrings, originRequest.queryStrings);
  const selectCookies = pairSelector('; ', cache.cookies, originRequest.cookies);
  return (viewer, origin) => {
    const headers = selectHeaders(viewer);
    const { cookie, 'x-forwarded-for': passedOn } = viewer.headers;
    const cookies = cookie === undefined ? '' : selectCookies(cookie);
    delete headers.cookie;
    if (cookies) headers.cookie = cookies;
    headers['user-agent'] ??= 'Amazon CloudFront';
    headers['x-amz-cf-id'] = viewer.id;
    headers.via = '1.1 local.cloudfront.net (CloudFront)';
    headers['x-forwarded-for'] = passedOn ? `${passedOn}, ${viewer.ip}` : viewer.ip;
    return {
      query: selectQuery(viewer.query),
      headers: { ...headers, ...origin.headers, host: origin.host },
    };
  };
}

/** The part of a request that distinguishes cached objects. */
export function createCacheKey(policy: ForwardedParts): (viewer: ViewerRequest) => string {
  const selectQuery = pairSelector('&', policy.queryStrings);
  const selectCookies = pairSelector('; ', policy.cookies);
  const names = policy.headers === 'all' ? [] : policy.headers.map((name) => name.toLowerCase());
  return (viewer) =>
    [
      viewer.uri,
      selectQuery(viewer.query),
      selectCookies(viewer.headers.cookie ?? ''),
      ...names.map((name) => viewerHeader(viewer, name) ?? ''),
    ].join('\n');
}

/** One header at the edge: CloudFront's own or the viewer's. */
export function viewerHeader(viewer: ViewerRequest, name: string): string | undefined {
  return edgeHeaders.get(name)?.(viewer) ?? viewer.headers[name];
}

function headerSelector(...lists: readonly ('all' | readonly string[])[]) {
  if (lists.includes('all')) {
    return (viewer: ViewerRequest): Record<string, string> => {
      const headers = Object.fromEntries(
        Object.entries(viewer.headers).filter(([name]) => !neverForwarded.has(name)),
      );
      for (const [name, value] of edgeHeaders) {
        const said = value(viewer);
        if (said !== undefined) headers[name] = said;
      }
      return headers;
    };
  }
  const listed = lists.flatMap((list) => [...list]).map((name) => name.toLowerCase());
  const names = [...new Set([...alwaysForwarded, ...listed])].filter((name) => !neverForwarded.has(name));
  return (viewer: ViewerRequest): Record<string, string> => {
    const headers: Record<string, string> = {};
    for (const name of names) {
      const value = viewerHeader(viewer, name);
      if (value !== undefined) headers[name] = value;
    }
    return headers;
  };
}

function pairSelector(separator: string, ...lists: readonly ('all' | readonly string[])[]) {
  if (lists.includes('all')) return (text: string) => text;
  const names = new Set(lists.flatMap((list) => [...list]));
  if (names.size === 0) return () => '';
  return (text: string) =>
    text
      .split(separator.trim())
      .map((pair) => pair.trim())
      .filter((pair) => names.has(pair.split('=', 1)[0] ?? ''))
      .join(separator);
}
