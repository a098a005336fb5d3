import { debugWords } from './debug-words.ts';
import { escapeHtml } from './html.ts';

/** Visitors who get the same, and a short label for it. */
export interface Branch {
  readonly name: string;
  readonly target: string;
}

const rowHeight = 62;
const top = 64;

/** The short URL with a branch for each kind of visitor, drawn for the width of a phone. */
export const picture = (branches: readonly Branch[], shortUrl: string): string => {
  const last = top + (branches.length - 1) * rowHeight + 24;
  const rows = branches.map(({ name, target }, i) => {
    const y = top + i * rowHeight;
    return `<path d="M20 ${y + 14}q0 10 10 10h18" class="line"/>
<path d="m44 ${y + 19} 6 5-6 5" class="line"/>
<rect x="56" y="${y}" width="303" height="48" rx="10"/>
<text x="70" y="${y + 20}" class="soft">${escapeHtml(shorten(name, 44))}</text>
<text x="70" y="${y + 38}">${escapeHtml(shorten(target, 36))}</text>`;
  });
  const { host, pathname } = new URL(shortUrl);
  return `<svg viewBox="0 0 360 ${last + 26}" role="img" aria-label="${escapeHtml(debugWords.picture)}">
<path d="M20 42V${last - 10}" class="line"/>
<rect x="1" y="1" width="358" height="42" rx="10" class="from"/>
<text x="16" y="27" class="inverse">${escapeHtml(shorten(host + pathname, 42))}</text>
${rows.join('\n')}
</svg>`;
};

const shorten = (text: string, length: number): string => {
  const characters = [...text];
  return characters.length <= length ? text : `${characters.slice(0, length - 1).join('')}…`;
};

export const pictureStyle = `
svg { display: block; width: 100%; max-width: 27rem; margin: 1.5rem 0 2rem; font: 14px system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif }
svg rect { fill: var(--card); stroke: var(--line) }
svg text { fill: var(--text); font-weight: 600 }
svg .soft { fill: var(--soft); font-size: 12px; font-weight: 400 }
svg .from { fill: var(--accent); stroke: none }
svg .inverse { fill: var(--on-accent) }
svg .line { fill: none; stroke: var(--accent); stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
`;
