import { abuseNote } from './abuse-note.ts';
import { cardLink } from './card.ts';
import { escapeHtml, type HtmlPage, htmlPage, type PageParts } from './html.ts';
import { fill, messages, type PageMessages } from './messages.ts';

interface Notice extends Pick<PageParts, 'language' | 'meta' | 'script'> {
  /** The heading, which is also the page's title. */
  readonly heading: string;
  readonly text: string;
  /** The picture's SVG elements. */
  readonly drawing: string;
  /** HTML below the text. */
  readonly more?: string;
}

/** A page with a picture and a few words. */
const notice = ({ heading, text, drawing, more = '', ...parts }: Notice): HtmlPage =>
  htmlPage({
    ...parts,
    title: heading,
    style: `.card { max-width: 27rem; text-align: center }
svg { width: 5rem; height: 5rem; margin: 1rem 0 .5rem; color: var(--accent) }
`,
    body: `<main class="card">
<div>
<svg viewBox="0 0 96 96" fill="none" stroke="currentColor" stroke-width="5" stroke-linecap="round" aria-hidden="true">
${drawing}
</svg>
<h1>${escapeHtml(heading)}</h1>
<p>${escapeHtml(text)}</p>
${more}</div>
</main>`,
  });

/** The page for a link that isn't live, whatever the reason. `onward` is the address that the host's owner offers. */
export const notFoundPage = (contact?: string, onward?: string, text: PageMessages = messages): HtmlPage =>
  notice({
    language: text.language,
    heading: text.notFoundHeading,
    text: text.notFoundText,
    drawing: `<path d="M41 58 30 69a13.5 13.5 0 0 1-19-19l14-14a13.5 13.5 0 0 1 19 0"/>
<path d="M55 38 66 27a13.5 13.5 0 0 1 19 19L71 60a13.5 13.5 0 0 1-19 0"/>
<path d="M40 24v-9M28 28l-5-7M56 72v9M68 68l5 7" opacity=".55"/>`,
    more: onwardLink(onward, text.notFoundOnward) + abuseNote(contact, text),
  });

const onwardLink = (onward: string | undefined, text: string): string =>
  onward === undefined ? '' : cardLink(onward, fill(text, { host: new URL(onward).host }));

/** The response for clients that accept JSON. */
export const notFoundJson = JSON.stringify({
  success: false,
  error: { code: 'LINK_NOT_FOUND', message: 'This link does not lead anywhere' },
});

/**
 * A page that reloads after a random two to four seconds, so that visitors who came together don't return together;
 * without its script, after four. The English one has no `#` or `$`, which API Gateway's templates would interpret, and
 * no apostrophe in a header.
 */
export const retryPage = (text: PageMessages = messages): HtmlPage => ({
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'private, no-store',
    'X-Robots-Tag': 'noindex, nofollow',
    'Retry-After': '3',
  },
  html: notice({
    language: text.language,
    heading: text.retryHeading,
    text: text.retryText,
    meta: '<meta http-equiv="refresh" content="4">\n',
    drawing: '<circle cx="48" cy="48" r="34"/>\n<path d="M48 27v21l13 9"/>',
    script: 'setTimeout(function () { location.reload() }, 2000 + 2000 * Math.random())',
  }).html,
});
