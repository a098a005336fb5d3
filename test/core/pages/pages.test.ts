import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import type { LinkPayload } from '../../../core/links/payload-fields.ts';
import { debugPage, type Inspected } from '../../../core/pages/debug-page.ts';
import { interstitialPage } from '../../../core/pages/interstitial-page.ts';
import { notFoundPage } from '../../../core/pages/notice-page.ts';
import { previewPage } from '../../../core/pages/preview-page.ts';
import { interstitialOf } from '../../../core/short-urls/interstitial.ts';
import { visitorOf } from '../../../core/visits/visitor.ts';
import { userAgents } from '../../../ops/base/user-agents.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { attributeOf, elementsOf, metaOf, structureOf, textOf } from '../../support/html.ts';
import { runs } from '../../support/nightly.ts';

const address = {
  shortUrl: 'https://go.example.com/launch',
  destination: 'https://shop.example.com/a?b=1&c=2',
};
const now = new Date('2026-06-01T12:00:00.000Z');

const hostile = fc.oneof(
  fc.string({ unit: anyCharacter }),
  fc.string({
    unit: fc.constantFrom('<', '>', '"', "'", '&', '/', '!', '-', '=', '\0', '\r', '\n', '\ud800', 'a', ' '),
  }),
  fc.constantFrom(
    '"><script>alert(1)</script>',
    '</title><script>alert(1)</script>',
    '" onerror="alert(1)',
    '</style><img src=x onerror=alert(1)>',
    '<!--',
    '-->',
    ']]>',
    '&#x3c;script&#x3e;',
    '&lt;b&gt;',
  ),
);

/** A page has the same elements and attributes, whatever text a link and a visitor's query hold. */
const expectOneStructure = (pageOf: (text: string, query: string) => string): void => {
  const expected = structureOf(pageOf('x', 'y=1'));
  fc.assert(
    fc.property(hostile, hostile, (text, query) => {
      fc.pre(text.trim() !== '');
      expect(structureOf(pageOf(text, query))).toEqual(expected);
    }),
    { numRuns: runs(25) },
  );
};

const page = (title: string, description = 'Text', image = 'https://cdn.example.com/x.png') =>
  previewPage({ title, description, image }, address);

describe('the preview', () => {
  test('has the tags that social networks read', () => {
    const { html } = page('Spring sale', 'Up to half off');
    expect(metaOf(html, 'og:title')).toBe('Spring sale');
    expect(metaOf(html, 'og:description')).toBe('Up to half off');
    expect(metaOf(html, 'og:image')).toBe('https://cdn.example.com/x.png');
    expect(metaOf(html, 'og:url')).toBe(address.shortUrl);
    expect(metaOf(html, 'og:type')).toBe('website');
    expect(metaOf(html, 'twitter:card')).toBe('summary_large_image');
    expect(metaOf(html, 'robots')).toContain('noindex');
  });

  test('omits parts that the link omits, and has the host in place of a missing title', () => {
    const { html } = previewPage({ description: 'Up to half off' }, address);
    expect(metaOf(html, 'og:title')).toBe('shop.example.com');
    expect(metaOf(html, 'twitter:card')).toBe('summary');
    expect(metaOf(html, 'og:image')).toBeUndefined();
    expect(structureOf(html)).not.toContain('img src alt');
  });

  test('has its tags first, is small, and does not redirect', () => {
    const { html } = page('T'.repeat(256), 'D'.repeat(2048));
    expect(Buffer.byteLength(html)).toBeLessThan(10 * 1024);
    const [head = ''] = html.split('<style');
    expect(head.indexOf('og:title')).toBeLessThan(100);
    expect(head.indexOf('og:url')).toBeLessThan(head.indexOf('<title'));
    expect(html).not.toMatch(/http-equiv|<script/i);
  });

  test('has the same elements and attributes whatever its texts', () => {
    const expected = structureOf(page('Title').html);
    fc.assert(
      fc.property(hostile, hostile, hostile, (title, description, image) => {
        fc.pre(title !== '' && description !== '' && image !== '');
        expect(structureOf(page(title, description, image).html)).toEqual(expected);
      }),
      { numRuns: runs(25) },
    );
  });

  test('shows texts letter for letter', () => {
    const marked = '&lt;b&gt; &amp; "x" \'y\' & z';
    expect(metaOf(page(marked).html, 'og:title')).toBe(marked);
    const letters = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => text.toWellFormed());
    fc.assert(
      fc.property(letters, letters, (title, description) => {
        const { html } = page(title, description);
        expect(metaOf(html, 'og:title')).toBe(title);
        expect(metaOf(html, 'og:description')).toBe(description);
        expect(textOf(elementsOf(html).find(({ tagName }) => tagName === 'h1'))).toBe(title);
      }),
      { numRuns: runs(25) },
    );
  });
});

