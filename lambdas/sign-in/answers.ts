import type { APIGatewayProxyResult } from 'aws-lambda';
import { strictHeaders } from '../../core/api/strict-headers.ts';
import { type Failure, failureStatus } from '../../core/base/failure.ts';
import { card, cardLink } from '../../core/pages/card.ts';
import { htmlPage } from '../../core/pages/html.ts';

/** The policy of the console's pages, which load only from their own host. */
const contentSecurityPolicy = [
  "default-src 'self'",
  // Logos, which as images run nothing.
  "img-src 'self' data:",
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

export const redirectTo = (address: string, cookies: readonly string[] = []): APIGatewayProxyResult =>
  answer(302, { Location: address }, '', cookies);

export const failed = ({ code, message }: Failure, headers: Headers = {}): APIGatewayProxyResult => {
  const status = failureStatus[code];
  const wait = { 429: '60', 503: '5' }[status as number];
  const all = { ...headers, ...(wait && { 'Retry-After': wait }) };
  return json({ success: false, error: { code, message } }, status, all);
};

/** A page about a failed sign-in, with a link to try again. It contains nothing of the request. */
export const failurePage = (title: string, text: string, again: string) =>
  htmlPage({ title, body: card({ title, description: text }, cardLink(again, 'Sign in')) });
