import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { readBody } from '../../../core/api/request.ts';
import { Failure } from '../../../core/base/failure.ts';
import { limits } from '../../../core/base/limits.ts';
import { linkChange, linkDraft } from '../../../core/links/link-schema.ts';
import { ruleLists } from '../../support/rules.ts';
import { root } from '../../support/source-files.ts';

const link = 'https://example.com/';
const aRule = { name: 'one', countries: ['DE'], link };
const draftOf = (rules: unknown) => ({ payload: { link, rules } });
const read = (rules: unknown) => readBody(linkDraft, draftOf(rules)).payload.rules;

/** The fields that are at fault. */
const faultsOf = (rules: unknown, schema: typeof linkDraft | typeof linkChange = linkDraft): string[] => {
  try {
    readBody<unknown>(schema, draftOf(rules));
    return [];
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return [...error.message.matchAll(/(?:^|; )payload\.([\w.]+): /g)].map(([, field = '']) => field);
  }
};

test('is stored in one form', () => {
  const given = {
    name: 'one',
    countries: ['de', 'At'],
    languages: ['de', 'pt-BR'],
    platforms: ['web', 'ios'],
    from: '2026-12-01',
    until: '2026-12-01T09:00:00+01:00',
    link,
  };
  expect(read([given])).toEqual([
    {
      ...given,
      countries: ['DE', 'AT'],
      from: '2026-12-01T00:00:00.000Z',
      until: '2026-12-01T08:00:00.000Z',
    },
  ]);
});

test.each([[undefined], [null], [[]]])('%j means no rules on creation', (rules) => {
  expect(read(rules)).toBeUndefined();
});

test.each([[null], [[]]])('%j clears in a change', (rules) => {
  expect(readBody(linkChange, draftOf(rules)).payload.rules).toBeNull();
});

const split = (...percents: number[]) => percents.map((percent, i) => ({ name: `e${i}`, percent, link }));
const many = <Value>(count: number, make: (i: number) => Value) =>
  Array.from({ length: count }, (_, i) => make(i));
const pairs = many(26 * 26, (i) => String.fromCharCode(65 + Math.floor(i / 26), 65 + (i % 26)));
const named = (kind: 'region' | 'language') => {
  const names = new Intl.DisplayNames('en', { type: kind, fallback: 'none' });
  return pairs.filter((code) => names.of(kind === 'region' ? code : code.toLowerCase()) !== undefined);
};
/** Regions that Intl has names for: no countries of ISO 3166, or none any more. */
const noCountries =
  'AC AN BU CP CQ CS DD DG DY EA EU EZ FX HV IC NH NT QO QU RH SU TA TP UK UN VD XA XB YD YU ZR ZZ';
const countries = named('region').filter((code) => !noCountries.split(' ').includes(code));
const languages = named('language');

test.each<[string, unknown]>([
  ['a split without a condition', { name: 'one', split: split(50, 50) }],
  ['a split that leaves some', { name: 'one', split: split(1) }],
  ['only a range of time', { name: 'one', from: '2020-01-01', until: '2020-01-02', link }],
  ['the longest name', { ...aRule, name: 'a'.repeat(32) }],
  ...many(5, (i): [string, object] => [
    `countries of part ${i}`,
    { ...aRule, countries: countries.slice(i * 50, i * 50 + 50) },
  ]),
  ...many(10, (i): [string, object] => [
    `languages of part ${i}`,
    { ...aRule, languages: languages.slice(i * 20, i * 20 + 20) },
  ]),
  ['languages of three letters', { ...aRule, languages: ['gsw', 'fil-PH', 'yue', 'qaa', 'abc'] }],
])('takes %s', (_, rule) => expect(faultsOf([rule])).toEqual([]));

test.each<[string, unknown, string[]]>([
  ['no object', 'x', ['rules.0']],
  ['no name', { countries: ['DE'], link }, ['rules.0.name']],
  ['an odd name', { ...aRule, name: 'a b' }, ['rules.0.name']],
  ['a long name', { ...aRule, name: 'a'.repeat(33) }, ['rules.0.name']],
  ['a name of the analytics', { ...aRule, name: 'none' }, ['rules.0.name']],
  ['another one', { ...aRule, name: 'other' }, ['rules.0.name']],
  ['UK', { ...aRule, countries: ['DE', 'uk'] }, ['rules.0.countries.1']],
  ['a country of three letters', { ...aRule, countries: ['DEU'] }, ['rules.0.countries.0']],
  ['51 countries', { ...aRule, countries: countries.slice(0, 51) }, ['rules.0.countries']],
  ['no country', { ...aRule, countries: [] }, ['rules.0.countries']],
  ['a bad language', { ...aRule, languages: ['d'] }, ['rules.0.languages.0']],
  ['a language with a star', { ...aRule, languages: ['de-*'] }, ['rules.0.languages.0']],
  ['a platform twice', { ...aRule, platforms: ['ios', 'ios'] }, ['rules.0.platforms']],
  ['an unknown platform', { ...aRule, platforms: ['IOS'] }, ['rules.0.platforms.0']],
  ['a time without zone', { ...aRule, from: '2026-01-01T00:00' }, ['rules.0.from']],
  ['an empty range', { ...aRule, from: '2026-01-02', until: '2026-01-02' }, ['rules.0.from']],
  ['no condition', { name: 'one', link }, ['rules.0']],
  ['link and split', { ...aRule, split: split(50) }, ['rules.0']],
  ['neither', { name: 'one', countries: ['DE'] }, ['rules.0']],
  ['null', { ...aRule, platforms: null }, ['rules.0.platforms']],
  ['a link that is null', { ...aRule, link: null }, ['rules.0.link']],
  ['an unknown field', { ...aRule, contries: ['AT'] }, ['rules.0.contries']],
  ['a near miss', { ...aRule, Countries: ['AT'] }, ['rules.0.Countries']],
  ['a private address', { ...aRule, link: 'http://10.0.0.1/' }, ['rules.0.link']],
  ['no entries', { name: 'one', split: [] }, ['rules.0.split']],
  ['6 entries', { name: 'one', split: split(1, 1, 1, 1, 1, 1) }, ['rules.0.split']],
  ['over 100 percent', { name: 'one', split: split(60, 41) }, ['rules.0.split']],
  ['half a percent', { name: 'one', split: split(0.5) }, ['rules.0.split.0.percent']],
  ['0 percent', { name: 'one', split: split(1, 0) }, ['rules.0.split.1.percent']],
  ['an entry twice', { name: 'one', split: [...split(1), ...split(1)] }, ['rules.0.split.1.name']],
  [
    'an unknown field of an entry',
    { name: 'one', split: [{ ...split(1)[0], weight: 1 }] },
    ['rules.0.split.0.weight'],
  ],
])('refuses %s', (_, rule, faults) => {
  expect(faultsOf([rule])).toEqual(faults);
  expect(faultsOf([rule], linkChange)).toEqual(faults);
});

