import type { LambdaFunctionURLEvent, LambdaFunctionURLResult } from 'aws-lambda';
import { androidAssociation, appleAssociation } from '../core/association.ts';
import { debugPage } from '../core/debug-page.ts';
import { statusAt } from '../core/link.ts';
import { previewPage } from '../core/preview-page.ts';
import { queryPairs } from '../core/query.ts';
import { route } from '../core/routing.ts';
import { debugParameter, readShortPath, type ShortPath, shortUrlOf } from '../core/short-address.ts';
import { type Click, findApps, findTarget, recordClick, sharesOf } from '../core/store/short-links.ts';
import { classifyVisit, purposeHeaders } from '../core/visit.ts';
import { addressOf, visitorHash, visitorOf } from '../core/visitor.ts';
import { countMetric } from './log.ts';
import { hostOf, htmlAnswer, notFoundAnswer, unindexed } from './short-answers.ts';

const methodNotAllowed = { statusCode: 405, headers: { ...unindexed, Allow: 'GET, HEAD' }, body: '' };

/** How long a visitor waits for their click to be written. */
const clickDeadlineMs = 250;

const uniqueWindowSeconds = Number(process.env.UNIQUE_WINDOW_DAYS) * 86_400;

/** Gives visitors of short URLs what is meant for them, and counts the clicks. */
export const handler = async (event: LambdaFunctionURLEvent): Promise<LambdaFunctionURLResult> => {
  const { method } = event.requestContext.http;
  if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed;
  const path = readShortPath(event.rawPath);
  if (path && !path.qr) return visit(event, path);
  return (await associationFile(event)) ?? notFoundAnswer(event);
};

const visit = async (event: LambdaFunctionURLEvent, path: ShortPath): Promise<LambdaFunctionURLResult> => {
  const { headers, requestContext, rawQueryString } = event;
  const now = new Date(requestContext.timeEpoch);
  const visitor = visitorOf(headers['user-agent'] ?? '');
  const target = await findTarget(path, hostOf(event));
  // What is not live costs no further read, so that its answer takes no longer than an unknown link's.
  if (!target || statusAt(target.link, now) !== 'ACTIVE') return notFoundAnswer(event);

  const query = queryPairs(rawQueryString);
  const shortUrl = shortUrlOf(path, {
    host: hostOf(event),
    scheme: headers['cloudfront-forwarded-proto'],
  });
  if (query.includes(debugParameter)) {
    const passedOn = query.filter((pair) => pair !== debugParameter).join('&');
    const apps = await findApps(target, ['ios', 'android']);
    return htmlAnswer(200, debugPage(target.link, apps, { shortUrl, query: passedOn, now }));
  }

  const apps = await findApps(target, [visitor.platform]);
  const answer = route(target.link, apps, { visitor, query: rawQueryString, now });
  if (answer.kind === 'not-found') return notFoundAnswer(event);
  const purposes = purposeHeaders.map((name) => headers[name]);
  if (classifyVisit({ method: requestContext.http.method, visitor, purposes }).kind === 'person') {
    await count({
      project: target.project,
      code: target.code,
      ...visitOf(event, target),
      platform: visitor.platform,
      at: now,
      windowSeconds: uniqueWindowSeconds,
    });
  }
  return answer.kind === 'preview'
    ? htmlAnswer(200, previewPage(answer.preview, { shortUrl, destination: answer.url }))
    : { statusCode: 302, headers: { ...unindexed, Location: answer.url }, body: '' };
};

const associationPath =
  /^\/(?:\.well-known\/(?:(apple)-app-site-association|assetlinks\.json)|(apple)-app-site-association)$/;

/** The files by which phones learn that an installed app opens a host's addresses. Minutes old at most. */
const associationFile = async (
  event: LambdaFunctionURLEvent,
): Promise<LambdaFunctionURLResult | undefined> => {
  const found = associationPath.exec(event.rawPath);
  if (!found) return undefined;
  const shares = await sharesOf(hostOf(event));
  return {
    statusCode: 200,
    headers: { 'Content-Type': 'application/json', 'Cache-Control': 'public, max-age=300' },
    body: JSON.stringify(found[1] || found[2] ? appleAssociation(shares) : androidAssociation(shares)),
  };
};

const visitOf = (
  { headers, requestContext }: LambdaFunctionURLEvent,
  { project, code }: { project: string; code: string },
): Pick<Click, 'visitor' | 'clickId' | 'country'> => {
  const userAgent = headers['user-agent'] ?? '';
  const address = addressOf(headers['cloudfront-viewer-address'] ?? '');
  return {
    visitor: visitorHash(process.env.VISITOR_SECRET ?? '', { project, code, address, userAgent }),
    clickId: headers['x-amz-cf-id'] ?? requestContext.requestId,
    country: headers['cloudfront-viewer-country'] ?? 'other',
  };
};

/** A visitor is sent on even when the click can't be counted; what was lost is a metric. */
const count = async (click: Click): Promise<void> => {
  try {
    await recordClick(click, AbortSignal.timeout(clickDeadlineMs));
  } catch (error) {
    const { project, code } = click;
    countMetric('ClickLost', { project, code, reason: error instanceof Error ? error.name : String(error) });
  }
};
