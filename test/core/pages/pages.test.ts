import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { debugPage } from '../../../core/pages/debug-page.ts';
import { notFoundPage } from '../../../core/pages/not-found-page.ts';
import { previewPage } from '../../../core/pages/preview-page.ts';
import { elementsOf, metaOf, structureOf, textOf } from '../../support/html.ts';

const address = {
  shortUrl: 'https://go.example.com/launch',
  destination: 'https://shop.example.com/a?b=1&c=2',
};
const now = new Date('2026-06-01T12:00:00.000Z');

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
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

const page = (title: string, description = 'Text', image = 'https://cdn.example.com/x.png') =>
  previewPage({ title, description, image }, address);

describe('the preview', () => {
  test('says what the networks look for', () => {
    const { html } = page('Spring sale', 'Up to half off');
    expect(metaOf(html, 'og:title')).toBe('Spring sale');
    expect(metaOf(html, 'og:description')).toBe('Up to half off');
    expect(metaOf(html, 'og:image')).toBe('https://cdn.example.com/x.png');
    expect(metaOf(html, 'og:url')).toBe(address.shortUrl);
    expect(metaOf(html, 'og:type')).toBe('website');
    expect(metaOf(html, 'twitter:card')).toBe('summary_large_image');
    expect(metaOf(html, 'robots')).toContain('noindex');
  });

  test('says nothing about what the link leaves out, and the host for want of a title', () => {
    const { html } = previewPage({ description: 'Up to half off' }, address);
    expect(metaOf(html, 'og:title')).toBe('shop.example.com');
    expect(metaOf(html, 'twitter:card')).toBe('summary');
    expect(metaOf(html, 'og:image')).toBeUndefined();
    expect(structureOf(html)).not.toContain('img src alt');
  });

  test('has its tags first, is small, and takes nobody along', () => {
    const { html } = page('T'.repeat(256), 'D'.repeat(2048));
    expect(Buffer.byteLength(html)).toBeLessThan(10 * 1024);
    const [head = ''] = html.split('<style');
    expect(head.indexOf('og:title')).toBeLessThan(100);
    expect(head.indexOf('og:url')).toBeLessThan(head.indexOf('<title'));
    expect(html).not.toMatch(/http-equiv|<script/i);
  });

  test('is made of the same elements and attributes whatever it says', () => {
    const expected = structureOf(page('Title').html);
    fc.assert(
      fc.property(hostile, hostile, hostile, (title, description, image) => {
        fc.pre(title !== '' && description !== '' && image !== '');
        expect(structureOf(page(title, description, image).html)).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  test('says it letter for letter', () => {
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
    );
  });
});

describe('the debug page', () => {
  const pageOf = (text: string, query = '') =>
    debugPage(
      {
        status: 'ACTIVE',
        payload: { link: 'https://shop.example.com/', iosAppId: text, social: { title: text } },
      },
      {},
      { shortUrl: `https://go.example.com/launch`, query, now },
    );

  test('is made of the same elements and attributes whatever the link says', () => {
    const expected = structureOf(pageOf('x', 'y=1').html);
    fc.assert(
      fc.property(hostile, hostile, (text, query) => {
        fc.pre(text.trim() !== '');
        expect(structureOf(pageOf(text, query).html)).toEqual(expected);
      }),
    );
  });

  test('tells where everybody goes, and why', () => {
    const { html } = debugPage(
      {
        status: 'ACTIVE',
        expiresAt: '2026-07-01T00:00:00.000Z',
        payload: {
          link: 'https://shop.example.com/',
          android: { store_fallback: 'https://stores.example.com/android' },
          iosAppId: 'ios-1',
          androidAppId: 'gone-2',
          desktop_fallback: 'https://shop.example.com/desktop',
        },
      },
      { ios: { appStoreId: '42', appStoreFallback: null } },
      { shortUrl: 'https://go.example.com/launch', query: 'ref=a', now },
    );
    const cells = elementsOf(html)
      .filter(({ tagName }) => tagName === 'td')
      .map(textOf);
    expect(cells).toEqual([
      'https://stores.example.com/android',
      'The link’s store fallback. The saved app gone-2 does not exist any more.',
      'https://apps.apple.com/app/id42',
      'The store page that the saved app names.',
      'https://shop.example.com/desktop?ref=a',
      'The desktop fallback.',
      'https://shop.example.com/desktop?ref=a',
      'Without a social preview, as a desktop browser: the desktop fallback.',
    ]);
    expect(html).toContain('Active');
    expect(html).toContain('until 2026-07-01T00:00:00.000Z');
    expect(elementsOf(html).some(({ tagName }) => tagName === 'svg')).toBe(true);
  });
});

test.each([
  ['not found', notFoundPage()],
  ['preview', page('Title')],
])('the %s page needs nothing but itself, and its policy lets nothing else in', (_, { html, headers }) => {
  const [, css = ''] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? [];
  const hash = createHash('sha256').update(css).digest('base64');
  expect(headers['Content-Security-Policy']).toContain(`style-src 'sha256-${hash}'`);
  expect(headers['Content-Security-Policy']).toMatch(/^default-src 'none'/);
  expect(html).not.toMatch(/<script|<link|@import|url\(/i);
  expect(html).toContain('prefers-color-scheme: dark');
});
