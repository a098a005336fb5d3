import { messages } from './messages.ts';

// An import would evaluate every export of the module, which takes 4 ms of the redirect's start.
const { createHash } = process.getBuiltinModule('node:crypto');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for element content and quoted attributes. Characters that HTML can't contain become `\uFFFD`. */
export const escapeHtml = (text: string): string =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to be replaced
    .replace(/[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/g, '\uFFFD')
    .replace(/[&<>"']/g, (character) => entities[character] ?? '');

/** A self-contained page, with the headers that enforce it. */
export interface HtmlPage {
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}

export interface PageParts {
  readonly title: string;
  /** HTML at the start of the head, for crawlers that read only the beginning. */
  readonly meta?: string;
  readonly style?: string;
  readonly body: string;
  /** Sources of its images, as in a Content-Security-Policy. @default none */
  readonly pictures?: string;
  /** The page's language as an HTML language code. @default English */
  readonly language?: string;
  /** A script that runs after the body; the policy allows only this text. @default none */
  readonly script?: string;
}

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export const htmlPage = ({
  title,
  meta = '',
  style = '',
  body,
  pictures,
  language = messages.language,
  script,
}: PageParts): HtmlPage => {
  const css = baseStyle + style;
  const policy = [
    "default-src 'none'",
    `style-src ${sourceOf(css)}`,
    ...(script ? [`script-src ${sourceOf(script)}`] : []),
    ...(pictures ? [`img-src ${pictures}`] : []),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policy.join('; '),
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    },
    html: `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
${meta}<title>${escapeHtml(title)}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<meta name="color-scheme" content="light dark">
<style>${css}</style>
</head>
<body>
${body}
${script ? `<script>${script}</script>\n` : ''}</body>
</html>
`,
  };
};

/**
 * The style of all pages: a card in the middle. It has no `#`, which API Gateway's templates would interpret. An image
 * has no fixed height, so that one that fails to load leaves no frame.
 */
const baseStyle = `
:root { color-scheme: light dark; --page: rgb(244 245 248); --card: white; --text: rgb(27 31 42); --soft: rgb(91 99 117); --line: rgb(223 226 234); --accent: rgb(52 87 213); --on-accent: white }
@media (prefers-color-scheme: dark) {
  :root { --page: rgb(18 20 26); --card: rgb(28 31 40); --text: rgb(238 240 245); --soft: rgb(163 171 189); --line: rgb(50 55 69); --accent: rgb(143 168 255); --on-accent: rgb(18 20 26) }
}
* { box-sizing: border-box }
body { display: grid; place-items: center; margin: 0; padding: 1.5rem; min-height: 100vh; min-height: 100svh; background: var(--page); color: var(--text); font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; -webkit-text-size-adjust: 100% }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; text-wrap: balance; word-break: auto-phrase }
p { margin: 0; color: var(--soft); text-wrap: pretty }
a { color: var(--accent) }
.card { width: 100%; max-width: 30rem; overflow: hidden; border: 1px solid var(--line); border-radius: 1rem; background: var(--card) }
.card img { display: block; width: 100%; max-height: 16rem; object-fit: cover }
.card > div { padding: 1.25rem 1.5rem 1.5rem; overflow-wrap: anywhere }
.card p { margin-top: .5rem }
.card .abuse, .abuse { margin-top: 1.75rem; font-size: .875rem }
.button { display: grid; place-items: center; min-height: 3rem; margin-top: .75rem; padding: .5rem 1rem; border: 1px solid var(--line); border-radius: .75rem; font-weight: 600; text-align: center; text-decoration: none }
.button:first-of-type { margin-top: 1.25rem; border-color: var(--accent); background: var(--accent); color: var(--on-accent) }
.button:hover { text-decoration: underline }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
`;
