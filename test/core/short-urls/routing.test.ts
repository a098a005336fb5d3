import { validateHeaderValue } from 'node:http';
import * as fc from 'fast-check';
import { limits } from '../../../core/base/limits.ts';
import { webAddressFault } from '../../../core/destinations/web-address.ts';
import type { LinkPayload } from '../../../core/links/payload-fields.ts';
import type { Apps } from '../../../core/short-urls/app-settings.ts';
import { route } from '../../../core/short-urls/routing.ts';
import type { Visitor } from '../../../core/visits/visitor.ts';
import { anyAddress } from '../../support/any-address.ts';
import { anyCharacter } from '../../support/any-character.ts';

const destination = 'https://example.com/landing';
const shortUrl = 'https://go.example.com/launch';
const now = new Date('2026-06-01T12:00:00.000Z');
const desktop: Visitor = { kind: 'person', platform: 'web' };
const iphone: Visitor = { kind: 'person', platform: 'ios' };
const crawler: Visitor = { kind: 'social-crawler', platform: 'web' };

const routed = (
  payload: Partial<LinkPayload>,
  { visitor = desktop, query = '', apps = {} }: { visitor?: Visitor; query?: string; apps?: Apps } = {},
) =>
  route({ status: 'ACTIVE', payload: { link: destination, ...payload } }, apps, {
    visitor,
    shortUrl,
    query,
    now,
  });

const urlOf = (...given: Parameters<typeof routed>): string | undefined => {
  const answer = routed(...given);
  return answer.kind === 'redirect' ? answer.url : undefined;
};

describe('a link that is not live', () => {
  test.each([
    ['paused', { status: 'PAUSED' }],
    ['deleted', { status: 'DELETED' }],
    ['stored as expired', { status: 'EXPIRED' }],
    ['a millisecond past its expiry', { status: 'ACTIVE', expiresAt: '2026-06-01T11:59:59.999Z' }],
    ['at its expiry', { status: 'ACTIVE', expiresAt: '2026-06-01T12:00:00.000Z' }],
    ['blocked', { status: 'ACTIVE', blockedAt: '2026-06-01T12:00:00.000Z' }],
  ] as const)('is not found if %s', (_, state) => {
    const link = { ...state, payload: { link: destination, social: { title: 'Still here' } } };
    for (const visitor of [desktop, iphone, crawler]) {
      expect(route(link, {}, { visitor, shortUrl, query: '', now })).toEqual({ kind: 'not-found' });
    }
  });

  test('is found until its expiry', () => {
    const link = {
      status: 'ACTIVE',
      expiresAt: '2026-06-01T12:00:00.001Z',
      payload: { link: destination },
    } as const;
    expect(route(link, {}, { visitor: desktop, shortUrl, query: '', now }).kind).toBe('redirect');
  });
});

