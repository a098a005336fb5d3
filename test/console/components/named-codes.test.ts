import { codeOf, knownCodes, takeCodes } from '../../../console/components/named-codes.ts';
import { isCountry, isLanguage } from '../../../core/rules/registered-codes.ts';

test('the completed countries and languages are those that rules accept', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const all = letters.flatMap((one) => letters.map((other) => one + other));
  const countries = knownCodes('countries').map(([code]) => code);
  expect(countries.toSorted()).toEqual(all.filter(isCountry));
  const languages = knownCodes('languages').map(([code]) => code);
  expect(languages.length).toBeGreaterThan(150);
  expect(languages.filter((code) => !isLanguage(code))).toEqual([]);
});

test.each([
  ['countries', 'Austria', 'AT'],
  ['countries', 'uk', 'GB'],
  ['countries', 'EU', undefined],
  ['languages', 'german', 'de'],
  ['languages', 'pt-br', 'pt-BR'],
  ['languages', 'iw', 'he'],
  ['languages', 'jp', undefined],
] as const)('of %s, %s is %s', (kind, typed, code) => expect(codeOf(kind, typed)).toBe(code));

test('wrong names stay to be corrected', () => {
  expect(takeCodes('countries')('DE, Austria, Atlantis', ['GB'])).toEqual({
    all: ['GB', 'DE', 'AT'],
    rest: 'Atlantis',
    fault: 'There is no country Atlantis',
  });
});
