import type { LambdaFunctionURLEvent, LambdaFunctionURLResult } from 'aws-lambda';
import { isbot } from 'isbot';
import { statusAt } from '../core/link.ts';
import { notFoundPage } from '../core/not-found-page.ts';
import { destination } from '../core/routing.ts';
import { type Click, findLink, projectOfHost, recordClick } from '../core/store/short-links.ts';
import { addressOf, platformOf, visitorHash } from '../core/visitor.ts';

const common = { 'Cache-Control': 'private, no-store', 'X-Robots-Tag': 'noindex, nofollow' };

const notFound = {
  statusCode: 404,
  headers: { ...common, 'Content-Type': 'text/html; charset=utf-8' },
  body: notFoundPage,
};

const methodNotAllowed = { statusCode: 405, headers: { ...common, Allow: 'GET, HEAD' }, body: '' };

/** How long a visitor waits for their click to be written. */
const clickDeadlineMs = 250;

const uniqueWindowSeconds = Number(process.env.UNIQUE_WINDOW_DAYS) * 86_400;

/** Sends a visitor of a short URL on, and counts the click. */
export const handler = async (event: LambdaFunctionURLEvent): Promise<LambdaFunctionURLResult> => {
  const { method } = event.requestContext.http;
  if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed;

  const now = new Date(event.requestContext.timeEpoch);
  const target = await targetOf(event);
  const link = target && (await findLink(target.project, target.code));
  if (!link || statusAt(link, now) !== 'ACTIVE') return notFound;

  const platform = platformOf(event.headers['user-agent'] ?? '');
  const url = destination(link.payload, platform);
  if (url === undefined) return notFound;
  if (isClick(event)) {
    await count({
      ...target,
      ...visitOf(event, target),
      platform,
      at: now,
      windowSeconds: uniqueWindowSeconds,
    });
  }
  return { statusCode: 302, headers: { ...common, Location: url }, body: '' };
};

const shortPath = /^\/(?:([a-z0-9-]{2,32})\/)?([A-Za-z0-9_-]{3,50})\/?$/;

/** The link that a short URL names: in its project's folder, or on a host that is the project's own. */
const targetOf = async (event: LambdaFunctionURLEvent) => {
  const [, folder, code] = shortPath.exec(event.rawPath) ?? [];
  if (code === undefined) return undefined;
  // Only the edge function sets this header; a viewer's own is overwritten there.
  const host = event.headers['x-forwarded-host'];
  const project = folder ?? (host && (await projectOfHost(host)));
  return project ? { project, code } : undefined;
};

/** A person's visit, and not a browser's or a machine's look ahead. */
const isClick = ({ headers, requestContext }: LambdaFunctionURLEvent): boolean =>
  requestContext.http.method === 'GET' &&
  !/prefetch|preview|prerender/i.test(`${headers['sec-purpose'] ?? ''} ${headers.purpose ?? ''}`) &&
  !isbot(headers['user-agent']);

const visitOf = (
  { headers, requestContext }: LambdaFunctionURLEvent,
  link: { project: string; code: string },
): Pick<Click, 'visitor' | 'clickId' | 'country'> => {
  const userAgent = headers['user-agent'] ?? '';
  const address = addressOf(headers['cloudfront-viewer-address'] ?? '');
  return {
    visitor: visitorHash(process.env.VISITOR_SECRET ?? '', { ...link, address, userAgent }),
    clickId: headers['x-amz-cf-id'] ?? requestContext.requestId,
    country: headers['cloudfront-viewer-country'] ?? 'other',
  };
};

/** A visitor is sent on even when the click can't be counted; what was lost is a metric. */
const count = async (click: Click): Promise<void> => {
  try {
    await recordClick(click, AbortSignal.timeout(clickDeadlineMs));
  } catch (error) {
    console.log(lostClick(error instanceof Error ? error.name : 'unknown'));
  }
};

/** CloudWatch's embedded metric format: a log line that becomes a metric. */
const lostClick = (reason: string) =>
  JSON.stringify({
    _aws: {
      Timestamp: Date.now(),
      CloudWatchMetrics: [
        { Namespace: 'DynamicLinks', Dimensions: [[]], Metrics: [{ Name: 'ClickLost', Unit: 'Count' }] },
      ],
    },
    ClickLost: 1,
    reason,
  });