describe('addresses', () => {
  test.each(['', '.'])('that lead back to the short host%s are skipped', (dot) => {
    const { host } = new URL(shortUrl);
    const back = `https://${host}${dot}/loop`;
    expect(urlOf({ link: destination, desktop_fallback: back })).toBe(destination);
    expect(routed({ link: back })).toEqual({ kind: 'not-found' });
  });

  test('that cannot be opened are skipped', () => {
    const ios = { app_store_fallback: 'itms-apps://x', app_store_id: '1' };
    expect(urlOf({ ios }, { visitor: iphone })).toBe('https://apps.apple.com/app/id1');
    expect(urlOf({ desktop_fallback: 'javascript:alert(1)' })).toBe(destination);
    expect(routed({ link: 'java\nscript:alert(1)' })).toEqual({ kind: 'not-found' });
  });

  test.each([
    'https://example.com/a?b=%20+%2B&c=%e4%b8%ad&&d=%zz&e#f%20g',
    'https://example.com/;a=b/(c)/%2F?x=[1]&y={z}|~',
    'https://example.com/?q=a%26b=c&utm_source=x%3Dy',
  ])('%s stay byte for byte', (link) => {
    expect(urlOf({ link })).toBe(new URL(link).href);
  });

  test('stay byte for byte, with parameters added', () => {
    const link = 'https://example.com/?b=%20+%2B&c=%e4&%zz=1#f';
    expect(urlOf({ link, campaign: { utm_term: 'a b' } })).toBe(
      'https://example.com/?b=%20+%2B&c=%e4&%zz=1&utm_term=a%20b#f',
    );
    expect(urlOf({ link }, { query: 'c=2&%zz=%zz&e=%2B+' })).toBe(
      'https://example.com/?b=%20+%2B&c=2&%zz=%zz&e=%2B+#f',
    );
  });

  test('recognise an arriving parameter in any spelling', () => {
    expect(urlOf({ link: 'https://example.com/?a%20b=1&c=2' }, { query: 'a+b=3&a+b=4' })).toBe(
      'https://example.com/?c=2&a+b=3&a+b=4',
    );
  });

  test('for app stores stay unchanged', () => {
    const ios = { app_store_fallback: 'https://apps.apple.com/app/id1?mt=8' };
    expect(urlOf({ ios, campaign: { utm_source: 'x' } }, { visitor: iphone, query: 'a=1' })).toBe(
      'https://apps.apple.com/app/id1?mt=8',
    );
  });

  const anything = fc.oneof(
    fc.string({ unit: anyCharacter }),
    anyAddress,
    fc.string({ unit: anyCharacter }).map((text) => `https://example.com/${text}`),
    fc.constantFrom(
      'javascript:alert(1)',
      'data:text/html,x',
      'java\nscript:1',
      'https://x\r\nSet-Cookie: a=b',
    ),
  );
  const surrogates = fc.string({ unit: fc.constantFrom('\ud800', '\udc00', 'ä', '&', '=', '\r', '\n', '%') });

  test('in redirects are http or https, in ASCII, and valid in a header', () => {
    fc.assert(
      fc.property(
        anything,
        anything,
        surrogates,
        fc.string({ unit: anyCharacter }),
        (link, other, value, query) => {
          const payload = {
            link,
            desktop_fallback: other,
            ios: { app_store_id: value },
            campaign: { utm_source: value, utm_term: other },
          };
          for (const visitor of [desktop, iphone]) {
            const url = urlOf(payload, { visitor, query });
            if (url === undefined) continue;
            expect(url).toMatch(/^https?:\/\/[\x21-\x7e]+$/);
            expect(() => validateHeaderValue('location', url)).not.toThrow();
            expect(new URL(url).href).toBe(url);
          }
        },
      ),
    );
  });

  test('keep host, path and fragment, whatever a visitor sends', () => {
    fc.assert(
      fc.property(anyAddress, fc.string({ unit: anyCharacter }), (link, query) => {
        // Names such as a.svc are private.
        fc.pre(webAddressFault(link) === undefined);
        const before = new URL(link);
        const after = new URL(urlOf({ link }, { query }) ?? '');
        expect([after.host, after.pathname, after.hash]).toEqual([before.host, before.pathname, before.hash]);
      }),
    );
  });
});

describe('the referrer for Google Play', () => {
  const android: Visitor = { kind: 'person', platform: 'android' };
  const referrerOf = (payload: Partial<LinkPayload>, query = '') => {
    const url = urlOf({ android: { package: 'com.example.shop' }, ...payload }, { visitor: android, query });
    return new URLSearchParams(new URL(url ?? '').searchParams.get('referrer') ?? '');
  };

  test('has the campaign, which arriving parameters override, and the opened short URL', () => {
    const campaign = { utm_source: 'mail', utm_campaign: 'a & b' };
    expect([...referrerOf({ campaign }, 'utm_source=poster&x=1')]).toEqual([
      ['utm_campaign', 'a & b'],
      ['utm_source', 'poster'],
      ['deepLink', `${shortUrl}?utm_source=poster&x=1`],
    ]);
  });

  test.each(['utm%5Fsource=poster', 'utm_source'])('has the campaign, which %s overrides', (query) => {
    const given = referrerOf({ campaign: { utm_source: 'mail' } }, query);
    expect(given.getAll('utm_source')).toEqual([query.split('=')[1] ?? '']);
  });

  test('has the short URL letter for letter, whatever a visitor sends', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[!$-~]{1,200}$/), (query) => {
        expect(referrerOf({}, query).getAll('deepLink')).toEqual([`${shortUrl}?${query}`]);
      }),
    );
  });

  test('leaves out a query that is too long for a header', () => {
    expect(referrerOf({}, `a=${'&'.repeat(limits.url)}`).get('deepLink')).toBe(shortUrl);
  });
});

