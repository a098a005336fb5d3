import type { APIGatewayProxyResult } from 'aws-lambda';
import { strictHeaders } from '../../core/api/strict-headers.ts';
import { errorOf, type Failure, failureStatus } from '../../core/base/failure.ts';
import { card, cardLink } from '../../core/pages/card.ts';
import { consoleHeaders } from '../../core/pages/console-headers.ts';
import { htmlPage } from '../../core/pages/html.ts';

type Headers = Readonly<Record<string, string>>;

export const answer = (
  statusCode: number,
  headers: Headers,
  body = '',
  cookies: readonly string[] = [],
): APIGatewayProxyResult => ({
  statusCode,
  headers: { ...strictHeaders, ...consoleHeaders, ...headers },
  ...(cookies.length > 0 && { multiValueHeaders: { 'Set-Cookie': [...cookies] } }),
  body,
});

export const json = (data: object, statusCode = 200, headers: Headers = {}): APIGatewayProxyResult =>
  answer(statusCode, { 'Content-Type': 'application/json', ...headers }, JSON.stringify(data));

export const redirectTo = (address: string, cookies: readonly string[] = []): APIGatewayProxyResult =>
  answer(302, { Location: address }, '', cookies);

export const failed = (failure: Failure, headers: Headers = {}): APIGatewayProxyResult => {
  const status = failureStatus[failure.code];
  const wait = { 429: '60', 503: '5' }[status as number];
  const all = { ...headers, ...(wait && { 'Retry-After': wait }) };
  return json({ success: false, error: errorOf(failure) }, status, all);
};

/** A page about a failed sign-in, with a link to try again. It contains nothing of the request. */
export const failurePage = (title: string, text: string, again: string) =>
  htmlPage({ title, body: card({ title, description: text }, cardLink(again, 'Sign in')) });
