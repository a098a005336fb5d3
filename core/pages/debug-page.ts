import type { Association } from '../short-urls/association.ts';
import { previewOf, type RoutedLink } from '../short-urls/routing.ts';
import { abuseNote } from './abuse-note.ts';
import { card } from './card.ts';
import { addressLink, rulesSection } from './debug-rules.ts';
import { escapeHtml, type HtmlPage, htmlPage } from './html.ts';
import { linkWarnings } from './link-warnings.ts';
import { timeInWords } from './rule-words.ts';
import { type Routed, type VisitorRoute, visitorRoutes } from './visitor-routes.ts';

/** A live link and its project. */
export interface Inspected extends Routed {
  /** The apps that may open the project's short URLs. */
  readonly association: Pick<Association, 'ios' | 'android'> | undefined;
  /** The contact for reporting abuse: an https or mailto address. */
  readonly abuseContact?: string | undefined;
}

/** The debug page: where a live link leads each kind of visitor, and why, with warnings. It is only in English. */
export const debugPage = (inspected: Inspected): HtmlPage => {
  const { link, apps, association, shortUrl, query, now, abuseContact } = inspected;
  const rows = visitorRoutes({ link, apps, shortUrl, query, now });
  return htmlPage({
    title: `Where ${shortUrl} leads`,
    style,
    pictures: 'https: http:',
    body: `<main>
<h1>Where this link leads</h1>
<p class="address">${escapeHtml(shortUrl)}</p>
<p><span class="state">Active</span>${expiry(link.expiresAt)}</p>
${warningList(linkWarnings(link, apps, association))}${rulesSection(inspected)}${table(rows)}
${socialCard(link, rows)}${qrLinks(shortUrl)}
<p class="note">Opening this page doesn’t count as a click. A phone that has the app installed may open the app without visiting this address.</p>
${abuseNote(abuseContact)}</main>`,
  });
};

const expiry = (expiresAt: string | undefined): string =>
  expiresAt === undefined
    ? ''
    : ` until <time datetime="${escapeHtml(expiresAt)}">${escapeHtml(timeInWords(expiresAt))}</time>`;

const warningList = (warnings: readonly string[]): string =>
  warnings.length === 0
    ? ''
    : `<section class="warnings" aria-labelledby="warnings">
<h2 id="warnings">Worth a look</h2>
<ul>
${warnings.map((warning) => `<li>${escapeHtml(warning)}</li>`).join('\n')}
</ul>
</section>
`;

const table = (rows: readonly VisitorRoute[]): string => `<table>
<thead><tr>${['Visitor', 'Gets', 'Because'].map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead>
<tbody>
${rows.map(tableRow).join('\n')}
</tbody>
</table>`;

const tableRow = ({ name, url, target, why }: VisitorRoute): string => {
  const gets = url === undefined ? escapeHtml(target) : addressLink(url);
  return `<tr><th scope="row">${escapeHtml(name)}</th><td>${gets}</td><td>${escapeHtml(why)}</td></tr>`;
};

/** The link's preview as social networks show it, under its host. */
const socialCard = (link: RoutedLink, rows: readonly VisitorRoute[]): string => {
  const preview = previewOf(link);
  if (!preview) return '';
  const host = rows.find(({ url }) => url !== undefined)?.target ?? '';
  return `<h2>In social networks</h2>
${card({ ...preview, title: preview.title ?? host }, '', 'h3')}
`;
};

const qrLinks = (shortUrl: string): string => {
  const [png, svg] = ['png', 'svg'].map(
    (kind) => `<a href="${escapeHtml(`${shortUrl}/qr.${kind}`)}">${kind.toUpperCase()}</a>`,
  );
  return `<p class="note">QR code: ${png} or ${svg}</p>`;
};

const style = `
body { display: block; place-items: normal; padding: 0 }
main { max-width: 54rem; margin: 0 auto; padding: 2rem 1.25rem 3rem }
.address { margin-top: .35rem; font-weight: 600; color: var(--text); overflow-wrap: anywhere }
.state { display: inline-block; margin: .6rem .35rem 0 0; padding: .1rem .7rem; border-radius: 1rem; background: #1d7a46; color: #fff; font-size: .875rem; font-weight: 600; line-height: 1.5 }
h2 { margin: 2rem 0 .75rem; font-size: 1.125rem }
h3 { margin: 0; font-size: 1.125rem; line-height: 1.3 }
.warnings { margin-top: 1.5rem; padding: 1rem 1.25rem; border: 1px solid var(--line); border-left: .35rem solid #c77700; border-radius: .75rem; background: var(--card) }
.warnings h2 { margin: 0; font-size: 1rem }
.warnings ul { margin: .4rem 0 0; padding-left: 1.1rem; overflow-wrap: anywhere }
table { width: 100%; margin-top: 1.5rem; border-collapse: collapse; font-size: .9375rem }
th, td { padding: .75rem 1.5rem .75rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere }
thead th { border: 0; color: var(--soft); font-weight: 400 }
tbody th { white-space: nowrap }
.rules ol { padding-left: 1.3rem } .rules li { margin: .8rem 0; overflow-wrap: anywhere } .rules p:not(.note) { margin: .15rem 0 }
.passed { color: #b35900 }
td:last-child { width: 32%; color: var(--soft); padding-right: 0 }
.note { margin-top: 1.75rem; font-size: .9375rem }
.note + .note { margin-top: .5rem }
@media (max-width: 36rem) {
  thead { position: absolute; clip-path: inset(50%) }
  tr, tbody th, td, td:last-child { display: block; width: auto }
  tr { padding: .75rem 0; border-top: 1px solid var(--line) }
  th, td { padding: .15rem 0; border: 0 }
}
`;
