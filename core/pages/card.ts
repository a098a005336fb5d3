import type { Preview } from '../short-urls/routing.ts';
import { escapeHtml } from './html.ts';

/** A link on a card: as a button as wide as the card and high enough for a thumb, the first being the main one, or as text. Attributes are HTML. */
export const cardLink = (
  href: string,
  text: string,
  attributes = '',
  look: 'button' | 'note' = 'button',
): string =>
  `<a class="${look}" href="${escapeHtml(href)}" rel="nofollow noopener"${attributes}>${escapeHtml(text)}</a>\n`;

/** What a link says of itself, and below it more, as HTML. Without a picture the card begins with the title. */
export const card = (
  { title, description, image }: Preview,
  more = '',
  heading: 'h1' | 'h3' = 'h1',
): string => {
  const element = heading === 'h1' ? 'main' : 'div';
  return `<${element} class="card">
${image ? `<img src="${escapeHtml(image)}" alt="">\n` : ''}<div>
<${heading} dir="auto">${escapeHtml(title ?? '')}</${heading}>
${description ? `<p dir="auto">${escapeHtml(description)}</p>\n` : ''}${more}</div>
</${element}>`;
};
