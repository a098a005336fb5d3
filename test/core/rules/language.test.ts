import fc from 'fast-check';
import { isInRange, preferredLanguage } from '../../../core/rules/language.ts';
import { anyCharacter } from '../../support/any-character.ts';

describe('preferredLanguage', () => {
  it.each([
    ['de', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'de-at'],
    ['en;q=0.8, de', 'de'],
    ['fr;q=0.5,de;q=0.5', 'fr'],
    ['*, fr;q=0.3', 'fr'],
    ['en;q=0, fr;q=0.001', 'fr'],
    ['en;q=1.001, fr;q=0.2', 'fr'],
    ['en;level=1, fr;q=0.2', 'fr'],
    ['en_US, fr;q=0.2', 'fr'],
    ['EN ; Q=0.7 , fr;q=0.8', 'fr'],
    ['\tzh-Hant-TW ;q=1.000', 'zh-hant-tw'],
    ['abcdefghi, fr;q=0.1', 'fr'],
    [',, ,it', 'it'],
  ])('reads %j as %s', (header, language) => expect(preferredLanguage(header)).toBe(language));

  it.each([[undefined], [''], ['*'], ['*;q=0.5'], ['en;q=0'], ['en;q=0.000'], ['en;q=.5'], ['en;q=']])(
    'reads no language from %j',
    (header) => expect(preferredLanguage(header)).toBeUndefined(),
  );

  it('takes any header', () =>
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (header) => {
        const language = preferredLanguage(header);
        expect(language === undefined || /^[a-z]{1,8}(-[a-z\d]{1,8})*$/.test(language)).toBe(true);
      }),
    ));

  it('is quick with long headers', () => {
    expect(preferredLanguage(`${'a-'.repeat(10_000)}!`)).toBeUndefined();
    expect(preferredLanguage(`${'de;q=0.1,'.repeat(10_000)}en`)).toBe('en');
  });
});

describe('isInRange', () => {
  it.each([
    ['de', 'de', true],
    ['de-at', 'de', true],
    ['de-at', 'DE-AT', true],
    ['de', 'de-AT', false],
    ['den', 'de', false],
    ['zh-hant-tw', 'zh-Hant', true],
    ['iw-il', 'he', true],
    ['he', 'iw', true],
    ['he', 'iw-IL', false],
    ['nb', 'no', true],
    ['nn-no', 'no-NO', true],
    ['no', 'nb', true],
    ['no', 'nn', true],
    ['nb', 'nn', false],
    ['zh-tw', 'zh-Hant', true],
    ['zh-hk', 'zh-Hant', true],
    ['zh-hant', 'zh-TW', true],
    ['zh-hant-tw', 'zh-TW', true],
    ['zh-hk', 'zh-TW', false],
    ['zh-cn', 'zh-Hans', true],
    ['zh', 'zh-Hans', true],
    ['zh-tw', 'zh-Hans', false],
    ['zh-hans-tw', 'zh-TW', false],
    ['zh-hant', 'zh', true],
    ['sr-latn', 'sr-RS', false],
    ['en', 'en-US', false],
    ['en-gb', 'en-UK', true],
    ['sl-rozaj', 'sl', true],
    ['sl', 'sl-rozaj', false],
    ['x-pig-latin', 'de', false],
    ['zh-yue', 'zh', true],
  ])('%s in %s: %s', (language, range, expected) => expect(isInRange(language, range)).toBe(expected));
});