describe('the preview', () => {
  test('is only for social crawlers', () => {
    const social = { title: 'Sale', image: 'https://cdn.example.com/a b.png' };
    expect(routed({ social }, { visitor: crawler })).toEqual({
      kind: 'preview',
      url: destination,
      preview: { title: 'Sale', description: undefined, image: 'https://cdn.example.com/a%20b.png' },
    });
    const { image } = social;
    const preview = { title: undefined, description: undefined, image: 'https://cdn.example.com/a%20b.png' };
    expect(routed({ social: { image } }, { visitor: crawler })).toMatchObject({ kind: 'preview', preview });
    for (const visitor of [desktop, iphone, { kind: 'bot', platform: 'web' } as const]) {
      expect(urlOf({ social }, { visitor })).toBe(destination);
    }
  });

  test('needs a text or a valid image', () => {
    for (const social of [{}, { title: ' ' }, { image: 'javascript:alert(1)' }, { image: '' }]) {
      expect(routed({ social }, { visitor: crawler }).kind).toBe('redirect');
    }
  });
});

describe('addresses stored before they were refused', () => {
  test.each([
    'http://127.0.0.1:1/x',
    'http://u:p@10.0.0.1/x',
    'https://user@example.com/',
    'http://printer.local/',
    'http://[::ffff:9.9.9.9]/',
    'https://go.example.com/launch',
    'https://GO.example.com:8443/other',
  ])('do not redirect to %s', (address) => {
    expect(urlOf({ desktop_fallback: address })).toBe(destination);
    expect(routed({ link: address })).toEqual({ kind: 'not-found' });
    const apps = { ios: { appStoreFallback: address, appStoreId: '1' } };
    expect(urlOf({}, { visitor: iphone, apps })).toBe('https://apps.apple.com/app/id1');
  });
});

describe('a blocked destination', () => {
  const isBlocked = (hostname: string) => hostname === 'evil.example';
  const evil = 'https://evil.example/login';
  const answer = (payload: Partial<LinkPayload>, visitor: Visitor, apps: Apps = {}) =>
    route({ status: 'ACTIVE', payload: { link: destination, ...payload }, isBlocked }, apps, {
      visitor,
      shortUrl,
      query: 'a=b',
      now,
    }).kind;
  const social = { title: 'Your bank' };

  test('stops only visitors who would be redirected there', () => {
    const fallbacks = { desktop_fallback: 'https://fine.example/', ios: { app_store_fallback: evil } };
    expect([desktop, iphone, crawler].map((visitor) => answer(fallbacks, visitor))).toEqual([
      'redirect',
      'not-found',
      'redirect',
    ]);
    expect([desktop, iphone, crawler].map((visitor) => answer({ link: evil, social }, visitor))).toEqual([
      'not-found',
      'not-found',
      'not-found',
    ]);
    expect(answer({}, iphone, { ios: { appStoreFallback: evil } })).toBe('not-found');
  });

  test('a blocked image is not in a preview', () => {
    expect(answer({ social: { ...social, image: evil } }, crawler)).toBe('not-found');
    expect(answer({ social: { image: evil } }, crawler)).toBe('not-found');
    expect(answer({ social: { ...social, image: evil } }, desktop)).toBe('redirect');
  });
});

describe('arriving parameters', () => {
  const own = { link: 'https://example.com/?a=1&b=2', campaign: { utm_source: 'mail' } };
  const query = 'b=9&c=3&c=4&utm_source=qr';
  test.each([
    [undefined, 'a=1&b=9&c=3&c=4&utm_source=qr'],
    ['merge', 'a=1&b=9&c=3&c=4&utm_source=qr'],
    ['append', 'a=1&b=2&utm_source=mail&c=3&c=4'],
    ['ignore', 'a=1&b=2&utm_source=mail'],
  ] as const)('follow the setting of the link: %s', (mode, expected) => {
    const payload = { ...own, ...(mode && { query: mode }) };
    expect(urlOf(payload, { query })).toBe(`https://example.com/?${expected}`);
    const desktop = { ...payload, link: destination, desktop_fallback: own.link };
    expect(urlOf(desktop, { query })).toBe(`https://example.com/?${expected}`);
  });

  test('reach Google Play as its referrer in any case', () => {
    const payload = { android: { package: 'com.example' }, query: 'ignore' as const };
    const android: Visitor = { kind: 'person', platform: 'android' };
    expect(urlOf(payload, { visitor: android, query: 'utm_source=qr' })).toContain('utm_source%3Dqr');
  });
});
