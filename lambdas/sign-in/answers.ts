import type { APIGatewayProxyResult } from 'aws-lambda';
import { strictHeaders } from '../../core/api/strict-headers.ts';
import { escapeHtml, htmlPage } from '../../core/pages/html.ts';

/** The console's pages load what its own host serves, and nothing else. */
const contentSecurityPolicy = [
  "default-src 'self'",
  // QR codes are drawn in the page.
  "img-src 'self' data: blob:",
  "base-uri 'none'",
  "object-src 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const common = {
  ...strictHeaders,
  'Cache-Control': 'no-store',
  'Content-Security-Policy': contentSecurityPolicy,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Frame-Options': 'DENY',
};

interface More {
  readonly cookies?: readonly string[];
  readonly retryAfter?: number;
}

const answer = (
  statusCode: number,
  headers: Readonly<Record<string, string>>,
  body: string,
  { cookies = [], retryAfter }: More = {},
): APIGatewayProxyResult => ({
  statusCode,
  headers: {
    ...common,
    ...headers,
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
  },
  ...(cookies.length > 0 && { multiValueHeaders: { 'Set-Cookie': [...cookies] } }),
  body,
});

export const file = (type: string, content: string): APIGatewayProxyResult =>
  answer(200, { 'Content-Type': type }, content);

export const json = (data: object): APIGatewayProxyResult =>
  answer(200, { 'Content-Type': 'application/json' }, JSON.stringify(data));

export const nothing = (more: More): APIGatewayProxyResult => answer(204, {}, '', more);

export const led = (address: string, more: More = {}): APIGatewayProxyResult =>
  answer(302, { Location: address }, '', more);

/** What keeps the page's own calls from success. */
const failures = {
  BAD_REQUEST: [400, 'The body must be {"project": "ID"}'],
  SIGN_IN_REQUIRED: [401, 'Sign in to the console'],
  FOREIGN_ORIGIN: [403, 'Only the console itself calls this, with application/json'],
  NOT_A_MEMBER: [403, 'You are not a member of this project'],
  NOT_FOUND: [404, 'The console has no such page'],
  METHOD_NOT_ALLOWED: [405, 'This address takes other methods'],
  TOO_MANY_KEYS: [429, 'Too many of your keys of this project are in use; wait a minute'],
  INTERNAL_ERROR: [500, 'Something went wrong'],
  SERVICE_UNAVAILABLE: [503, 'The service is busy; try again in a moment'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

export const failed = (
  code: keyof typeof failures,
  headers: Readonly<Record<string, string>> = {},
): APIGatewayProxyResult => {
  const [status, message] = failures[code];
  const retryAfter = { 429: 60, 503: 5 }[status as number];
  return answer(
    status,
    { 'Content-Type': 'application/json', ...headers },
    JSON.stringify({ success: false, error: { code, message } }),
    retryAfter === undefined ? {} : { retryAfter },
  );
};

interface Told extends More {
  readonly status: number;
  readonly title: string;
  readonly text: string;
  /** Where to sign in once more. */
  readonly again: string;
}

/** A page for somebody who could not be signed in. It shows nothing of the request. */
export const told = ({ status, title, text, again, ...more }: Told): APIGatewayProxyResult => {
  const { headers, html } = htmlPage({
    title,
    style:
      'body { display: grid; place-content: center; padding: 1.5rem } main { max-width: 30rem } p { margin-top: .75rem }',
    body: `<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p><p><a href="${escapeHtml(again)}">Sign in</a></p></main>`,
  });
  return answer(status, headers, html, more);
};
