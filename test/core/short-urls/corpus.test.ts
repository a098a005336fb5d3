import { visitorQuery } from '../../../core/hosts/short-address.ts';
import { type Interstitial, interstitialOf, mayBeIpad } from '../../../core/short-urls/interstitial.ts';
import { type Route, route } from '../../../core/short-urls/routing.ts';
import { inAppBrowserOf } from '../../../core/visits/in-app-browsers.ts';
import { visitorOf } from '../../../core/visits/visitor.ts';
import {
  expectedOf,
  type Gets,
  isAsExpected,
  linkShapes,
  type ShapeKind,
  shapeKinds,
} from '../../../ops/conformance/corpus.ts';

const shortUrl = 'https://go.example.com/launch';
const everyVisitor = shapeKinds.flatMap((sort) => sort.userAgents.map((userAgent) => ({ sort, userAgent })));

test('the corpus has at least 150 user agents, each once, and each group has its source', () => {
  const userAgents = everyVisitor.map(({ userAgent }) => userAgent);
  expect(userAgents.length).toBeGreaterThanOrEqual(150);
  expect(new Set(userAgents).size).toBe(userAgents.length);
  for (const { source } of shapeKinds) expect(source).not.toBe('');
});

test.each(shapeKinds.map((sort): [string, ShapeKind] => [sort.group, sort]))(
  '%s are recognised',
  (_, sort) => {
    const { kind, platform, trait } = sort;
    const got = sort.userAgents.map((userAgent) => {
      const visitor = visitorOf(userAgent);
      const isInApp = visitor.platform !== 'web' && inAppBrowserOf(userAgent) !== undefined;
      const seen = mayBeIpad(visitor, userAgent) ? 'mac-or-ipad' : isInApp ? 'in-app' : undefined;
      return { userAgent, kind: visitor.kind, platform: visitor.platform, trait: seen };
    });
    expect(got).toEqual(sort.userAgents.map((userAgent) => ({ userAgent, kind, platform, trait })));
  },
);

test.each(linkShapes.map((shape) => [shape.name, shape] as const))('%s', (_, shape) => {
  const { payload, apps = {}, deletedApps = [] } = shape;
  const query = visitorQuery(shape.query ?? '');
  const link = {
    status: 'ACTIVE',
    payload: {
      ...payload,
      ...((apps.ios || deletedApps.includes('ios')) && { iosAppId: 'an-ios-app' }),
      ...((apps.android || deletedApps.includes('android')) && { androidAppId: 'an-android-app' }),
    },
  } as const;
  const existing = {
    ...(apps.ios && { ios: { appStoreId: null, appStoreFallback: null, ...apps.ios } }),
    ...(apps.android && { android: { packageName: null, playStoreFallback: null, ...apps.android } }),
  };
  const answers = everyVisitor.map(({ sort, userAgent }) => {
    const visitor = visitorOf(userAgent);
    const arrival = { visitor, userAgent, shortUrl, query, now: new Date() };
    const got = summary(interstitialOf(link, existing, arrival) ?? route(link, existing, arrival));
    return { userAgent, expected: expectedOf(shape, sort, shortUrl), got };
  });
  expect(answers.filter(({ expected, got }) => !isAsExpected(got, expected))).toEqual([]);
});

const summary = (answer: Interstitial | Route): Gets | undefined => {
  if ('sections' in answer)
    return { page: answer.sections.flatMap(({ buttons }) => buttons.map(({ url }) => url)) };
  if (answer.kind === 'redirect') return answer.url;
  // The page shows the destination's host where the link has no title.
  return answer.kind === 'preview'
    ? { preview: answer.preview.title ?? new URL(answer.url).host }
    : undefined;
};
