import type { LambdaFunctionURLEvent, LambdaFunctionURLResult } from 'aws-lambda';
import { limits } from '../../core/base/limits.ts';
import { type ShortPath, shortUrlOf } from '../../core/hosts/short-address.ts';
import type { HtmlPage } from '../../core/pages/html.ts';
import { notFoundJson, notFoundPage } from '../../core/pages/notice-page.ts';
import { pageWords } from '../../core/pages/page-language.ts';
import { withoutPort } from '../../core/visits/visitor-identity.ts';

/**
 * Never cache: a change to a link must be visible to the next visitor. Search engines should index the
 * destination.
 */
export const unindexed = { 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex, nofollow' };

export const htmlAnswer = (statusCode: number, page: HtmlPage): LambdaFunctionURLResult => ({
  statusCode,
  headers: { ...unindexed, ...page.headers },
  body: page.html,
});

export const jsonAnswer = (statusCode: number, json: string) => ({
  statusCode,
  headers: { ...unindexed, 'Content-Type': 'application/json' },
  body: json,
});

export interface Abuse {
  /** Where people report a link that does harm: an https or mailto address, which the page shows. */
  readonly abuseContact?: string | undefined;
}

/**
 * The one response where no link is, whatever the reason, so that nobody learns which codes exist. `onward`, what the host
 * offers its visitors instead, depends only on the host, the language on the visitor.
 */
export const notFound = async (
  { abuseContact }: Abuse,
  { headers }: LambdaFunctionURLEvent,
  onward?: string,
): Promise<LambdaFunctionURLResult> => {
  const accepted = headers.accept ?? '';
  const wantsJson = /\bapplication\/json\b/i.test(accepted) && !/\btext\/html\b/i.test(accepted);
  if (wantsJson) return jsonAnswer(404, notFoundJson);
  return htmlAnswer(404, notFoundPage(abuseContact, onward, await pageWords(headers['accept-language'])));
};

/** The visitor's host. Only the edge function sets this header, and it overrides the visitor's. */
export const hostOf = ({ headers }: LambdaFunctionURLEvent): string => headers['x-forwarded-host'] ?? '';

/** What is read of the visitor's user agent, empty if there is none. */
export const userAgentOf = ({ headers }: LambdaFunctionURLEvent): string =>
  (headers['user-agent'] ?? '').slice(0, limits.userAgent);

/** What tells one visitor from another. */
export const identityOf = (event: LambdaFunctionURLEvent) => ({
  address: withoutPort(event.headers['cloudfront-viewer-address'] ?? ''),
  userAgent: userAgentOf(event),
});

/** Names a visit, also where its request comes again. */
export const visitIdOf = ({ headers, requestContext }: LambdaFunctionURLEvent): string =>
  headers['x-amz-cf-id'] ?? requestContext.requestId;

/** Viewers use https; only the local edge uses http. */
export const schemeOf = ({ headers }: LambdaFunctionURLEvent): string =>
  headers['cloudfront-forwarded-proto'] === 'http' ? 'http' : 'https';

/** The short URL of a request, as its visitor knows it. */
export const shortUrlAsked = (
  event: LambdaFunctionURLEvent,
  path: Pick<ShortPath, 'folder' | 'code'>,
): string => shortUrlOf(path, { host: hostOf(event), scheme: schemeOf(event) });
