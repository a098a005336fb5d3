import { eachOf } from '../../core/base/each-of.ts';
import { type ApiAccess, apiClient, type SendRequest } from '../base/api-client.ts';
import {
  codeOf,
  expectedOf,
  isAsExpected,
  type LinkShape,
  linkShapes,
  type SavedApp,
  shapeKinds,
} from './corpus.ts';
import { follow } from './visit.ts';

export interface Examined {
  /** Base of short URLs, before `/{code}`. By default the API's. */
  readonly base?: string | undefined;
  /** The API that creates the corpus' links with their saved apps, and deletes them. Without it, they must exist under the corpus' codes. */
  readonly api?: ApiAccess | undefined;
}

/** Shapes that distinguish all kinds of visitors. Every user agent visits these, and one of each sort the others. */
const distinguishing = new Set([
  'everything at once',
  'identifiers of both apps',
  'a page where a redirect would fail',
]);
const atOnce = 16;

interface Published {
  readonly shape: LinkShape;
  readonly shortUrl: string;
}

/** Visits the corpus' links as every visitor of the corpus. Each visit that differs from the corpus has a line. */
export const examine = async ({ base, api }: Examined) => {
  /** Paths of the links and saved apps that exist because of this call. */
  const created: string[] = [];
  const send = api && apiClient(api);
  try {
    const made = await inTurns(linkShapes, async (shape): Promise<Published> => {
      if (!send) return { shape, shortUrl: `${base}/${codeOf(shape)}` };
      const { code, shortUrl } = await publish(send, shape, created);
      return { shape, shortUrl: base === undefined ? shortUrl : `${base}/${code}` };
    });
    return await visitAll(made);
  } finally {
    await inTurns(created, async (path) => send?.('DELETE', path));
  }
};

const visitAll = async (made: readonly Published[]) => {
  const visits = made.flatMap((published) =>
    shapeKinds.flatMap((sort) => {
      const { userAgents } = sort;
      const visitors = distinguishing.has(published.shape.name) ? userAgents : userAgents.slice(0, 1);
      return visitors.map((userAgent) => ({ ...published, sort, userAgent }));
    }),
  );
  const wrong = await inTurns(visits, async ({ shape, shortUrl, sort, userAgent }) => {
    const got = await follow(`${shortUrl}${shape.query ? `?${shape.query}` : ''}`, userAgent);
    const expected = expectedOf(shape, sort, shortUrl);
    return isAsExpected(got, expected)
      ? []
      : [`${shape.name}, as ${userAgent}: ${JSON.stringify(got)}, not ${JSON.stringify(expected)}`];
  });
  return { visits: visits.length, wrong: wrong.flat() };
};

/** Runs a few jobs at once; returns the results in the order of the values. */
const inTurns = async <Value, Result>(values: readonly Value[], work: (value: Value) => Promise<Result>) => {
  const results: Result[] = [];
  await eachOf(values.entries(), atOnce, async ([index, value]) => {
    results[index] = await work(value);
  });
  return results;
};

const publish = async (
  send: SendRequest,
  { payload, apps = {}, deletedApps = [] }: LinkShape,
  created: string[],
) => {
  const appOf = async (platform: 'ios' | 'android') => {
    const identifier = platform === 'ios' ? 'bundleId' : 'packageName';
    const settings: SavedApp | undefined =
      apps[platform] ?? (deletedApps.includes(platform) ? { [identifier]: 'com.example.gone' } : undefined);
    if (!settings) return undefined;
    const body = { name: 'Conformance', platform: platform.toUpperCase(), ...settings };
    const { id } = await send('POST', '/mobile-apps', body);
    if (apps[platform]) created.push(`/mobile-apps/${id}`);
    return id;
  };
  const [ios, android] = [await appOf('ios'), await appOf('android')];
  const link = await send('POST', '/links', {
    payload: { ...payload, ...(ios && { iosAppId: ios }), ...(android && { androidAppId: android }) },
  });
  created.push(`/links/${link.code}`);
  const ids = { ios, android };
  for (const platform of deletedApps) await send('DELETE', `/mobile-apps/${ids[platform]}`);
  return link;
};

/**
 * The corpus' links as lines of JSON for `dls link import`. Deleted apps are left out, as if the link had never named
 * them.
 */
export const linkRows = (): string[] =>
  linkShapes.map((shape) => {
    const { name, payload, apps: { ios, android } = {} } = shape;
    const [iosAppId, androidAppId] = [`${codeOf(shape)}-ios`, `${codeOf(shape)}-android`];
    const apps = [
      ...(ios ? [{ id: iosAppId, platform: 'IOS', name: 'Conformance', ...ios }] : []),
      ...(android ? [{ id: androidAppId, platform: 'ANDROID', name: 'Conformance', ...android }] : []),
    ];
    const ids = { ...(ios && { iosAppId }), ...(android && { androidAppId }) };
    return JSON.stringify({
      code: codeOf(shape),
      name,
      payload: { ...payload, ...ids },
      ...(apps.length > 0 && { apps }),
    });
  });