describe('the debug page', () => {
  const inspect = (given: Partial<Inspected> & { payload?: Partial<LinkPayload> }) => {
    const { payload, ...rest } = given;
    return debugPage({
      link: { status: 'ACTIVE', payload: { link: 'https://shop.example.com/', ...payload } },
      apps: {},
      association: undefined,
      shortUrl: 'https://go.example.com/launch',
      query: '',
      now,
      ...rest,
    }).html;
  };
  test('has the same elements and attributes whatever the link holds', () => {
    expectOneStructure((text, query) =>
      inspect({ payload: { iosAppId: text, social: { title: text, description: text } }, query }),
    );
  });

  const textsOf = (html: string, tag: string) =>
    elementsOf(html)
      .filter(({ tagName }) => tagName === tag)
      .map(textOf);

  test('shows where each visitor goes, and why', () => {
    const html = inspect({
      link: {
        status: 'ACTIVE',
        expiresAt: '2026-07-01T00:00:00.000Z',
        payload: {
          link: 'https://shop.example.com/',
          android: { store_fallback: 'https://stores.example.com/android' },
          iosAppId: 'ios-1',
          desktop_fallback: 'https://shop.example.com/desktop',
        },
      },
      apps: { ios: { appStoreId: '42' } },
      query: 'ref=a',
    });
    const rows = [
      ['Android', 'https://stores.example.com/android', 'The link has a store fallback for this system.'],
      ['iPhone, iPad', 'https://apps.apple.com/app/id42', 'The saved app is in this system’s store.'],
      ['Desktop', 'https://shop.example.com/desktop?ref=a', 'The link has a desktop fallback.'],
      [
        'Social crawler',
        'https://shop.example.com/desktop?ref=a',
        'The link has no social preview, so a crawler is routed like a desktop browser.',
      ],
    ];
    expect(textsOf(html, 'tr')).toEqual(expect.arrayContaining(rows.map((cells) => cells.join(''))));
    expect(html).toContain('until <time datetime="2026-07-01T00:00:00.000Z">1 July 2026, 00:00 UTC</time>');
  });

  test('shows the visitors who get the interstitial page', () => {
    const payload = { ios: { app_store_id: '42' }, android: { package: 'com.example.shop' } };
    const rows = (interstitial: 'auto' | 'always') =>
      textsOf(inspect({ payload: { ...payload, interstitial } }), 'tr').slice(1);
    const shown = (found: string[]) => found.filter((row) => row.includes('An interstitial page'));
    expect(rows('always').filter((row) => !shown(rows('always')).includes(row))).toEqual([
      expect.stringContaining('Social crawler'),
    ]);
    const failing = shown(rows('auto'));
    expect(failing.length).toBe(3);
    expect(failing[1]).toContain('apps.apple.com, shop.example.com');
    expect(shown(textsOf(inspect({ payload: { interstitial: 'auto' } }), 'tr'))).toEqual([]);
  });

  const ios = ['ABCDE12345.com.example.shop'];
  const android = [{ package: 'com.example.shop', fingerprints: [] }];

  test.each<[string, Parameters<typeof inspect>[0], RegExp[]]>([
    ['a link without apps', {}, []],
    [
      'associated apps',
      { payload: { android: { package: 'a.b' }, ios: { app_store_id: '1' } }, association: { ios, android } },
      [],
    ],
    [
      'apps without association',
      { payload: { android: { package: 'a.b' }, ios: { app_store_id: '1' } } },
      [/^Android phones can’t/, /^iPhones can’t/],
    ],
    [
      'apps of which one is associated',
      {
        payload: { android: { package: 'a.b' }, ios: { app_store_id: '1' } },
        association: { ios, android: [] },
      },
      [/^Android phones can’t/],
    ],
    [
      'an iOS app without a store',
      { payload: { ios: { bundleId: 'a.b' } }, association: { ios, android } },
      [/no App Store id/],
    ],
    [
      'a saved iOS app without a store',
      { payload: { iosAppId: 'x' }, apps: { ios: { bundleId: 'a.b' } }, association: { ios, android } },
      [/no App Store id/],
    ],
    [
      'deleted apps',
      { payload: { iosAppId: 'gone-1', androidAppId: 'gone-2' } },
      [/Android app gone-2 was deleted/, /iOS app gone-1 was deleted/],
    ],
    [
      'stored identifiers that no store has',
      {
        payload: { android: { package: 'my app' }, iosAppId: 'x' },
        apps: { ios: { bundleId: 'https://apps.apple.com/app/id1', appStoreId: '1' } },
        association: { ios, android },
      },
      [/^The Android package is no package name/, /^The bundle id is none/],
    ],
    ['a preview without a picture', { payload: { social: { title: 'Sale' } } }, [/no picture/]],
    [
      'a preview with a picture',
      { payload: { social: { title: 'Sale', image: 'https://cdn.example.com/a.png' } } },
      [],
    ],
  ])('has the right warnings for %s', (_, given, expected) => {
    const warnings = textsOf(inspect(given), 'li');
    expect(warnings).toEqual(expected.map((pattern) => expect.stringMatching(pattern)));
  });

  test('shows the social card', () => {
    const html = inspect({
      payload: { social: { title: 'Sale', description: 'Half off', image: 'https://cdn.example.com/a.png' } },
    });
    expect(textsOf(html, 'h3')).toEqual(['Sale']);
    expect(structureOf(html)).toContain('img src alt');
    expect(html).toContain('src="https://cdn.example.com/a.png"');
  });
});

