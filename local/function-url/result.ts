import { isRecord } from '../base/json-values.ts';
import type { InvocationResult } from '../lambda/runtime.ts';

export interface FunctionUrlResponse {
  readonly statusCode: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly body: Buffer;
}

/** The HTTP response for a function's result: its own if it has a status, else 200 with the result itself. */
export function readFunctionUrlResult(result: InvocationResult): FunctionUrlResponse {
  if (!result.ok) {
    if (result.errorType !== 'RequestEntityTooLargeException') return failed;
    return json(413, JSON.stringify({ Message: result.errorMessage }));
  }
  const { payload } = result;
  if (typeof payload === 'string') return json(200, payload);
  if (!isRecord(payload) || !('statusCode' in payload)) return json(200, JSON.stringify(payload));
  const status = Number(payload.statusCode);
  const { headers = {}, body = '', cookies = [] } = payload;
  if (!Number.isInteger(status) || status < 200 || status > 599 || !isRecord(headers ?? {})) return failed;
  const own = Object.entries(headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]);
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
  return {
    statusCode: status,
    headers: {
      'content-type': 'application/json',
      ...Object.fromEntries(own),
      ...(Array.isArray(cookies) && cookies.length > 0 && { 'set-cookie': cookies.map(String) }),
    },
    body: Buffer.from(text, payload.isBase64Encoded === true ? 'base64' : 'utf8'),
  };
}

const failed: FunctionUrlResponse = {
  statusCode: 502,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from('Internal Server Error'),
};

function json(statusCode: number, text: string): FunctionUrlResponse {
  return { statusCode, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) };
}
