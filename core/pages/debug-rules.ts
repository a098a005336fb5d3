import type { Decision } from '../rules/decide.ts';
import type { Rule, SplitEntry } from '../rules/rule.ts';
import { debugWords } from './debug-words.ts';
import { escapeHtml } from './html.ts';
import { conditionsInWords } from './rule-words.ts';
import { fill } from './words.ts';

const text = debugWords.rules;

interface ShownRules {
  readonly shortUrl: string;
  readonly rules: readonly Rule[];
  /** What the rules say to whoever looks. */
  readonly decision: Decision | undefined;
  readonly now: Date;
}

/** Every rule of a link in its order: its conditions, where it leads, and which one decides for whoever looks. */
export const rulesSection = ({ rules, shortUrl, decision, now }: ShownRules): string => {
  if (rules.length === 0) return '';
  const items = rules.map((rule) => ruleItem(rule, decision?.rule === rule.name ? decision : undefined, now));
  const path = `GET /1.0/analytics?groupBy=rules&code=${shortUrl.split('/').at(-1)}`;
  const outcome = decision ? '' : `<p>${escapeHtml(text.noneDecides)}</p>\n`;
  return `<section class="rules" aria-labelledby="rules">
<h2 id="rules">${escapeHtml(text.heading)}</h2>
<p>${escapeHtml(text.order)}</p>
<ol>
${items.join('\n')}
</ol>
${outcome}<p class="note">${escapeHtml(fill(text.figures, { path }))}</p>
</section>
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
