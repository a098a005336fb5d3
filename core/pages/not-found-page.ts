import { abuseNote } from './abuse-note.ts';
import { escapeHtml, type HtmlPage, htmlPage } from './html.ts';
import { fill, type PageWords, words } from './words.ts';

/**
 * The page for a link that isn't live, the same for every reason. `onward` is an address that the host's
 * owner offers instead.
 */
export const notFoundPage = (abuseContact?: string, onward?: string, said: PageWords = words): HtmlPage =>
  htmlPage({
    title: said.notFoundTitle,
    language: said.language,
    style: `
body { display: grid; align-content: center; justify-content: center; padding: 1.5rem 1.5rem 18vh }
main { max-width: 27rem; text-align: center }
svg { display: block; width: 6rem; height: 6rem; margin: 0 auto 1.25rem; color: var(--accent) }
p { margin-top: .75rem }
`,
    body: `<main>
<svg viewBox="0 0 96 96" fill="none" stroke="currentColor" stroke-width="5" stroke-linecap="round" aria-hidden="true">
<path d="M41 58 30 69a13.5 13.5 0 0 1-19-19l14-14a13.5 13.5 0 0 1 19 0"/>
<path d="M55 38 66 27a13.5 13.5 0 0 1 19 19L71 60a13.5 13.5 0 0 1-19 0"/>
<path d="M40 24v-9M28 28l-5-7M56 72v9M68 68l5 7" opacity=".55"/>
</svg>
<h1>${escapeHtml(said.notFoundHeading)}</h1>
<p>${escapeHtml(said.notFoundText)}</p>
${onwardLink(onward, said.notFoundOnward)}${abuseNote(abuseContact, said)}</main>`,
  });

const onwardLink = (onward: string | undefined, text: string): string =>
  onward === undefined
    ? ''
    : `<p><a href="${escapeHtml(onward)}" rel="noopener">${escapeHtml(fill(text, { host: new URL(onward).host }))}</a></p>\n`;

/** The same for programs that ask for JSON. */
export const notFoundJson = JSON.stringify({
  success: false,
  error: { code: 'LINK_NOT_FOUND', message: 'This link does not lead anywhere' },
});
