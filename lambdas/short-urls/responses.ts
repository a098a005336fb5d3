import type { LambdaFunctionURLEvent, LambdaFunctionURLResult } from 'aws-lambda';
import { limits } from '../../core/base/limits.ts';
import { type ShortPath, shortUrlOf } from '../../core/hosts/short-address.ts';
import type { HtmlPage } from '../../core/pages/html.ts';
import { notFoundJson, notFoundPage } from '../../core/pages/notice-page.ts';
import { pageMessages } from '../../core/pages/page-language.ts';
import { withoutPort } from '../../core/visits/visitor-identity.ts';

/**
 * Headers of all responses: no caching, because a change of a link applies to the next visitor, and no indexing,
 * because search engines should index the destination.
 */
export const unindexed = { 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex, nofollow' };

export const htmlResponse = (statusCode: number, page: HtmlPage): LambdaFunctionURLResult => ({
  statusCode,
  headers: { ...unindexed, ...page.headers },
  body: page.html,
});

export const jsonResponse = (statusCode: number, json: string) => ({
  statusCode,
  headers: { ...unindexed, 'Content-Type': 'application/json' },
  body: json,
});

export interface Abuse {
  /** The contact for reporting harmful links: an https or mailto address. */
  readonly abuseContact?: string | undefined;
}

/**
 * The response if no link is found, the same for every reason, so that nobody learns which codes exist, except that paused
 * and expired links have QR codes. `onward`, the
 * host's alternative address, depends only on the host; the language depends on the visitor.
 */
export const notFound = async (
  { abuseContact }: Abuse,
  { headers }: LambdaFunctionURLEvent,
  onward?: string,
): Promise<LambdaFunctionURLResult> => {
  const accepted = headers.accept ?? '';
  const wantsJson = /\bapplication\/json\b/i.test(accepted) && !/\btext\/html\b/i.test(accepted);
  if (wantsJson) return jsonResponse(404, notFoundJson);
  return htmlResponse(
    404,
    notFoundPage(abuseContact, onward, await pageMessages(headers['accept-language'])),
  );
};

/** The visitor's host. The edge function sets this header and overrides the visitor's. */
export const hostOf = ({ headers }: LambdaFunctionURLEvent): string => headers['x-forwarded-host'] ?? '';

/** The visitor's user agent, cut to the limit; empty if there is none. */
export const userAgentOf = ({ headers }: LambdaFunctionURLEvent): string =>
  (headers['user-agent'] ?? '').slice(0, limits.userAgent);

/** The address and user agent that identify a visitor. */
export const identityOf = (event: LambdaFunctionURLEvent) => ({
  address: withoutPort(event.headers['cloudfront-viewer-address'] ?? ''),
  userAgent: userAgentOf(event),
});

/** A visit's id, the same for each try of CloudFront. The edge function overrides a visitor's `x-visit-id`. */
export const visitIdOf = ({ headers, requestContext }: LambdaFunctionURLEvent): string =>
  headers['x-visit-id'] ?? headers['x-amz-cf-id'] ?? requestContext.requestId;

/** The viewer's scheme; only the local edge uses http. */
export const schemeOf = ({ headers }: LambdaFunctionURLEvent): string =>
  headers['cloudfront-forwarded-proto'] === 'http' ? 'http' : 'https';

/** The short URL of a request, as the visitor opened it. */
export const shortUrlAsked = (
  event: LambdaFunctionURLEvent,
  path: Pick<ShortPath, 'folder' | 'code'>,
): string => shortUrlOf(path, { host: hostOf(event), scheme: schemeOf(event) });
