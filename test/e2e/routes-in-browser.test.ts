import { isIP } from 'node:net';
import { buildSync } from 'esbuild';
import fc from 'fast-check';
import { webAddressFault } from '../../core/destinations/web-address.ts';
import { visitorOf } from '../../core/visits/visitor.ts';
import { consoleBundle } from '../../lib/console-bundle.ts';
import { userAgents } from '../../ops/base/user-agents.ts';
import { androidApp, iosApp, newApp } from '../support/api.ts';
import { drawn } from '../support/api-arbitraries.ts';
import { describeInBrowser, fileTab } from '../support/browser.ts';
import { ruleLists } from '../support/rules.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const project = projectOn(stack);

const script = () => {
  const { entryPoints: _, ...options } = consoleBundle('main.tsx');
  const contents = `
    import { draftOf, routeShares } from './views/visits/route-shares.ts';
    import { webAddressFault } from '../core/destinations/web-address.ts';
    globalThis.ask = ({ payload, shortUrl, apps, visitors }) => {
      const draft = draftOf(payload, { shortUrl, apps });
      const now = new Date();
      return visitors.map((visitor) => routeShares(draft, { ...visitor, now }));
    };
    globalThis.faults = (texts) => texts.map((text) => webAddressFault(text));
  `;
  const stdin = { contents, resolveDir: options.absWorkingDir, loader: 'ts' } as const;
  return buildSync({ ...options, format: 'iife', stdin }).outputFiles[0]?.text ?? '';
};

const visitors = [
  { agent: userAgents.iphone, language: 'de-at', country: 'DE' },
  { agent: userAgents.android, language: 'en', country: 'US' },
  { agent: userAgents.desktop, language: 'pt-br', country: 'AT' },
  { agent: 'facebookexternalhit/1.1' },
];
const asVisitor = ({ agent, ...more }: (typeof visitors)[number]) => ({ visitor: visitorOf(agent), ...more });

interface Way {
  readonly url?: string;
  readonly target: string;
}
const statusOf = ({ url, target }: Way): number => (url ? 302 : /not found/.test(target) ? 404 : 200);

type Section = Readonly<Record<string, unknown>>;

/** A section that the API takes: its model also draws refused ones. */
const taken = (section: unknown): unknown =>
  Object.fromEntries(
    Object.entries((section ?? {}) as Section).filter(
      ([name, value]) =>
        !['saveApp', 'appName'].includes(name) &&
        !(/package|bundleId/.test(name) && value !== 'com.example.app'),
    ),
  );

/** Links as the API's model draws them, with rules, some of which lead nowhere, and with saved apps. */
const links = fc.array(
  fc.tuple(
    drawn.createLink,
    ruleLists(fc.constantFrom('https://rule.example.com', 'http://example.org/a?q=1')),
  ),
  { minLength: 25, maxLength: 25 },
);

type Drafts = typeof links extends fc.Arbitrary<infer Value> ? Value : never;

/** Two saved apps, if a draft names one. */
const bodiesOf = (drafts: Drafts, { ios, android }: { readonly ios: string; readonly android: string }) =>
  drafts.map(([draft, rules]) => {
    const { iosAppId, androidAppId, ...payload } = draft.payload as Section;
    const conditional = rules.filter(
      ({ split, from, until, ...rule }) =>
        !(from && until && from >= until) && (split ?? from ?? until ?? Object.keys(rule).length > 2),
    );
    return {
      payload: {
        ...payload,
        android: taken(payload.android),
        ios: taken(payload.ios),
        ...(iosAppId !== undefined && { iosAppId: ios }),
        ...(androidAppId !== undefined && { androidAppId: android }),
        ...(conditional.length > 0 && { rules: conditional }),
      },
    };
  });

describeInBrowser('routes that the console computes', () => {
  const tab = fileTab();
  let saved: { readonly ios: string; readonly android: string };
  beforeAll(async () => {
    await tab.page.addScriptTag({ content: script() });
    const idOf = async (app: object) => (await newApp(project, app)).id;
    saved = {
      ios: await idOf({ ...iosApp, appStoreId: '123456789' }),
      android: await idOf({ ...androidApp, playStoreFallback: 'https://store.example.com/' }),
    };
  });

  test('are those of the redirect', () =>
    fc.assert(
      fc.asyncProperty(links, async (drafts) => {
        const { body } = await project.call('POST', '/links/bulk', { links: bodiesOf(drafts, saved) });
        const { apps } = (await project.call('GET', '/mobile-apps')).body.data;
        const made = body.data.results.filter(({ success }: { success: boolean }) => success);
        const refused = body.data.results.flatMap(
          ({ error }: { error?: { message: string } }) => error?.message ?? [],
        );
        expect(refused).toEqual([]);
        for (const { link } of made) {
          const stored = (await project.call('GET', `/links/${link.code}`)).body.data;
          const asked = { ...stored, apps, visitors: visitors.map(asVisitor) };
          const replies = (await tab.page.evaluate(`ask(${JSON.stringify(asked)})`)) as Way[][];
          for (const [i, { agent, language, country }] of visitors.entries()) {
            const { status, headers } = await stack.visit(new URL(stored.shortUrl).pathname, {
              'User-Agent': agent,
              ...(language && { 'accept-language': language }),
              ...(country && { 'x-sim-viewer-country': country }),
            });
            const got = [status, status === 302 ? headers.get('location') : null];
            const possible = replies[i]?.map((way) => [statusOf(way), way.url ?? null]);
            expect({ payload: stored.payload, agent, possible }).toMatchObject({
              possible: expect.arrayContaining([got]),
            });
          }
        }
      }),
      { numRuns: 2, endOnFailure: true },
    ));

  const hosts = fc.oneof(
    fc.ipV4(),
    fc.ipV6().map((ip) => `[${ip}]`),
    fc.ipV4Extended(),
    fc
      .tuple(fc.constantFrom('::ffff:', '64:ff9b::', '2001:db8::', 'fe80::', '2001:4860::'), fc.ipV4())
      .map(([net, ip]) => `[${net}${ip}]`),
    fc.tuple(fc.constantFrom(10, 127, 169, 172, 192, 198, 203), fc.nat(255)).map(([a, b]) => `${a}.${b}.0.1`),
    fc.domain(),
    fc.constantFrom('a.local', 'x', '[::1]', '[::]', '0x7f.1'),
  );
  test('take the addresses that the service takes', () =>
    fc.assert(
      fc.asyncProperty(fc.array(hosts, { minLength: 200, maxLength: 200 }), async (drawnHosts) => {
        const texts = drawnHosts.map((host) => `https://${host}/`);
        expect(texts.some((text) => isIP(URL.parse(text)?.hostname ?? '') !== 0)).toBe(true);
        const own = texts.map((text) => webAddressFault(text) ?? null);
        const replies = (await tab.page.evaluate(`faults(${JSON.stringify(texts)})`)) as unknown[];
        expect(replies.map((fault, i) => [texts[i], fault ?? null])).toEqual(
          own.map((fault, i) => [texts[i], fault]),
        );
      }),
      { numRuns: 10, endOnFailure: true },
    ));
});
