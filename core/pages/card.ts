import type { Preview } from '../short-urls/routing.ts';
import { escapeHtml } from './html.ts';

/** A link on a card, as wide as the card and high enough for a thumb. */
export interface CardLink {
  readonly href: string;
  readonly text: string;
  /** Highlights the choice that most people want. @default false */
  readonly isMain?: boolean;
  /** Further attributes, as HTML. */
  readonly attributes?: string;
}

export const cardLink = ({ href, text, isMain = false, attributes = '' }: CardLink): string =>
  `<a class="${isMain ? 'button main' : 'button'}" href="${escapeHtml(href)}" rel="nofollow noopener"${attributes}>${escapeHtml(text)}</a>`;

/** What a link says of itself. Without a picture the card begins with the title. */
export const cardHead = ({ title, description, image }: Preview, heading: 'h1' | 'h3' = 'h1'): string =>
  `${image ? `<img src="${escapeHtml(image)}" alt="">\n` : ''}<div>
<${heading}>${escapeHtml(title ?? '')}</${heading}>
${description ? `<p>${escapeHtml(description)}</p>\n` : ''}`;

export const cardStyle = `
.card { width: 100%; max-width: 30rem; overflow: hidden; border: 1px solid var(--line); border-radius: 1rem; background: var(--card) }
.card img { display: block; width: 100%; aspect-ratio: 1.91; object-fit: cover; background: var(--line) }
.card > div { padding: 1.25rem 1.5rem 1.5rem; overflow-wrap: anywhere }
.card p { margin-top: .5rem }
.button { display: grid; place-items: center; min-height: 3rem; margin-top: .75rem; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: .75rem; font-weight: 600; text-align: center; text-decoration: none }
.main { border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
p + .button, h1 + .button { margin-top: 1.25rem }
.button:hover { text-decoration: underline }
`;
