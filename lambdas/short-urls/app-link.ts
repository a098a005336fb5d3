import { withoutNames } from '../../core/base/query.ts';
import type { UsesOf } from '../../core/functions.ts';
import { readShortPath, visitorQuery } from '../../core/hosts/short-address.ts';
import { appLinkOf } from '../../core/short-urls/app-link.ts';
import { isLive } from '../../core/short-urls/short-link-store.ts';
import type { Granted } from '../../core/stores.ts';
import { busyJsonResponse, orBusy } from './busy.ts';
import { type OpenCounting, openCounter } from './count-open.ts';
import { hostOf, jsonResponse, schemeOf, shortUrlAsked } from './responses.ts';

/* link.json and open.json need no key: a key in an app is no secret. */

export interface AppLinkProps extends OpenCounting {
  readonly stores: Granted<UsesOf<'app-link'>>;
}

/** The response if no link is found, the same for every reason, as for visitors. */
const notFound = jsonResponse(404, '{"error":"This link does not lead anywhere"}');
const badPlatform = jsonResponse(400, '{"error":"platform must be ios or android, once"}');
const badOpenId = jsonResponse(
  400,
  '{"error":"openId must be 16 to 64 letters, digits, hyphens or underscores, once"}',
);

/** Returns a short URL's destination and data to an app; `open.json` also counts an open. */
export const appLink = ({ stores, ...counting }: AppLinkProps) => {
  const countOpen = openCounter(stores, counting);
  return orBusy(busyJsonResponse, async (event) => {
    const path = readShortPath(event.rawPath);
    const isOpen = path?.file === 'open.json';
    if (!path || !(isOpen || path.file === 'link.json')) return notFound;
    const now = new Date(event.requestContext.timeEpoch);
    const foundLink = await stores.shortLinks.find(path, hostOf(event));
    if (!foundLink || !isLive(foundLink, now)) return notFound;
    const opening = isOpen ? readOpening(event.rawQueryString) : undefined;
    if (opening && 'statusCode' in opening) return opening;
    const query = opening?.query ?? event.rawQueryString;
    const { project, code } = foundLink;
    const [apps, base] = await Promise.all([
      stores.shortLinks.apps(foundLink, ['ios', 'android']),
      stores.shortLinks.base(foundLink, { host: hostOf(event), scheme: schemeOf(event) }),
    ]);
    const found = appLinkOf(foundLink, apps, {
      shown: `${base}/${code}`,
      shortUrl: shortUrlAsked(event, path),
      query: visitorQuery(query),
      now,
    });
    if (!found) return notFound;
    const { groups } = foundLink.link;
    if (opening) await countOpen(event, { project, code, groups, ...opening.counts, at: now });
    return jsonResponse(200, JSON.stringify(found));
  });
};

/** Parses the query of an open: the values to count and the remaining query, or the response to an invalid one. */
const readOpening = (query: string) => {
  const parameters = new URLSearchParams(query);
  const [platform, ...others] = parameters.getAll('platform');
  if ((platform !== 'ios' && platform !== 'android') || others.length > 0) return badPlatform;
  const [openId, ...moreIds] = parameters.getAll('openId');
  if (moreIds.length > 0 || (openId !== undefined && !/^[\w-]{16,64}$/.test(openId))) return badOpenId;
  const isFirst = parameters.getAll('first').join() === 'true';
  return {
    counts: { platform, isFirst, openId } as const,
    query: withoutNames(query, ['platform', 'first', 'openId']),
  };
};