describe('the interstitial page', () => {
  const destination = 'https://shop.example.com/landing';
  const agents = {
    iphone: userAgents.iphone,
    instagram:
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Instagram 345.0',
    mac: 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
    windows: userAgents.desktop,
  };
  const pageFor = (
    userAgent: string,
    payload: Partial<LinkPayload> = {},
    { apps = {}, query = '' }: { apps?: Inspected['apps']; query?: string } = {},
  ) => {
    const link = {
      status: 'ACTIVE',
      payload: { link: destination, ios: { app_store_id: '42' }, interstitial: 'always', ...payload },
    } as const;
    const shortUrl = 'https://go.example.com/launch';
    const arrival = { visitor: visitorOf(userAgent), userAgent, shortUrl, query, now };
    const page = interstitialOf(link, apps, arrival);
    if (!page) throw new Error('No page');
    return interstitialPage(page);
  };
  const linksOf = (html: string) =>
    elementsOf(html)
      .filter(({ tagName }) => tagName === 'a')
      .map((element) => [textOf(element), attributeOf(element, 'href')]);

  test("shows the owner's name of the app and the link's title", () => {
    const social = { title: 'Spring sale', description: 'Half off', image: 'https://cdn.example.com/a.png' };
    const { html } = pageFor(
      agents.iphone,
      { social },
      { apps: { ios: { name: 'Shop', bundleId: 'com.example.shop', appStoreId: '42' } } },
    );
    expect(linksOf(html).map(([text]) => text)).toEqual([
      'Get Shop',
      'Open in Shop',
      'Continue to shop.example.com',
    ]);
    expect(textOf(elementsOf(html).find(({ tagName }) => tagName === 'h1'))).toBe('Spring sale');
    expect(html).toContain('<img src="https://cdn.example.com/a.png" alt="">');
  });

  test("has Safari's banner on iPhones and possible iPads, if the App Store has the app", () => {
    const bannerOf = (...given: Parameters<typeof pageFor>) =>
      elementsOf(pageFor(...given).html).flatMap((element) =>
        attributeOf(element, 'name') === 'apple-itunes-app' ? [attributeOf(element, 'content')] : [],
      );
    const banner = (id: string, query = '') => [
      `app-id=${id}, app-argument=https://go.example.com/launch${query}`,
    ];
    expect(bannerOf(agents.iphone)).toEqual(banner('42'));
    expect(bannerOf(agents.mac)).toEqual(banner('42'));
    expect(bannerOf(agents.iphone, {}, { query: 'a="1"&b=<2>' })).toEqual(banner('42', '?a="1"&b=<2>'));
    expect(bannerOf(agents.iphone, {}, { query: 'a=1,app-id=7' })).toEqual(banner('42', '?a=1%2Capp-id=7'));
    const apps = { ios: { appStoreId: '7' } };
    expect(bannerOf(agents.iphone, {}, { apps })).toEqual(banner('7'));
    expect(bannerOf(agents.windows)).toEqual([]);
    expect(bannerOf(agents.iphone, { ios: { bundleId: 'com.example.shop' } })).toEqual([]);
  });

  test('lets title and text run in the direction of their own script', () => {
    const social = { title: 'تخفيضات الربيع', description: 'حتى الأحد' };
    const card = elementsOf(pageFor(agents.iphone, { social }).html).filter(({ attrs }) =>
      attrs.some(({ name, value }) => name === 'dir' && value === 'auto'),
    );
    expect(card.map(textOf)).toEqual([social.title, social.description]);
  });

  test('shortens a long description between characters', () => {
    const social = { title: 'Sale', description: `${'a'.repeat(298)}😀😀` };
    expect(pageFor(agents.iphone, { social }).html).toContain(`${'a'.repeat(298)}…`);
  });

  test('works without app name and title', () => {
    const { html } = pageFor(agents.iphone);
    expect(linksOf(html)).toEqual([
      ['Get the app', 'https://apps.apple.com/app/id42'],
      ['Continue to shop.example.com', destination],
    ]);
    expect(textOf(elementsOf(html).find(({ tagName }) => tagName === 'h1'))).toBe('shop.example.com');
  });

  test('explains that the store button copies the link, and what to do where buttons fail', () => {
    expect(pageFor(agents.iphone).html).toContain('also copy this link');
    expect(pageFor(agents.windows).html).not.toContain('also copy this link');
    expect(pageFor(agents.instagram).html).toContain('Instagram’s own browser');
  });

  test('allows only its own script', () => {
    const { html, headers } = pageFor(agents.mac, { interstitial: 'auto' });
    const [, script = ''] = /<script>([\s\S]*?)<\/script>/.exec(html) ?? [];
    const hash = createHash('sha256').update(script).digest('base64');
    expect(headers['Content-Security-Policy']).toContain(`script-src 'sha256-${hash}';`);
    expect(headers['Content-Security-Policy']).not.toContain('unsafe');
    // The script is the same for every link and visitor: it holds no text of a link.
    expect(pageFor(agents.windows, { social: { title: 'Else' } }).html).toContain(script);
  });

  test('is small, even for links with long texts', () => {
    const long = (start: string, length: number) => `${start}?${'a=b&'.repeat(600)}`.slice(0, length);
    const sizeOf = (length: number) =>
      Buffer.byteLength(
        pageFor(
          agents.instagram,
          {
            link: long('https://shop.example.com/', length),
            ios: {
              bundleId: 'com.example.shop',
              app_store_fallback: long('https://stores.example.com/', length),
            },
            social: {
              title: 'T'.repeat(256),
              description: 'D'.repeat(2048),
              image: long('https://cdn.example.com/', length),
            },
          },
          { query: 'utm_source=instagram&utm_medium=social' },
        ).html,
      );
    expect(Buffer.byteLength(pageFor(agents.mac).html)).toBeLessThan(6 * 1024);
    expect(sizeOf(500)).toBeLessThan(14 * 1024);
    // Every address as long as possible, of characters that HTML escapes.
    expect(sizeOf(2048)).toBeLessThan(20 * 1024);
  });

  test('has the same elements and attributes whatever the link holds', () => {
    expectOneStructure((text, query) => {
      const social = { title: text, description: text };
      const apps = { ios: { name: text, appStoreId: '42' } };
      return pageFor(agents.mac, { social, interstitial: 'auto' }, { apps, query }).html;
    });
  });
});

test.each([
  ['not found', notFoundPage()],
  ['preview', page('Title')],
])('the %s page loads nothing, and its policy allows nothing', (_, { html, headers }) => {
  const [, css = ''] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
  const hash = createHash('sha256').update(css).digest('base64');
  expect(headers['Content-Security-Policy']).toContain(`style-src 'sha256-${hash}'`);
  expect(headers['Content-Security-Policy']).toMatch(/^default-src 'none'/);
  expect(html).not.toMatch(/<script|<link|@import|url\(/i);
  expect(html).toContain('prefers-color-scheme: dark');
});
