import { words } from './words.ts';

// An import would evaluate every export of the module, which takes 4 ms of the redirect's start.
const { createHash } = process.getBuiltinModule('node:crypto');

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text for element content and quoted attributes. Characters that HTML can't contain become `\uFFFD`. */
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
  /** Comes before everything else, for readers that look at the beginning only. */
  readonly meta?: string;
  readonly style: string;
  readonly body: string;
  /** Where images may come from. @default nowhere */
  readonly images?: string;
  /** Of the page itself, as HTML names languages. @default English */
  readonly language?: string;
  /** Runs after the body. The policy allows this very text and nothing else. @default none */
  readonly script?: string;
}

const sourceOf = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

export const htmlPage = ({
  title,
  meta = '',
  style,
  body,
  images,
  language = words.language,
  script,
}: PageParts): HtmlPage => {
  const css = baseStyle + style;
  const policy = [
    "default-src 'none'",
    `style-src ${sourceOf(css)}`,
    ...(script ? [`script-src ${sourceOf(script)}`] : []),
    ...(images ? [`img-src ${images}`] : []),
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

const baseStyle = `
:root { color-scheme: light dark; --page: #f4f5f8; --card: #fff; --text: #1b1f2a; --soft: #5b6375; --line: #dfe2ea; --accent: #3457d5; --on-accent: #fff }
@media (prefers-color-scheme: dark) {
  :root { --page: #12141a; --card: #1c1f28; --text: #eef0f5; --soft: #a3abbd; --line: #323745; --accent: #8fa8ff; --on-accent: #12141a }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; min-height: 100svh; background: var(--page); color: var(--text); font: 1.0625rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; -webkit-text-size-adjust: 100% }
h1 { margin: 0; font-size: 1.5rem; line-height: 1.25; letter-spacing: -.01em; text-wrap: balance }
p { margin: 0; color: var(--soft); text-wrap: pretty }
a { color: var(--accent) }
.abuse { margin-top: 1.75rem; font-size: .875rem }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px }
`;
