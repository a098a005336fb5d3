import type { RuleConditions } from '../rules/rule.ts';
import { debugWords, timeInWords } from './debug-words.ts';
import { fill, words } from './words.ts';

const text = debugWords.rules;

const { language } = words;
const oneOf = (values: readonly string[]): string =>
  new Intl.ListFormat(language, { type: 'disjunction' }).format(values);

const countryName = (code: string): string => {
  const name = new Intl.DisplayNames(language, { type: 'region' }).of(code);
  return name === undefined || name === code ? code : `${name} (${code})`;
};

/** Such as `Visitors in Germany (DE) or Austria (AT), on a desktop, until 1 December 2026, 08:00 UTC`. */
export const conditionsInWords = ({ countries, languages, platforms, from, until }: RuleConditions): string =>
  [
    text.visitors,
    ...(countries ? [fill(text.countries, { countries: oneOf(countries.map(countryName)) })] : []),
    ...(languages ? [fill(text.languages, { languages: oneOf(languages) })] : []),
    ...(platforms
      ? [fill(text.platforms, { platforms: oneOf(platforms.map((one) => text.platform[one])) })]
      : []),
    ...(from === undefined ? [] : [fill(text.from, { time: timeInWords(from) })]),
    ...(until === undefined ? [] : [fill(text.until, { time: timeInWords(until) })]),
  ].join(', ');
