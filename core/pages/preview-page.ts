import type { Preview } from '../short-urls/routing.ts';
import { card, cardLink } from './card.ts';
import { escapeHtml, type HtmlPage, htmlPage } from './html.ts';
import { fill, messages } from './messages.ts';

/** The page for social networks, with the link's own title, description and image. */
export const previewPage = (
  { title, description, image }: Preview,
  { shortUrl, destination }: { shortUrl: string; destination: string },
): HtmlPage => {
  // Every network needs a title: the destination's host, if the link has none.
  const { host } = new URL(destination);
  const shown = title ?? host;
  const tags: [kind: 'property' | 'name', name: string, content: string | undefined][] = [
    ['property', 'og:title', shown],
    ['property', 'og:description', description],
    ['property', 'og:image', image],
    ['property', 'og:image:alt', image && shown],
    ['property', 'og:url', shortUrl],
    ['property', 'og:site_name', host],
    ['property', 'og:type', 'website'],
    ['name', 'twitter:card', image ? 'summary_large_image' : 'summary'],
    ['name', 'description', description],
  ];
  return htmlPage({
    title: shown,
    meta: tags
      .filter(([, , content]) => content !== undefined)
      .map(([kind, name, content]) => `<meta ${kind}="${name}" content="${escapeHtml(content ?? '')}">\n`)
      .join(''),
    pictures: 'https: http:',
    body: card({ title: shown, description, image }, cardLink(destination, fill(messages.web, { host }))),
  });
};
