import * as fc from 'fast-check';
import type { IsBlocked } from '../../../core/destinations/takedowns.ts';
import type { LinkPayload } from '../../../core/links/payload-fields.ts';
import type { Apps } from '../../../core/short-urls/app-settings.ts';
import { interstitialOf, mayBeIpad } from '../../../core/short-urls/interstitial.ts';
import { visitorOf } from '../../../core/visits/visitor.ts';
import { shapeKinds } from '../../../ops/conformance/corpus.ts';
import { anyCharacter } from '../../support/any-character.ts';

const shortUrl = 'https://go.example.com/launch';
const destination = 'https://shop.example.com/landing';
const now = new Date('2026-06-01T12:00:00.000Z');

const everyone = shapeKinds.flatMap(({ userAgents, ...sort }) =>
  userAgents.map((userAgent) => ({ ...sort, userAgent })),
);
const agentOf = (part: string) => everyone.find(({ userAgent }) => userAgent.includes(part))?.userAgent ?? '';
const agents = {
  iphone: agentOf('iPhone OS 18_7'),
  instagramIos: agentOf('Instagram 300'),
  instagramAndroid: agentOf('Instagram 345'),
  wechatIos: agentOf('MicroMessenger'),
  android: agentOf('Pixel 9'),
  firefoxAndroid: everyone.find(({ userAgent }) => /Android.*Firefox\//.test(userAgent))?.userAgent ?? '',
  mac: agentOf('Version/18.5 Safari/605.1.15'),
  macChrome: agentOf('10_15_7) AppleWebKit/537.36'),
  windows: agentOf('Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140'),
};

const pageFor = (
  userAgent: string,
  payload: Partial<LinkPayload>,
  { apps = {}, query = '', isBlocked }: { apps?: Apps; query?: string; isBlocked?: IsBlocked } = {},
) =>
  interstitialOf(
    { status: 'ACTIVE', payload: { link: destination, ...payload }, ...(isBlocked && { isBlocked }) },
    apps,
    {
      visitor: visitorOf(userAgent),
      userAgent,
      shortUrl,
      query,
      now,
    },
  );

const waysFor = (...given: Parameters<typeof pageFor>) =>
  pageFor(...given)?.sections.map(({ device, buttons }) => [
    device,
    ...buttons.map(({ kind, url }) => [kind, url]),
  ]);

const both = {
  android: { package: 'com.example.shop' },
  ios: { bundleId: 'com.example.shop', app_store_id: '42' },
} as const;
const playPage =
  'https://play.google.com/store/apps/details?id=com.example.shop&referrer=deepLink%3Dhttps%253A%252F%252Fgo.example.com%252Flaunch';

describe('visitors who get a page', () => {
  const auto = (payload: Partial<LinkPayload>, userAgent: string, apps: Apps = {}) =>
    pageFor(userAgent, { ...payload, interstitial: 'auto' }, { apps }) !== undefined;

  test('with auto visitors inside an app, if the link has settings for their platform', () => {
    const ios = { ios: both.ios };
    expect(auto(ios, agents.instagramIos)).toBe(true);
    expect(auto(ios, agents.instagramAndroid)).toBe(false);
    expect(auto({ android: both.android }, agents.instagramAndroid)).toBe(true);
    expect(auto({}, agents.instagramIos)).toBe(false);
    expect(auto({ ios: { min_version: '17' } }, agents.instagramIos)).toBe(false);
    expect(auto({ iosAppId: 'saved' }, agents.instagramIos, { ios: { bundleId: 'a.b' } })).toBe(true);
    expect(auto({ iosAppId: 'deleted' }, agents.instagramIos)).toBe(false);
  });

  test.each([
    { bundleId: 'a.b' },
    { app_store_id: '42' },
    { app_store_fallback: 'https://stores.example.com/' },
  ])('with auto a Mac, if the link has %j', (ios) => {
    expect(auto({ ios }, agents.mac)).toBe(true);
    expect(auto({ ios }, agents.macChrome)).toBe(false);
    expect(auto({ android: both.android }, agents.mac)).toBe(false);
  });

  test.each([
    ['Version/18.5 AppleWebKit/605.1 (Macintosh)', true],
    ['Macintosh AppleWebKit/605.1 Chrome/140', false],
    ['Macintosh AppleWebKit/537.36', false],
  ])('the signs of %s decide in any order whether it may be an iPad', (userAgent, may) => {
    expect(mayBeIpad({ kind: 'person', platform: 'web' }, userAgent)).toBe(may);
  });

  test('none if nothing can be opened', () => {
    expect(pageFor(agents.iphone, { link: 'javascript:alert(1)', interstitial: 'always' })).toBeUndefined();
  });
});

test('user agents of iPads and Macs are the same in one group', () => {
  const unsure = everyone.filter(({ userAgent }) => mayBeIpad(visitorOf(userAgent), userAgent));
  expect(new Set(unsure.map(({ group }) => group)).size).toBe(1);
});

describe('a page offers', () => {
  const always = { ...both, interstitial: 'always' } as const;

  test('on iOS the store, the app by its bundle id and the destination', () => {
    const app = `com.example.shop://google/link/?deep_link_id=${encodeURIComponent(`${destination}?ref=a`)}&match_type=unique`;
    expect(waysFor(agents.iphone, always, { query: 'ref=a' })).toEqual([
      ['ios', ['store', 'https://apps.apple.com/app/id42'], ['app', app], ['web', `${destination}?ref=a`]],
    ]);
    const onMac = pageFor(agents.mac, always)?.sections[1]?.buttons.map(({ kind }) => kind);
    expect(onMac).toEqual(['store', 'app', 'web']);
  });

  test('on Android the app by its package, the store and the destination', () => {
    const app = `intent://go.example.com/launch#Intent;scheme=https;package=com.example.shop;S.browser_fallback_url=${encodeURIComponent(playPage)};end`;
    expect(waysFor(agents.android, always)).toEqual([
      ['android', ['app', app], ['store', playPage], ['web', destination]],
    ]);
  });

  test('on Android in Firefox the app without another address, which Firefox would follow', () => {
    const app = 'intent://go.example.com/launch#Intent;scheme=https;package=com.example.shop;end';
    expect(waysFor(agents.firefoxAndroid, always)).toEqual([
      ['android', ['app', app], ['store', playPage], ['web', destination]],
    ]);
  });

  test('on a desktop its fallback, else the destination', () => {
    expect(waysFor(agents.windows, always)).toEqual([['desktop', ['web', destination]]]);
    const desktop_fallback = 'https://shop.example.com/desktop';
    expect(waysFor(agents.windows, { ...always, desktop_fallback })).toEqual([
      ['desktop', ['web', desktop_fallback]],
    ]);
    expect(waysFor(agents.android, { interstitial: 'always', desktop_fallback })).toEqual([
      ['android', ['web', destination]],
    ]);
  });

  test('on a Mac or iPad the buttons of both, and redirects automatically only with auto', () => {
    expect(waysFor(agents.mac, always)?.map(([device]) => device)).toEqual(['desktop', 'ios']);
    expect(pageFor(agents.mac, always)?.goesOn).toBe(false);
    expect(pageFor(agents.mac, { ...both, interstitial: 'auto' })?.goesOn).toBe(true);
    expect(pageFor(agents.instagramIos, { ...both, interstitial: 'auto' })?.goesOn).toBe(false);
    expect(waysFor(agents.mac, { interstitial: 'always' })).toEqual([['desktop', ['web', destination]]]);
  });

  test("on a Mac or iPad only the desktop's button if the way of iPads can't be opened", () => {
    const isBlocked = (host: string) => host === 'stores.example.com';
    const ios = { app_store_fallback: 'https://stores.example.com/' };
    expect(waysFor(agents.mac, { interstitial: 'always', ios }, { isBlocked })).toEqual([
      ['desktop', ['web', destination]],
    ]);
    expect(pageFor(agents.mac, { interstitial: 'auto', ios }, { isBlocked })).toBeUndefined();
  });

  test('inside an app a known way out of it before the web in that app, and the store first where apps do not open', () => {
    const kinds = (userAgent: string) =>
      pageFor(userAgent, always)?.sections[0]?.buttons.map(({ kind, url }) =>
        kind === 'browser' ? url : kind,
      );
    expect(kinds(agents.instagramIos)).toEqual([
      'store',
      'app',
      `instagram://extbrowser/?url=${encodeURIComponent(destination)}`,
      'web',
    ]);
    expect(kinds(agents.instagramAndroid)).toEqual([
      'app',
      'store',
      'intent://shop.example.com/landing#Intent;scheme=https;end',
      'web',
    ]);
    const link = `${destination}?${'a'.repeat(2000)}`;
    const overlong = pageFor(agents.instagramIos, { ...always, link });
    expect(overlong?.sections[0]?.buttons.map(({ kind }) => kind)).toEqual(['store', 'web']);
    expect(kinds(agents.wechatIos)).toEqual(['store', 'app', 'web']);
    expect(kinds(agentOf('FBAN/FBIOS'))).toContain(`x-safari-${destination}`);
    expect(kinds(agentOf('MetaIAB Facebook'))?.[0]).toBe('app');
    expect(kinds(agentOf('LightSpeed'))).toEqual(['store', 'app', `x-safari-${destination}`, 'web']);
    expect(
      kinds(
        agentOf(
          'iPhone OS 17_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Barcelona',
        ),
      ),
    ).toEqual(['store', 'app', 'web']);
  });

  test('only web addresses, stores, and schemes that are harmless in browsers', () => {
    const text = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom(
        'javascript:alert(1)',
        'javascript',
        'data:text/html,x',
        'com.example;end',
        'a.b//',
        'x-y.z',
      ),
    );
    fc.assert(
      fc.property(text, text, fc.constantFrom(...Object.values(agents)), (id, query, userAgent) => {
        const payload = { android: { package: id }, ios: { bundleId: id, app_store_id: id } };
        const page = pageFor(userAgent, { ...payload, interstitial: 'always' }, { query });
        for (const { url } of page?.sections.flatMap(({ buttons }) => buttons) ?? []) {
          expect(url).toMatch(
            /^(https?|intent|instagram|x-safari-https?|[a-z][a-z\d-]*(\.[a-z\d-]+)+):\/\/[\x21-\x7e]+$/i,
          );
        }
      }),
    );
  });
});
