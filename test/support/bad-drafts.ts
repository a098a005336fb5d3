import fc from 'fast-check';
import { anyCharacter } from './any-character.ts';
import { hostileUrls } from './hostile-urls.ts';

/** Mostly valid values, because one fault hides others. */
const mostly = <Value>(right: fc.Arbitrary<Value>, wrong: fc.Arbitrary<Value>): fc.Arbitrary<Value> =>
  fc.oneof({ weight: 5, arbitrary: right }, { weight: 1, arbitrary: wrong });

const strange = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.constantFrom('', ' ', 'a\nb', 'a\u0007b', 'a\u202eb', '\ud800', '\u009f'),
  fc.integer({ min: 200, max: 2100 }).map((length) => 'ä"\\'.repeat(length).slice(0, length)),
);
const text = mostly(fc.constantFrom('Sale', 'Ä', 'x → y'), strange);
const hosts = Array.from({ length: 14 }, (_, index) => `https://h${index}.example.com/`);
const address = mostly(
  fc.constantFrom('https://example.com/', ...hosts),
  fc.oneof(
    fc.constantFrom(...hostileUrls, 'x.com', 'http://localhost/', 'https://a:b@c.de/'),
    strange,
    fc
      .integer({ min: 1900, max: 2100 })
      .map((length) => `https://example.com/${'ü'.repeat(length)}`.slice(0, length)),
  ),
);
const identifier = mostly(
  fc.constant('com.example.app'),
  fc.oneof(
    strange,
    fc.constantFrom('my app', 'https://play.google.com/store/apps/details?id=a', `${'é'.repeat(250)}`),
  ),
);
const time = mostly(
  fc.constantFrom('2040-01-01', '2040-01-01T12:00+02:00', '2041-06-01T00:00:00Z'),
  fc.constantFrom(
    '2040-02-30',
    '2040-01-01T12:00',
    '2020-01-01',
    'soon',
    '2040-01-01T25:00Z',
    '2040-01-01T12:00+15:00',
    '0000-01-01T00:00+01:00',
  ),
);
const ruleName = mostly(
  fc.constantFrom('a', 'b', 'c', 'd', 'e'),
  fc.constantFrom('none', 'other', 'a b', ''),
);
const fields = (names: readonly string[], value: fc.Arbitrary<string>) =>
  fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });

const rule = fc.record(
  {
    name: ruleName,
    countries: fc.array(mostly(fc.constantFrom('de', 'AT'), fc.constantFrom('UK', 'DEU', '')), {
      maxLength: 3,
    }),
    languages: fc.array(mostly(fc.constantFrom('de', 'pt-BR'), fc.constantFrom('d', 'de_DE')), {
      maxLength: 3,
    }),
    platforms: fc.array(mostly(fc.constantFrom('ios', 'web'), fc.constant('tv')), { maxLength: 4 }),
    from: time,
    until: time,
    link: address,
    split: fc.array(
      fc.record({
        name: ruleName,
        percent: mostly(fc.constantFrom(10, 50), fc.constantFrom(0, 101)),
        link: address,
      }),
      { maxLength: 6 },
    ),
  },
  { requiredKeys: ['name'] },
);

/** Links whose values have their types, and may be wrong in every other way. */
export const badDrafts: fc.Arbitrary<{ readonly payload: object }> = fc.record(
  {
    name: text,
    tags: fc.array(
      mostly(fc.constantFrom(...'abcdefghijkl'), fc.constantFrom('a b', '', 'ä', 'x'.repeat(40))),
      {
        maxLength: 14,
      },
    ),
    expiresAt: time,
    payload: fc.record(
      {
        link: address,
        iosAppId: text,
        android: fc.record(
          { package: identifier, store_fallback: address, min_version: text },
          { requiredKeys: [] },
        ),
        ios: fc.record(
          {
            bundleId: identifier,
            app_store_fallback: address,
            app_store_id: mostly(fc.constant('123'), fc.constantFrom('12a', '', '1'.repeat(21))),
            min_version: text,
          },
          { requiredKeys: [] },
        ),
        social: fc.record({ title: text, description: text, image: address }, { requiredKeys: [] }),
        campaign: mostly(
          fields(['utm_source', 'utm_medium', 'utm_term'], text),
          fields(
            ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'],
            fc.constant('ü'.repeat(255)),
          ),
        ),
        desktop_fallback: address,
        interstitial: mostly(fc.constantFrom('auto', 'never'), fc.constant('sometimes')),
        query: mostly(fc.constantFrom('merge', 'ignore'), fc.constant('drop')),
        rules: fc.array(rule, { maxLength: 22, size: 'max' }),
      },
      { requiredKeys: ['link'] },
    ),
  },
  { requiredKeys: ['payload'] },
);
