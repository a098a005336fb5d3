import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createContext, Script } from 'node:vm';

const source = readFileSync(path.join(import.meta.dirname, '../../lib/viewer-request.js'), 'utf8');

type Headers = Record<string, { value: string; multiValue?: { value: string }[] }>;
interface Answer {
  readonly statusCode?: number;
  readonly headers: Headers;
  readonly body?: string;
  readonly uri?: string;
}

/** Nothing but the language, as CloudFront has it; the source is run as it ships. */
const run = new Script(`${source};handler`).runInContext(createContext({})) as (event: object) => Answer;

const ask = (request: { method?: string; uri?: string; headers?: Headers } = {}): Answer =>
  run({
    version: '1.0',
    context: { eventType: 'viewer-request' },
    request: {
      method: 'GET',
      uri: '/launch',
      querystring: {},
      cookies: {},
      ...request,
      headers: { host: { value: 'go.example.com' }, ...request.headers },
    },
  });

test('ships within the limit of CloudFront, without what CloudFront answers with 503', () => {
  expect(Buffer.byteLength(source)).toBeLessThan(10 * 1024);
  expect(source).not.toMatch(/^\s*(export|import)\b/m);
});

test('hands on the host that the viewer asked for, in lower case', () => {
  const { headers, uri } = ask({ headers: { host: { value: 'Go.Example.COM' } } });
  expect(headers['x-forwarded-host']).toEqual({ value: 'go.example.com' });
  expect(uri).toBe('/launch');
});

test('takes no viewer at their word for it', () => {
  const { headers } = ask({ headers: { 'x-forwarded-host': { value: 'bank.example.com' } } });
  expect(headers['x-forwarded-host']).toEqual({ value: 'go.example.com' });
});

test.each(['sec-purpose', 'purpose', 'x-purpose', 'x-moz'])('hands on what %s says in one header', (name) => {
  const { headers } = ask({ headers: { [name]: { value: 'prefetch' } } });
  expect(headers['sec-purpose']).toEqual({ value: 'prefetch' });
  expect(Object.keys(headers).sort()).toEqual(['host', 'sec-purpose', 'x-forwarded-host']);
});

test('loses none of several headers that say why a browser asks', () => {
  const { headers } = ask({
    headers: {
      'sec-purpose': { value: 'a', multiValue: [{ value: 'a' }, { value: 'b' }] },
      'x-moz': { value: 'prefetch' },
    },
  });
  expect(headers['sec-purpose']).toEqual({ value: 'a, b, prefetch' });
});

test.each(['GET', 'HEAD'])('lets %s pass', (method) => {
  expect(ask({ method }).statusCode).toBeUndefined();
});

test.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('answers %s itself', (method) => {
  const { statusCode, headers } = ask({ method });
  expect(statusCode).toBe(405);
  expect(headers.allow).toEqual({ value: 'GET, HEAD' });
});

test('opens the host to crawlers, which keep previews from nobody', () => {
  const { statusCode, headers, body } = ask({ uri: '/robots.txt' });
  expect(statusCode).toBe(200);
  expect(headers['content-type']?.value).toMatch(/^text\/plain/);
  expect(body).toBe('User-agent: *\nAllow: /\n');
});

test('answers the browsers that look for an icon', () => {
  expect(ask({ uri: '/favicon.ico' }).statusCode).toBe(204);
});

test.each([{ method: 'POST' }, { uri: '/robots.txt' }, { uri: '/favicon.ico' }])(
  'answers %j with the security headers of all other answers',
  (request) => {
    expect(ask(request).headers).toMatchObject({
      'strict-transport-security': { value: 'max-age=31536000' },
      'x-content-type-options': { value: 'nosniff' },
    });
  },
);
