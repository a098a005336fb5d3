import type { APIGatewayProxyResult } from 'aws-lambda';
import { strictHeaders } from '../../core/api/strict-headers.ts';
import { escapeHtml, htmlPage } from '../../core/pages/html.ts';

/** The console's pages load what its own host serves, and nothing else. */
const contentSecurityPolicy = [
  "default-src 'self'",
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

type Headers = Readonly<Record<string, string>>;

export const answer = (
  statusCode: number,
  headers: Headers,
  body = '',
  cookies: readonly string[] = [],
): APIGatewayProxyResult => ({
  statusCode,
  headers: { ...common, ...headers },
  ...(cookies.length > 0 && { multiValueHeaders: { 'Set-Cookie': [...cookies] } }),
  body,
});

export const json = (data: object, statusCode = 200, headers: Headers = {}): APIGatewayProxyResult =>
  answer(statusCode, { 'Content-Type': 'application/json', ...headers }, JSON.stringify(data));

export const led = (address: string, cookies: readonly string[] = []): APIGatewayProxyResult =>
  answer(302, { Location: address }, '', cookies);

/** What keeps the page's own calls from success. */
const failures = {
  BAD_REQUEST: [400, 'The body must be {"project": "ID"}'],
  SIGN_IN_REQUIRED: [401, 'Sign in to the console'],
  FOREIGN_ORIGIN: [403, 'Only the console itself calls this, with application/json'],
  NOT_A_MEMBER: [403, 'You are not a member of this project'],
  NOT_FOUND: [404, 'The console has no such page'],
  METHOD_NOT_ALLOWED: [405, 'This address takes other methods'],
  TOO_MANY_KEYS: [
    429,
    'You have opened this project 20 times within a quarter of an hour; try again in some minutes',
  ],
  INTERNAL_ERROR: [500, 'Something went wrong'],
  SERVICE_UNAVAILABLE: [503, 'The service is busy; try again in a moment'],
} as const satisfies Record<string, readonly [status: number, message: string]>;

/** Thrown by what can't be carried out. */
export class Failed extends Error {
  readonly code: keyof typeof failures;

  constructor(code: keyof typeof failures) {
    super(code);
    this.code = code;
  }
}

export const failed = (code: keyof typeof failures, headers: Headers = {}): APIGatewayProxyResult => {
  const [status, message] = failures[code];
  const wait = { 429: '60', 503: '5' }[status as number];
  const all = { ...headers, ...(wait && { 'Retry-After': wait }) };
  return json({ success: false, error: { code, message } }, status, all);
};

const style =
  'body { display: grid; place-content: center; padding: 1.5rem } main { max-width: 30rem } p { margin-top: .75rem }';

/** A page for somebody who could not be signed in, with the way to try again. It shows nothing of the request. */
export const pageSaying = (title: string, text: string, again: string) => {
  const body = `<main><h1>${escapeHtml(title)}</h1><p>${escapeHtml(text)}</p><p><a href="${escapeHtml(again)}">Sign in</a></p></main>`;
  return htmlPage({ title, style, body });
};
