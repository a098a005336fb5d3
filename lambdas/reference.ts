import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { strictHeaders } from '../core/api/strict-headers.ts';
import { failureMessage } from '../core/base/messages.ts';

/** Files that the bundle brings beside this code, by their addresses below the API's version. */
const files: Readonly<Record<string, { readonly type: string; readonly cache: string }>> = {
  'openapi.json': { type: 'application/json', cache: 'public, max-age=300' },
  docs: { type: 'text/html; charset=utf-8', cache: 'public, max-age=300' },
  'docs/start.js': { type: 'text/javascript; charset=utf-8', cache: 'public, max-age=300' },
  'docs/page.css': { type: 'text/css; charset=utf-8', cache: 'public, max-age=300' },
  // The page names their version, so they never change.
  'docs/swagger-ui-bundle.js': {
    type: 'text/javascript; charset=utf-8',
    cache: 'public, max-age=31536000, immutable',
  },
  'docs/swagger-ui.css': { type: 'text/css; charset=utf-8', cache: 'public, max-age=31536000, immutable' },
};

/** The page may load only what this API serves, and no other site may embed it. */
const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  // The renderer sets styles on elements, and its stylesheet contains drawings.
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const common = {
  ...strictHeaders,
  'Content-Security-Policy': contentSecurityPolicy,
  'Referrer-Policy': 'no-referrer',
};

/** Serves the description of the API and the page that shows it. */
export const handler = async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const name = nameOf(event);
  const file = Object.hasOwn(files, name) ? files[name] : undefined;
  if (!file) return notFound;
  // The page's addresses are relative to its own, which has no trailing slash.
  if (event.path.endsWith('/')) return moved(event.requestContext.path);
  return {
    statusCode: 200,
    headers: { ...common, 'Content-Type': file.type, 'Cache-Control': file.cache },
    body: contentOf(name),
  };
};

const nameOf = ({ resource, pathParameters }: APIGatewayProxyEvent): string =>
  resource
    .split('/')
    .slice(2)
    .join('/')
    .replace('{file}', pathParameters?.file ?? '');

const contents = new Map<string, string>();

const contentOf = (name: string): string => {
  const content =
    contents.get(name) ?? readFileSync(path.join(import.meta.dirname, path.basename(name)), 'utf8');
  contents.set(name, content);
  return content;
};

const moved = (address: string): APIGatewayProxyResult => ({
  statusCode: 308,
  // Two slashes at its start would name a host.
  headers: { ...common, Location: address.replace(/^\/{2,}/, '/').replace(/\/+$/, '') },
  body: '',
});

const notFound: APIGatewayProxyResult = {
  statusCode: 404,
  headers: { ...common, 'Content-Type': 'application/json' },
  body: JSON.stringify({
    success: false,
    error: { code: 'NOT_FOUND', message: failureMessage('noEndpoint') },
  }),
};