test.each<[string, unknown, string[]]>([
  ['what is no list', {}, ['rules']],
  ['21 rules', many(21, (i) => ({ ...aRule, name: `r${i}` })), ['rules']],
  ['a name twice', [aRule, { ...aRule, link: `${link}2` }], ['rules.1.name']],
  ['too many bytes', many(9, (i) => ({ ...aRule, name: `r${i}`, link: link + 'x'.repeat(1900) })), ['rules']],
  [
    'too many quotes',
    many(11, (i) => ({ ...aRule, name: `r${i}`, link: `${link}?${'"'.repeat(600)}` })),
    ['rules'],
  ],
])('refuses %s', (_, rules, faults) => expect(faultsOf(rules)).toEqual(faults));

test('a list of ordinary texts never takes too much as JSON in JSON', () => {
  const wide = {
    countries: countries.slice(0, 50),
    languages: many(20, (i) => `qa${pairs[i]?.at(-1)}`),
  };
  const ordinary = many(20, (i) => ({ ...wide, name: `r${i}`, link: `${link}${'x'.repeat(370)}` }));
  expect(faultsOf(ordinary)).toEqual([]);
});

test('names may differ only by case', () => {
  expect(faultsOf([aRule, { ...aRule, name: 'ONE' }])).toEqual([]);
});

test('takes the limits of a list', () => {
  const bytes = (rules: unknown) => Buffer.byteLength(JSON.stringify(rules));
  const rules = many(9, (i) => ({ ...aRule, name: `r${i}`, link: link + 'x'.repeat(1740) }));
  const last = rules.at(-1);
  if (!last) throw new Error('There are rules');
  const filled = [
    ...rules.slice(0, -1),
    { ...last, link: last.link + 'x'.repeat(limits.rules.bytes - bytes(rules)) },
  ];
  expect(bytes(filled)).toBe(limits.rules.bytes);
  expect(faultsOf(filled.map((rule) => rule))).toEqual([]);
});

test('takes every generated list, and shows it as it was sent', () =>
  fc.assert(
    fc.property(ruleLists(fc.constant('https://example.com')), (rules) => {
      const valid = rules.filter(
        ({ from, until, link: address, ...rest }) =>
          !(from && until && from >= until) && (!address || from || until || Object.keys(rest).length > 1),
      );
      expect(read(valid) ?? []).toEqual(valid);
    }),
  ));

test('the examples of docs/rules.md are payloads', () => {
  const page = readFileSync(path.join(root, 'docs/rules.md'), 'utf8');
  const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => JSON.parse(text));
  expect(examples).toHaveLength(3);
  for (const payload of examples)
    expect(readBody(linkDraft, { payload }).payload.rules).toHaveLength(payload.rules.length);
});

test.each<[string, string, string]>([
  ['countries', 'UK', 'is not a country code; use GB'],
  ['countries', 'el', 'is not a country code; use GR'],
  ['countries', 'JA', 'is not a country code; use JP'],
  ['countries', 'SU', 'is not a country code; use RU'],
  ...['EU', 'UN', 'XX', 'ZZ', 'AC'].map(
    (code) => ['countries', code, 'must be a two-letter ISO 3166 country code'] as [string, string, string],
  ),
  ['languages', 'jp', 'is not a language code; use ja'],
  ['languages', 'JP-jp', 'is not a language code; use ja'],
  ['languages', 'cz', 'is not a language code; use cs'],
  ['languages', 'ger', 'is not a language code; use de'],
  ['languages', 'xx', 'must be a language such as'],
  ['languages', 'xyz', 'must be a language such as'],
])('%s may not contain %s', (name, code, message) => {
  expect(() => read([{ ...aRule, [name]: [code] }])).toThrow(`payload.rules.0.${name}.0: ${message}`);
});
