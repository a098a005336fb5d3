import type { Conditions, RuleConditions } from '../rules/rule.ts';
import { words } from './words.ts';

const platformNames = { ios: 'an iPhone or iPad', android: 'Android', web: 'a desktop' };

const { language } = words;
const oneOf = (values: readonly string[]): string =>
  new Intl.ListFormat(language, { type: 'disjunction' }).format(values);

const countryName = (code: string): string => {
  const name = new Intl.DisplayNames(language, { type: 'region' }).of(code);
  return name === undefined || name === code ? code : `${name} (${code})`;
};

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** A time in words, from ISO 8601 in UTC, such as `1 December 2026, 08:00 UTC`. */
export const timeInWords = (iso: string): string =>
  `${dates.format(new Date(iso))}, ${iso.slice(11, 16)} UTC`;

const inWords: { readonly [Name in keyof Conditions]: (wanted: Conditions[Name]) => string } = {
  countries: (codes) => `in ${oneOf(codes.map(countryName))}`,
  languages: (ranges) => `whose first language is ${oneOf(ranges)}`,
  platforms: (platforms) => `on ${oneOf(platforms.map((platform) => platformNames[platform]))}`,
  from: (time) => `from ${timeInWords(time)} on`,
  until: (time) => `until ${timeInWords(time)}`,
};

const names = Object.keys(inWords) as (keyof Conditions)[];

/** A rule's conditions, such as `Visitors, in Germany (DE) or Austria (AT), on a desktop, until 1 December 2026, 08:00 UTC`. */
export const conditionsInWords = (rule: RuleConditions): string =>
  ['Visitors', ...names.flatMap((name) => text(name, rule[name]))].join(', ');

const text = <Name extends keyof Conditions>(name: Name, wanted: Conditions[Name] | undefined): string[] =>
  wanted === undefined ? [] : [inWords[name](wanted)];
