import type { Decision } from '../rules/decide.ts';
import type { Rule, SplitEntry } from '../rules/rule.ts';
import type { Arrival } from '../short-urls/routing.ts';
import { escapeHtml } from './html.ts';
import { conditionsInWords } from './rule-words.ts';

/** Every rule of a link in its order: its conditions, where it leads, and which one decides for whoever looks. */
export const rulesSection = (
  rules: readonly Rule[],
  { shortUrl, decision, now }: Pick<Arrival, 'shortUrl' | 'decision' | 'now'>,
): string => {
  if (rules.length === 0) return '';
  const items = rules.map((rule) => ruleItem(rule, decision?.rule === rule.name ? decision : undefined, now));
  const path = `GET /1.0/analytics?groupBy=rules&code=${shortUrl.split('/').at(-1)}`;
  const outcome = decision ? '' : '<p>No rule decides for you.</p>\n';
  return `<section class="rules" aria-labelledby="rules">
<h2 id="rules">Rules</h2>
<p>The first rule that holds decides where a visitor goes.</p>
<ol>
${items.join('\n')}
</ol>
${outcome}<p class="note">Whoever has a key of the project finds the clicks of each rule at ${escapeHtml(path)}</p>
</section>
<h2>If no rule holds</h2>
`;
};

const ruleItem = (rule: Rule, decision: Decision | undefined, now: Date): string => {
  // Anybody may open the page, and what is to come may be a secret.
  if (rule.from !== undefined && now.toISOString() < rule.from) return '<li>A rule that begins later.</li>';
  const mark = decision ? ' <span class="state">decides for you</span>' : '';
  const hasPassed = rule.until !== undefined && rule.until <= now.toISOString();
  const warning = hasPassed ? '<p class="passed">Its time has passed. Remove it, or change its end.</p>' : '';
  return `<li><p><strong>${escapeHtml(rule.name)}</strong>${mark}</p>
<p>${escapeHtml(conditionsInWords(rule))}</p>${warning}
${rule.link === undefined ? shares(rule.split ?? [], decision) : `<p>${addressLink(rule.link)}</p>`}</li>`;
};

const shares = (split: readonly SplitEntry[], decision: Decision | undefined): string => {
  const rows = split.map(({ name, percent, link }) => {
    const mark = decision?.entry === name ? ' <span class="state">yours</span>' : '';
    return `<li>${escapeHtml(`${name}, ${percent} %:`)}${mark} ${addressLink(link)}</li>`;
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
