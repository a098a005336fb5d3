import type { CacheBehavior, ResponseHeader } from '../assembly/assembly.ts';
import type { Cacheable } from './cache.ts';

/** A response on its way to the viewer, and where it came from. */
export interface ViewerResponse extends Cacheable {
  /** Value of X-Cache before ` from cloudfront`. */
  readonly source: 'Miss' | 'Hit' | 'Error' | 'FunctionGeneratedResponse' | 'FunctionExecutionError';
  readonly age?: number;
}

/** Headers that the edge sets, or that concern the connection to the origin. */
const edgeOwned = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
  'content-length',
  'via',
]);

/**
 * The response's headers after the response headers policy. AWS documents the policy only for responses from the cache
 * or the origin, so a function's own responses get none of its headers here.
 */
export function viewerHeaders({ headers, source }: ViewerResponse, behavior: CacheBehavior) {
  const { responseHeaders, removedHeaders } = behavior;
  const seen: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (edgeOwned.has(name) || removedHeaders.includes(name)) continue;
    seen[name] = typeof value === 'string' ? value : [...value];
  }
  const add = ({ name, value, override }: ResponseHeader) => {
    if (override || seen[name] === undefined) seen[name] = value;
  };
  if (source !== 'FunctionGeneratedResponse') responseHeaders.forEach(add);
  return seen;
}

/** CloudFront's own page. */
export function errorPage(statusCode: number, text: string): ViewerResponse {
  return {
    statusCode,
    headers: { 'content-type': 'text/html' },
    body: Buffer.from(
      `<HTML><HEAD><TITLE>ERROR</TITLE></HEAD><BODY><H1>${statusCode}</H1>${text}</BODY></HTML>\n`,
    ),
    source: 'Error',
  };
}
