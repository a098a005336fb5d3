import { setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { visitorReads } from '../../core/cached-reads/visitor-reads.ts';
import { shortLinkStore } from '../../core/short-urls/short-link-store.ts';
import type { itemsOf } from '../../core/table/ranges.ts';
import type { Item } from '../../core/table/table.ts';
import { redirect } from '../../lambdas/short-urls/redirect.ts';
import { userAgents } from '../../ops/base/user-agents.ts';
import { visitBy } from '../support/function-calls.ts';
import { isNightly } from '../support/nightly.ts';

/*
 * A 404 doesn't count, and delays only visits that depend on the saved app.
 */
const host = 'go.example.com';
const fine = 'https://example.com/landing';
const evil = 'https://evil.example/login';

interface World {
  readonly payload: object;
  readonly app: Item | undefined;
  readonly blocked: readonly string[];
}

interface Visit {
  readonly userAgent: string;
  readonly method: string;
  readonly purpose: string;
}

/** One visit of a container of its own. */
const visited = async ({ payload, app, blocked }: World, visit: Visit) => {
  const reads: string[] = [];
  let counted = 0;
  let countedBesideApp = false;
  const table = {
    get: async ({ PK, SK }: { readonly PK: string; readonly SK: string }): Promise<Item | undefined> => {
      reads.push(SK);
      if (PK.startsWith('LINK#')) return { status: 'ACTIVE', payload };
      if (SK === 'QRSTYLE') return undefined;
      // Long enough for whatever doesn't wait for it.
      for (let turns = 0; turns < 5; turns += 1) await turn();
      countedBesideApp = counted > 0;
      return app;
    },
    query: async ({ ExpressionAttributeValues: values }: Partial<ReturnType<typeof itemsOf>>) =>
      values?.[':all'] === 'DENIED' ? blocked.map((SK) => ({ SK })) : [],
  };
  const count = async () => {
    counted += 1;
  };
  const handler = redirect({
    stores: {
      shortLinks: shortLinkStore(visitorReads(table as never), host),
      clicks: { record: count },
      excluded: { add: count },
    },
    visitorSecret: 'secret',
    uniqueWindowSeconds: 86_400,
    enqueueClick: () => Promise.reject(new Error('There is no queue')),
  });
  const { userAgent, method, purpose } = visit;
  const headers = { 'user-agent': userAgent, 'sec-purpose': purpose, 'x-forwarded-host': host };
  const answer = await visitBy(handler, '/acme/launch', { method, headers });
  return { status: answer.statusCode, counted, countedBesideApp, reads };
};

const addresses = fc.constantFrom(
  fine,
  'https://other.example/',
  evil,
  `https://${host}/loop`,
  'http://10.0.0.1/',
);
const unset = <Value>(values: fc.Arbitrary<Value>) => fc.option(values, { nil: undefined });
const payloads = fc.record({
  link: addresses,
  desktop_fallback: unset(addresses),
  android: unset(fc.record({ store_fallback: unset(addresses), package: unset(fc.constant('com.example')) })),
  ios: unset(fc.record({ app_store_fallback: unset(addresses), app_store_id: unset(fc.constant('1')) })),
  androidAppId: unset(fc.constant('app')),
  iosAppId: unset(fc.constant('app')),
  social: unset(fc.record({ title: unset(fc.constant('Sale')), image: unset(addresses) })),
  interstitial: fc.constantFrom('never', 'auto', 'always'),
  rules: unset(addresses.map((link) => [{ name: 'phones', platforms: ['ios', 'android'], link }])),
});
const apps = [fine, evil, `https://${host}/loop`, undefined].flatMap((address) => [
  { name: 'Shop', playStoreFallback: address, appStoreFallback: address },
  {
    name: 'Shop',
    playStoreFallback: address,
    appStoreFallback: address,
    ...{ packageName: 'a.b', appStoreId: '2' },
  },
]);
const worlds = fc.record({
  payload: payloads,
  app: fc.constantFrom(undefined, ...apps),
  blocked: fc.constantFrom([], ['evil.example'], ['play.google.com', 'apps.apple.com']),
});
const mac =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15';
const visits = fc.record({
  userAgent: fc.constantFrom(...Object.values(userAgents), mac, 'facebookexternalhit/1.1', 'curl/8.5.0'),
  method: fc.constantFrom('GET', 'GET', 'HEAD'),
  purpose: fc.constantFrom('', '', 'prefetch'),
});

test('a visit counts unless it gets 404, and before its app is read if that cannot change it', () =>
  fc.assert(
    fc.asyncProperty(worlds, visits, async (world, visit) => {
      const { status, counted, countedBesideApp, reads } = await visited(world, visit);
      expect([200, 302, 404]).toContain(status);
      expect(counted).toBe(status === 404 ? 0 : 1);
      const asksApp = reads.includes('APP#app');
      // Only interstitial pages have the style.
      const ofPages = world.payload.interstitial === 'never' ? [] : ['QRSTYLE'];
      expect(reads.filter((read) => !ofPages.includes(read))).toEqual(
        asksApp ? ['LINK', 'APP#app'] : ['LINK'],
      );
      const others = await Promise.all(
        [undefined, ...apps].map(async (app) => (await visited({ ...world, app }, visit)).status),
      );
      expect(asksApp && countedBesideApp).toBe(asksApp && !others.includes(404));
    }),
    { numRuns: isNightly ? 20_000 : 50 },
  ));
