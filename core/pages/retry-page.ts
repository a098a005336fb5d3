import { escapeHtml, type HtmlPage } from './html.ts';
import { type PageWords, words } from './words.ts';

/**
 * A page that opens its own address again after two to four seconds, at random: those who came together don't come again
 * together. Without its script it takes four. In English it has neither `#` nor `$`, which API Gateway's templates would
 * read as their own, and no apostrophe in a header.
 */
export const retryPage = (said: PageWords = words): HtmlPage => ({
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'private, no-store',
    'X-Robots-Tag': 'noindex, nofollow',
    'Retry-After': '3',
  },
  html: `<!doctype html>
<html lang="${said.language}">
<head>
<meta charset="utf-8">
<title>${escapeHtml(said.retryTitle)}</title>
<meta http-equiv="refresh" content="4">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<style>body { font: 1.0625rem/1.55 system-ui, sans-serif; max-width: 27rem; margin: 30vh auto 0; padding: 0 1.5rem; text-align: center }</style>
</head>
<body>
<h1>${escapeHtml(said.retryHeading)}</h1>
<p>${escapeHtml(said.retryText)}</p>
<script>setTimeout(function () { location.reload() }, 2000 + 2000 * Math.random())</script>
</body>
</html>
`,
});
