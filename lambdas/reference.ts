import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { strictHeaders } from '../core/api/strict-headers.ts';
import type { HtmlPage } from '../core/pages/html.ts';

const read = (name: string): string => readFileSync(path.join(import.meta.dirname, name), 'utf8');

const description: HtmlPage = { headers: { 'Content-Type': 'application/json' }, html: read('openapi.json') };
const page: HtmlPage = JSON.parse(read('docs.json'));

/** Serves the API's description and its reference page. */
export const handler = async ({
  resource,
  path,
  requestContext,
}: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  // The page's links are relative to its address without a trailing slash.
  if (path.endsWith('/')) return moved(requestContext.path);
  const { headers, html } = resource.endsWith('/docs') ? page : description;
  return {
    statusCode: 200,
    headers: { ...strictHeaders, ...headers, 'Cache-Control': 'public, max-age=300' },
    body: html,
  };
};

const moved = (address: string): APIGatewayProxyResult => ({
  statusCode: 308,
  // Two slashes at the start would mean a host.
  headers: { ...strictHeaders, Location: address.replace(/^\/{2,}/, '/').replace(/\/+$/, '') },
  body: '',
});
