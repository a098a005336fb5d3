import { canonicalTag } from '../rules/language.ts';
import type { Conditions, RuleConditions } from '../rules/rule.ts';
import { messages } from './messages.ts';

const platformNames = { ios: 'an iPhone or iPad', android: 'Android', web: 'a desktop' };

const { language } = messages;
const oneOf = (values: readonly string[]): string =>
  new Intl.ListFormat(language, { type: 'disjunction' }).format(values);

/** A code's name, or the code if it has none; rules stored earlier may have others. */
const nameOf = (type: 'region' | 'language') => (code: string) =>
  canonicalTag(type === 'region' ? `und-${code}` : code)
    ? (new Intl.DisplayNames(language, { type }).of(code) ?? code)
    : code;

const dates = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });

/** A time in words, from ISO 8601 in UTC, such as `1 December 2026, 08:00 UTC`. */
export const timeInWords = (iso: string): string =>
  `${dates.format(new Date(iso))}, ${iso.slice(11, 16)} UTC`;

const inWords: { readonly [Name in keyof Conditions]: (wanted: Conditions[Name]) => string } = {
  countries: (codes) => `in ${oneOf(codes.map(nameOf('region')))}`,
  languages: (ranges) => `whose first language is ${oneOf(ranges.map(nameOf('language')))}`,
  platforms: (platforms) => `on ${oneOf(platforms.map((platform) => platformNames[platform]))}`,
  from: (time) => `from ${timeInWords(time)} on`,
  until: (time) => `until ${timeInWords(time)}`,
};

const names = Object.keys(inWords) as (keyof Conditions)[];

/** A rule's conditions, such as `Visitors in Germany or Austria, on a desktop, until 1 December 2026, 08:00 UTC`. */
export const conditionsInWords = (rule: RuleConditions): string =>
  `Visitors ${names.flatMap((name) => text(name, rule[name])).join(', ')}`.trim();

const text = <Name extends keyof Conditions>(name: Name, wanted: Conditions[Name] | undefined): string[] =>
  wanted === undefined ? [] : [inWords[name](wanted)];
