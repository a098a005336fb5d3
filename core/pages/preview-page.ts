import type { Preview } from '../short-urls/routing.ts';
import { escapeHtml, type HtmlPage, htmlPage } from './html.ts';

/** A social network's view of a link: its own title, text and image, whatever the destination says of itself. */
export const previewPage = (
  { title, description, image }: Preview,
  { shortUrl, destination }: { shortUrl: string; destination: string },
): HtmlPage => {
  // Every network wants a title; the host is what people would see of the address.
  const { host } = new URL(destination);
  const shown = title ?? host;
  const tags: [kind: 'property' | 'name', name: string, content: string | undefined][] = [
    ['property', 'og:title', shown],
    ['property', 'og:description', description],
    ['property', 'og:image', image],
    ['property', 'og:url', shortUrl],
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
    images: 'https: http:',
    style: `
body { display: grid; place-items: center; padding: 1.5rem }
main { width: 100%; max-width: 30rem; overflow: hidden; border: 1px solid var(--line); border-radius: 1rem; background: var(--card) }
img { display: block; width: 100%; aspect-ratio: 1.91; object-fit: cover; background: var(--line) }
div { padding: 1.25rem 1.5rem 1.5rem; overflow-wrap: anywhere }
p { margin-top: .5rem }
a { display: inline-block; margin-top: 1.1rem; font-weight: 600 }
`,
    body: `<main>
${image ? `<img src="${escapeHtml(image)}" alt="">\n` : ''}<div>
<h1>${escapeHtml(shown)}</h1>
${description ? `<p>${escapeHtml(description)}</p>\n` : ''}<a href="${escapeHtml(destination)}" rel="nofollow noopener">Continue to ${escapeHtml(host)}</a>
</div>
</main>`,
  });
};
