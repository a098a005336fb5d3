import type { Rule, SplitEntry } from '../rules/rule.ts';
import { escapeHtml } from './html.ts';
import { conditionsInWords } from './rule-words.ts';
import { describedRoute, type Routed } from './visitor-routes.ts';

/** A link's rules in order, with conditions and addresses, and the one that decides for the page's visitor. */
export const rulesSection = (routed: Routed): string => {
  const { link, shortUrl, decision } = routed;
  const { rules = [] } = link.payload;
  if (rules.length === 0) return '';
  const items = rules.map((rule) =>
    ruleItem(rule, { ...routed, decision: decision?.rule === rule.name ? decision : undefined }),
  );
  const path = `GET /1.0/analytics?groupBy=rules&code=${shortUrl.split('/').at(-1)}`;
  const outcome = decision ? '' : '<p>No rule decides for you.</p>\n';
  return `<section class="rules" aria-labelledby="rules">
<h2 id="rules">Rules</h2>
<p>The first rule that matches decides where a visitor goes.</p>
<ol>
${items.join('\n')}
</ol>
${outcome}<p class="note">Whoever has a key of the project finds the clicks of each rule at ${escapeHtml(path)}</p>
</section>
<h2>If no rule matches</h2>
`;
};

const ruleItem = (rule: Rule, routed: Routed): string => {
  const { decision, now } = routed;
  // Anybody may open the page, and future rules may be secret.
  if (rule.from !== undefined && now.toISOString() < rule.from) return '<li>A rule that begins later.</li>';
  const mark = decision ? ' <span class="state">decides for you</span>' : '';
  const hasPassed = rule.until !== undefined && rule.until <= now.toISOString();
  const warning = hasPassed ? '<p class="passed">Its time has passed. Remove it, or change its end.</p>' : '';
  return `<li><p><strong>${escapeHtml(rule.name)}</strong>${mark}</p>
<p>${escapeHtml(conditionsInWords(rule))}</p>${warning}
${rule.link === undefined ? shares(rule.split ?? [], routed) : `<p>${ruleAddress(rule.link, routed)}</p>`}</li>`;
};

const shares = (split: readonly SplitEntry[], routed: Routed): string => {
  const rows = split.map(({ name, percent, link }) => {
    const mark = routed.decision?.entry === name ? ' <span class="state">yours</span>' : '';
    return `<li>${escapeHtml(`${name}, ${percent} %:`)}${mark} ${ruleAddress(link, routed)}</li>`;
  });
  return `<ul>\n${rows.join('\n')}\n</ul>`;
};

/**
 * A rule's address with campaign and query. Its host is in ASCII, because letters of other scripts can imitate a known
 * host. An address that can't be followed isn't linked.
 */
const ruleAddress = (link: string, routed: Routed): string => {
  const { url } = describedRoute(
    { ...routed, decision: { rule: '', link } },
    { kind: 'person', platform: 'web' },
  );
  return url === undefined ? escapeHtml(URL.parse(link)?.href ?? link) : addressLink(url);
};

export const addressLink = (url: string): string =>
  `<a href="${escapeHtml(url)}" rel="nofollow noopener">${escapeHtml(url)}</a>`;
