import type { APIGatewayProxyEvent } from 'aws-lambda';

/**
 * A request body as text, without a byte order mark. Undefined if it isn't UTF-8, which API Gateway shows only by U+FFFD in
 * place of the bytes that it couldn't read.
 */
export const bodyText = ({
  body,
  isBase64Encoded,
}: Pick<APIGatewayProxyEvent, 'body' | 'isBase64Encoded'>): string | undefined => {
  if (!isBase64Encoded) return body?.includes('\ufffd') ? undefined : (body ?? '').replace(/^\ufeff/, '');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body ?? '', 'base64'));
  } catch {
    return undefined;
  }
};
