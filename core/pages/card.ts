import type { Preview } from '../short-urls/routing.ts';
import { escapeHtml } from './html.ts';

/** A link on a card, as a full-width button or as text. The first button is the main one. `attributes` is HTML. */
export const cardLink = (
  href: string,
  text: string,
  attributes = '',
  look: 'button' | 'note' = 'button',
): string =>
  `<a class="${look}" href="${escapeHtml(href)}" rel="nofollow noopener"${attributes}>${escapeHtml(text)}</a>\n`;

/** A card with a link's preview, and `more` HTML below it. `logo` is a data URL, shown above the title. */
export const card = (
  { title, description, image, logo }: Preview & { readonly logo?: string | null | undefined },
  more = '',
  heading: 'h1' | 'h3' = 'h1',
): string => {
  const element = heading === 'h1' ? 'main' : 'div';
  return `<${element} class="card">
${image ? `<img src="${escapeHtml(image)}" alt="">\n` : ''}<div>
${logo ? `<img class="logo" src="${escapeHtml(logo)}" alt="">\n` : ''}<${heading} dir="auto">${escapeHtml(title ?? '')}</${heading}>
${description ? `<p dir="auto">${escapeHtml(description)}</p>\n` : ''}${more}</div>
</${element}>`;
};
