import type { Visitor } from '../clicks/visitor.ts';
import {
  type Apps,
  type Arrival,
  type Route,
  type RoutedLink,
  route,
  type Setting,
  savedAppId,
} from '../short-urls/routing.ts';
import { escapeHtml, type HtmlPage, htmlPage } from './html.ts';

const kinds: readonly { readonly name: string; readonly visitor: Visitor }[] = [
  { name: 'Android', visitor: { kind: 'person', platform: 'android' } },
  { name: 'iPhone, iPad', visitor: { kind: 'person', platform: 'ios' } },
  { name: 'Desktop', visitor: { kind: 'person', platform: 'web' } },
  { name: 'Social crawler', visitor: { kind: 'social-crawler', platform: 'web' } },
];

interface Row {
  readonly name: string;
  readonly url: string | undefined;
  readonly target: string;
  readonly why: string;
}

/** Where each kind of visitor of a live link would go, and why: a picture and a table. */
export const debugPage = (
  link: RoutedLink,
  apps: Apps,
  { shortUrl, query, now }: Omit<Arrival, 'visitor'>,
): HtmlPage => {
  const rows = kinds.map(({ name, visitor }) => {
    const answer = route(link, apps, { visitor, shortUrl, query, now });
    return { name, ...describe(answer), why: reason(answer, link, apps, visitor) };
  });
  const expiry = link.expiresAt === undefined ? '' : ` until ${link.expiresAt}`;
  return htmlPage({
    title: `Where ${shortUrl} leads`,
    style,
    body: `<main>
<h1>Where this link leads</h1>
<p class="address">${escapeHtml(shortUrl)}</p>
<p><span class="state">Active</span>${escapeHtml(expiry)}</p>
${picture(rows, shortUrl)}
<table>
<thead><tr><th scope="col">Visitor</th><th scope="col">Gets</th><th scope="col">Because</th></tr></thead>
<tbody>
${rows.map(tableRow).join('\n')}
</tbody>
</table>
<p class="note">Opening this page counts no click. A phone that has the app installed may open the app before this service sees the visit.</p>
</main>`,
  });
};

const describe = (answer: Route): Pick<Row, 'url' | 'target'> => {
  if (answer.kind === 'redirect') return { url: answer.url, target: new URL(answer.url).host };
  return { url: undefined, target: answer.kind === 'preview' ? 'A preview page' : 'The “not found” page' };
};

const reason = (answer: Route, link: RoutedLink, apps: Apps, { kind, platform }: Visitor): string => {
  if (answer.kind === 'not-found') return 'The link has no address that can be opened.';
  if (answer.kind === 'preview') return 'The link has a social preview. People who tap it go on as above.';
  const crawler = kind === 'social-crawler' ? 'Without a social preview, as a desktop browser: ' : '';
  if (platform === 'web') {
    const desktop = answer.setting === 'desktop-fallback' ? 'the desktop fallback.' : 'the destination.';
    return sentence(`${crawler}${desktop}`);
  }
  const app = savedAppId(link, platform);
  const settings = app !== undefined && apps[platform] ? 'saved app' : 'link';
  const gone =
    app !== undefined && settings === 'link' ? ` The saved app ${app} does not exist any more.` : '';
  return `${because[answer.setting].replace('?', settings)}${gone}`;
};

const because: Readonly<Record<Setting, string>> = {
  'store-fallback': 'The ?’s store fallback.',
  'store-id': 'The store page that the ? names.',
  'desktop-fallback': 'The desktop fallback.',
  destination: 'The destination: the ? names no store address for this system.',
};

const sentence = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const tableRow = ({ name, url, target, why }: Row): string => {
  const gets =
    url === undefined
      ? escapeHtml(target)
      : `<a href="${escapeHtml(url)}" rel="nofollow noopener">${escapeHtml(url)}</a>`;
  return `<tr><th scope="row">${escapeHtml(name)}</th><td>${gets}</td><td>${escapeHtml(why)}</td></tr>`;
};

const rowHeight = 62;
const top = 64;

/** The short URL with a branch for each kind of visitor, drawn for the width of a phone. */
const picture = (rows: readonly Row[], shortUrl: string): string => {
  const last = top + (rows.length - 1) * rowHeight + 24;
  const branches = rows.map(({ name, target }, i) => {
    const y = top + i * rowHeight;
    return `<path d="M20 ${y + 14}q0 10 10 10h18" class="line"/>
<path d="m44 ${y + 19} 6 5-6 5" class="line"/>
<rect x="56" y="${y}" width="303" height="48" rx="10"/>
<text x="70" y="${y + 20}" class="soft">${escapeHtml(name)}</text>
<text x="70" y="${y + 38}">${escapeHtml(shorten(target, 36))}</text>`;
  });
  const { host, pathname } = new URL(shortUrl);
  return `<svg viewBox="0 0 360 ${last + 26}" role="img" aria-label="The link branches by kind of visitor; the table below says where to.">
<path d="M20 42V${last - 10}" class="line"/>
<rect x="1" y="1" width="358" height="42" rx="10" class="from"/>
<text x="16" y="27" class="inverse">${escapeHtml(shorten(host + pathname, 42))}</text>
${branches.join('\n')}
</svg>`;
};

const shorten = (text: string, length: number): string => {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
};

const style = `
main { max-width: 46rem; margin: 0 auto; padding: 2rem 1.25rem 3rem }
.address { margin-top: .35rem; font-weight: 600; color: var(--text); overflow-wrap: anywhere }
.state { display: inline-block; margin: .6rem .35rem 0 0; padding: .05rem .6rem; border-radius: 1rem; background: #1d7a46; color: #fff; font-size: .875rem; font-weight: 600 }
svg { display: block; width: 100%; max-width: 27rem; margin: 1.5rem 0 2rem; font: 14px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif }
svg rect { fill: var(--card); stroke: var(--line) }
svg text { fill: var(--text); font-weight: 600 }
svg .soft { fill: var(--soft); font-size: 12px; font-weight: 400 }
svg .from { fill: var(--accent); stroke: none }
svg .inverse { fill: var(--card) }
svg .line { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
table { width: 100%; border-collapse: collapse; font-size: .9375rem }
th, td { padding: .75rem 1rem .75rem 0; border-top: 1px solid var(--line); text-align: left; vertical-align: top; overflow-wrap: anywhere }
thead th { border: 0; color: var(--soft); font-weight: 400 }
tbody th { white-space: nowrap }
td:last-child { color: var(--soft); padding-right: 0 }
.note { margin-top: 1.75rem; font-size: .9375rem }
@media (max-width: 36rem) {
  thead { position: absolute; clip-path: inset(50%) }
  tr, tbody th, td { display: block }
  tr { padding: .75rem 0; border-top: 1px solid var(--line) }
  th, td { padding: .15rem 0; border: 0 }
}
`;
