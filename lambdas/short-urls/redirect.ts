import type { LambdaFunctionURLEvent, LambdaFunctionURLResult } from 'aws-lambda';
import { queryPairs } from '../../core/base/query.ts';
import type { UsesOf } from '../../core/functions.ts';
import {
  debugParameter,
  qrParameter,
  readShortPath,
  type ShortPath,
  visitorQuery,
} from '../../core/hosts/short-address.ts';
import { interstitialPage } from '../../core/pages/interstitial-page.ts';
import { pageMessages } from '../../core/pages/page-language.ts';
import { previewPage } from '../../core/pages/preview-page.ts';
import { preferredLanguage } from '../../core/rules/language.ts';
import {
  type BrowserArrival,
  interstitialOf,
  mayGetPage,
  platformsOf,
} from '../../core/short-urls/interstitial.ts';
import { leadsAnyway, route, ruleFor } from '../../core/short-urls/routing.ts';
import { isLive } from '../../core/short-urls/short-link-store.ts';
import type { Granted } from '../../core/stores.ts';
import { visitorOf } from '../../core/visits/visitor.ts';
import { visitorNumber } from '../../core/visits/visitor-identity.ts';
import { busyPageResponse, type Handler, orBusy } from './busy.ts';
import { type Counting, type CountVisit, type VisitedLink, visitCounter } from './count-visit.ts';
import {
  type Abuse,
  hostOf,
  htmlResponse,
  identityOf,
  notFound,
  shortUrlAsked,
  unindexed,
  userAgentOf,
} from './responses.ts';

export interface RedirectProps extends Counting, Abuse {
  readonly stores: Granted<UsesOf<'redirect'>>;
}

/** A visitor of a live link. */
interface Visit extends BrowserArrival, VisitedLink {
  readonly event: LambdaFunctionURLEvent;
}

const redirectTo = (url: string) => ({ statusCode: 302, headers: { ...unindexed, Location: url }, body: '' });
const methodNotAllowed = { statusCode: 405, headers: { ...unindexed, Allow: 'GET, HEAD' }, body: '' };

/** Responds to visitors of short URLs and counts clicks. */
export const redirect = (props: RedirectProps): Handler => {
  const { shortLinks } = props.stores;
  const countVisit = visitCounter(props.stores, props);

  const visit = async (event: LambdaFunctionURLEvent, path: ShortPath): Promise<LambdaFunctionURLResult> => {
    const now = new Date(event.requestContext.timeEpoch);
    const foundLink = await shortLinks.find(path, hostOf(event));
    // A link that isn't live causes no further read, so that its response takes as long as an unknown link's.
    if (!foundLink || !isLive(foundLink, now)) return showNotFound(event, props);
    const { project, code, link } = foundLink;
    const asked = queryPairs(event.rawQueryString);
    const arrival = {
      visitor: visitorOf(userAgentOf(event)),
      shortUrl: shortUrlAsked(event, path),
      query: visitorQuery(event.rawQueryString),
      now,
    };
    const decision =
      link.payload.rules &&
      ruleFor(
        link,
        {
          ...arrival,
          country: event.headers['cloudfront-viewer-country'],
          language: preferredLanguage(event.headers['accept-language']),
          numberOf: (rule) =>
            visitorNumber(props.visitorSecret, { project, code, ...identityOf(event) }, rule),
        },
        arrival.shortUrl,
      );
    const answer = asked.includes(debugParameter) ? showDebugPage : sendVisitorOn;
    return answer(
      {
        ...arrival,
        event,
        foundLink,
        userAgent: userAgentOf(event),
        trigger: asked.includes(qrParameter) ? 'qr' : 'link',
        decision,
      },
      props,
      countVisit,
    );
  };

  /** Redirects `/` to the host's address. There is no link, so nothing is counted. */
  const visitRoot = async (event: LambdaFunctionURLEvent): Promise<LambdaFunctionURLResult> => {
    const { root, notFound: onward } = await shortLinks.addresses(hostOf(event));
    return root === undefined ? notFound(props, event, onward) : redirectTo(root);
  };

  return orBusy(busyPageResponse, async (event) => {
    const { method } = event.requestContext.http;
    if (method !== 'GET' && method !== 'HEAD') return methodNotAllowed;
    if (event.rawPath === '/') return visitRoot(event);
    const path = readShortPath(event.rawPath);
    return !path || path.file ? notFound(props, event) : visit(event, path);
  });
};

const showNotFound = async (event: LambdaFunctionURLEvent, props: RedirectProps) =>
  notFound(props, event, (await props.stores.shortLinks.addresses(hostOf(event))).notFound);

/** Sends a visitor to the link's address, and counts the visit unless there is none. */
const sendVisitorOn = async (visit: Visit, props: RedirectProps, countVisit: CountVisit) => {
  const { event, foundLink, shortUrl, decision } = visit;
  const { link } = foundLink;
  const platforms = platformsOf(link, visit);
  const reading = platforms.length > 0 ? props.stores.shortLinks.apps(foundLink, platforms) : undefined;
  const styling = mayGetPage(link, visit) ? props.stores.shortLinks.recentStyle(foundLink) : undefined;
  // Reading and counting run in parallel, unless only the app decides whether the visit counts.
  const counting = reading && leadsAnyway(link, visit) ? countVisit(event, visit) : undefined;
  const apps = (await reading) ?? {};
  const answer = route(link, apps, visit);
  if (answer.kind === 'not-found') return showNotFound(event, props);
  await (counting ?? countVisit(event, visit));
  const page = decision ? undefined : interstitialOf(link, apps, visit);
  if (page) {
    const text = await pageMessages(event.headers['accept-language']);
    const { abuseContact } = props;
    return htmlResponse(200, interstitialPage(page, { abuseContact, brand: await styling, text }));
  }
  return answer.kind === 'preview'
    ? htmlResponse(200, previewPage(answer.preview, { shortUrl, destination: answer.url }))
    : redirectTo(answer.url);
};

/** Shows the debug page. It isn't a click, but counts as an excluded visit. */
const showDebugPage = async (
  visit: Visit,
  { stores: { shortLinks }, abuseContact }: RedirectProps,
  countVisit: CountVisit,
): Promise<LambdaFunctionURLResult> => {
  const { event, foundLink, shortUrl, query, now, decision } = visit;
  const [{ debugPage }, apps, association] = await Promise.all([
    // Loaded on demand, because few visitors open this page.
    import('../../core/pages/debug-page.ts'),
    shortLinks.apps(foundLink, ['ios', 'android']),
    shortLinks.association(foundLink),
    countVisit(event, { ...visit, debug: true }),
  ]);
  const { link } = foundLink;
  return htmlResponse(
    200,
    debugPage({ link, apps, association, shortUrl, query, now, decision, abuseContact }),
  );
};
