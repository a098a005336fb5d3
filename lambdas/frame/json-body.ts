import middy from '@middy/core';
import jsonBodyParser from '@middy/http-json-body-parser';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { limits } from '../../core/base/limits.ts';
import { failure } from '../../core/base/messages.ts';
import { bodyText } from './body-text.ts';

/** A request's parsed JSON body. Throws VALIDATION_ERROR for anything else. */
export const readJsonBody = async (
  event: APIGatewayProxyEvent,
  maxBytes: number = limits.bodyBytes,
): Promise<unknown> => {
  checkSize(event, maxBytes);
  const body = bodyText(event);
  if (body === undefined) throw failure('notUtf8');
  // The parser accepts two spellings of the header's name and one of its value, but API Gateway keeps the client's.
  const headers = { 'content-type': contentType(event)?.toLowerCase() };
  return parse({ ...event, headers, body, isBase64Encoded: false }, {} as Parameters<typeof parse>[1]);
};

const parse = middy<APIGatewayProxyEvent, unknown>()
  .use(jsonBodyParser())
  .onError(({ error }) => {
    throw failure(error?.message === 'Unsupported Media Type' ? 'notJsonType' : 'notJson');
  })
  .handler(async ({ body }: { body: unknown }) => body);

const contentType = ({ headers }: APIGatewayProxyEvent): string | undefined =>
  Object.entries(headers ?? {}).find(([name]) => name.toLowerCase() === 'content-type')?.[1];

const checkSize = ({ body, isBase64Encoded }: APIGatewayProxyEvent, maxBytes: number) => {
  if (body === null) throw failure('noBody');
  if (Buffer.byteLength(body, isBase64Encoded ? 'base64' : 'utf8') > maxBytes) {
    throw failure('bodyTooLarge', { bytes: maxBytes });
  }
};
