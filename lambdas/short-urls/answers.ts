import type { LambdaFunctionURLEvent, LambdaFunctionURLResult } from 'aws-lambda';
import { limits } from '../../core/base/limits.ts';
import { type ShortPath, shortUrlOf } from '../../core/hosts/short-address.ts';
import type { HtmlPage } from '../../core/pages/html.ts';
import { notFoundJson, notFoundPage } from '../../core/pages/notice-page.ts';
import { pageWords } from '../../core/pages/page-language.ts';
import type { Granted } from '../../core/stores.ts';
import { addressOf } from '../../core/visits/visitor-identity.ts';

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

const notFoundForPrograms = {
  statusCode: 404,
  headers: { ...unindexed, 'Content-Type': 'application/json' },
  body: notFoundJson,
};

/** The responses where no link is; the page shows where people report abuse, if the deployment says so. */
export const notFoundAnswers = ({ abuseContact }: Abuse = {}) => {
  const pages = new Map<string, LambdaFunctionURLResult>();

  /**
   * One response for every reason, so that nobody learns which codes exist. `onward` depends only on the host, the
   * language on the visitor.
   */
  const notFound = async (
    { headers }: LambdaFunctionURLEvent,
    onward?: string,
  ): Promise<LambdaFunctionURLResult> => {
    const accepted = headers.accept ?? '';
    const wantsJson = /\bapplication\/json\b/i.test(accepted) && !/\btext\/html\b/i.test(accepted);
    if (wantsJson) return notFoundForPrograms;
    const words = await pageWords(headers['accept-language']);
    if (onward !== undefined) return htmlAnswer(404, notFoundPage(abuseContact, onward, words));
    const page = pages.get(words.language) ?? htmlAnswer(404, notFoundPage(abuseContact, undefined, words));
    pages.set(words.language, page);
    return page;
  };

  /** The same with what the host offers its visitors instead. */
  const notFoundOnHost = async ({ addresses }: HostReader, event: LambdaFunctionURLEvent) =>
    notFound(event, (await addresses(hostOf(event))).notFound);

  return { notFound, notFoundOnHost };
};

export interface Abuse {
  /** Where people report a link that does harm: an https or mailto address. */
  readonly abuseContact?: string | undefined;
}

type HostReader = Granted<'shortLinks.addresses'>['shortLinks'];

/** The visitor's host. Only the edge function sets this header, and it overrides the visitor's. */
export const hostOf = ({ headers }: LambdaFunctionURLEvent): string => headers['x-forwarded-host'] ?? '';

/** What is read of the visitor's user agent, empty if there is none. */
export const userAgentOf = ({ headers }: LambdaFunctionURLEvent): string =>
  (headers['user-agent'] ?? '').slice(0, limits.userAgent);

/** What tells one visitor from another. */
export const identityOf = (event: LambdaFunctionURLEvent) => ({
  address: addressOf(event.headers['cloudfront-viewer-address'] ?? ''),
  userAgent: userAgentOf(event),
});

/** Viewers use https; only the local edge uses http. */
export const schemeOf = ({ headers }: LambdaFunctionURLEvent): string =>
  headers['cloudfront-forwarded-proto'] === 'http' ? 'http' : 'https';

/** The short URL of a request, as its visitor knows it. */
export const shortUrlAsked = (
  event: LambdaFunctionURLEvent,
  path: Pick<ShortPath, 'folder' | 'code'>,
): string => shortUrlOf(path, { host: hostOf(event), scheme: event.headers['cloudfront-forwarded-proto'] });
