import type { LambdaFunctionURLEvent, LambdaFunctionURLResult } from 'aws-lambda';
import { visitorOf } from '../core/clicks/visitor.ts';
import { statusAt } from '../core/links/link.ts';
import { debugPage } from '../core/pages/debug-page.ts';
import { previewPage } from '../core/pages/preview-page.ts';
import { androidAssociation, appleAssociation } from '../core/short-urls/association.ts';
import { queryPairs } from '../core/short-urls/query.ts';
import { route } from '../core/short-urls/routing.ts';
import {
  debugParameter,
  readShortPath,
  type ShortPath,
  shortUrlOf,
  visitorQuery,
} from '../core/short-urls/short-address.ts';
import { findApps, findTarget, sharesOf } from '../core/short-urls/short-link-store.ts';
import { countVisit } from './count-visit.ts';
import { hostOf, htmlAnswer, notFoundAnswer, unindexed } from './short-answers.ts';

const methodNotAllowed = { statusCode: 405, headers: { ...unindexed, Allow: 'GET, HEAD' }, body: '' };

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

  const query = visitorQuery(rawQueryString);
  const shortUrl = shortUrlOf(path, {
    host: hostOf(event),
    scheme: headers['cloudfront-forwarded-proto'],
  });
  if (queryPairs(rawQueryString).includes(debugParameter)) {
    const apps = await findApps(target, ['ios', 'android']);
    return htmlAnswer(200, debugPage(target.link, apps, { shortUrl, query, now }));
  }

  // Side by side: the link is live, so the visit counts whatever its saved app says of the way.
  const { project, code, link } = target;
  const [apps] = await Promise.all([
    findApps(target, [visitor.platform]),
    countVisit(event, { project, code, visitor, now }),
  ]);
  const answer = route(link, apps, { visitor, shortUrl, query, now });
  if (answer.kind === 'not-found') return notFoundAnswer(event);
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
