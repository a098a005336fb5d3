import type { Preview } from '../short-urls/routing.ts';
import { escapeHtml } from './html.ts';

/** A link on a card, as wide as the card and high enough for a thumb; further attributes are HTML. The first is the main one. */
export const cardLink = (href: string, text: string, attributes = ''): string =>
  `<a class="button" href="${escapeHtml(href)}" rel="nofollow noopener"${attributes}>${escapeHtml(text)}</a>\n`;

/** What a link says of itself, and below it more, as HTML. Without a picture the card begins with the title. */
export const card = (
  { title, description, image }: Preview,
  more = '',
  heading: 'h1' | 'h3' = 'h1',
): string => {
  const element = heading === 'h1' ? 'main' : 'div';
  return `<${element} class="card">
${image ? `<img src="${escapeHtml(image)}" alt="">\n` : ''}<div>
<${heading}>${escapeHtml(title ?? '')}</${heading}>
${description ? `<p>${escapeHtml(description)}</p>\n` : ''}${more}</div>
</${element}>`;
};
