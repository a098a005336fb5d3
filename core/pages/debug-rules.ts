import type { Decision } from '../rules/decide.ts';
import type { Rule, SplitEntry } from '../rules/rule.ts';
import { debugWords, timeInWords } from './debug-words.ts';
import { escapeHtml } from './html.ts';
import { fill, words } from './words.ts';

const text = debugWords.rules;

interface ShownRules {
  readonly rules: readonly Rule[];
  /** What the rules say to whoever looks. */
  readonly decision: Decision | undefined;
  readonly now: Date;
}

/** Every rule of a link in its order: its conditions, where it leads, and which one decides for whoever looks. */
export const rulesSection = ({ rules, decision, now }: ShownRules): string => {
  if (rules.length === 0) return '';
  const items = rules.map((rule) => ruleItem(rule, decision?.rule === rule.name ? decision : undefined, now));
  const outcome = decision ? '' : `<p>${escapeHtml(text.noneDecides)}</p>\n`;
  return `<section class="rules" aria-labelledby="rules">
<h2 id="rules">${escapeHtml(text.heading)}</h2>
<p>${escapeHtml(text.order)}</p>
<ol>
${items.join('\n')}
</ol>
${outcome}</section>
<h2>${escapeHtml(text.otherwise)}</h2>
`;
};

const ruleItem = (rule: Rule, decision: Decision | undefined, now: Date): string => {
  // Anybody may open the page, and what is to come may be a secret.
  if (rule.from !== undefined && now.toISOString() < rule.from) return `<li>${escapeHtml(text.toCome)}</li>`;
  const mark = decision ? ` <span class="state">${escapeHtml(text.decides)}</span>` : '';
  const hasPassed = rule.until !== undefined && rule.until <= now.toISOString();
  const warning = hasPassed ? `<p class="passed">${escapeHtml(text.passed)}</p>` : '';
  return `<li><p><strong>${escapeHtml(rule.name)}</strong>${mark}</p>
<p>${escapeHtml(conditionsInWords(rule))}</p>${warning}
${rule.link === undefined ? shares(rule.split ?? [], decision) : `<p>${addressLink(rule.link)}</p>`}</li>`;
};

const shares = (split: readonly SplitEntry[], decision: Decision | undefined): string => {
  const rows = split.map(({ name, percent, link }) => {
    const share = fill(text.share, { name, percent: String(percent) });
    const mark = decision?.entry === name ? ` <span class="state">${escapeHtml(text.yours)}</span>` : '';
    return `<li>${escapeHtml(share)}${mark} ${addressLink(link)}</li>`;
  });
  return `<ul>\n${rows.join('\n')}\n</ul>`;
};

/** As browsers ask for it: letters of other scripts can look like those of a host that people know. */
const addressLink = (address: string): string => {
  const href = URL.parse(address)?.href;
  return href === undefined
    ? escapeHtml(address)
    : `<a href="${escapeHtml(href)}" rel="nofollow noopener">${escapeHtml(href)}</a>`;
};

const { language } = words;
const oneOf = (values: readonly string[]): string =>
  new Intl.ListFormat(language, { type: 'disjunction' }).format(values);

const countryName = (code: string): string => {
  const name = new Intl.DisplayNames(language, { type: 'region' }).of(code);
  return name === undefined || name === code ? code : `${name} (${code})`;
};

/** Such as `Visitors in Germany (DE) or Austria (AT), on a desktop, until 1 December 2026, 08:00 UTC`. */
const conditionsInWords = ({ countries, languages, platforms, from, until }: Rule): string =>
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
