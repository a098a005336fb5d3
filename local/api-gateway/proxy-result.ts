import { isRecord, isScalar } from '../base/json-values.ts';
import type { ProxyResponse } from './gateway-response.ts';

const members = new Set(['statusCode', 'headers', 'multiValueHeaders', 'body', 'isBase64Encoded']);

/** Headers that the gateway owns; a function's own are renamed. */
const remapped = new Set([
  'authorization',
  'connection',
  'content-length',
  'content-md5',
  'date',
  'expect',
  'host',
  'max-forwards',
  'proxy-authenticate',
  'server',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
  'via',
  'warning',
  'www-authenticate',
]);

/** The HTTP response for a function's result, or undefined for a result that API Gateway calls malformed. */
export function readProxyResult(result: unknown, decodesBase64: boolean): ProxyResponse | undefined {
  if (!isRecord(result)) return undefined;
  const names = Object.keys(result);
  if (names.length === 0 || !names.every((name) => members.has(name))) return undefined;
  const statusCode = readStatus(result.statusCode);
  const headers = readHeaders(result.headers, result.multiValueHeaders);
  const body = result.body ?? '';
  if (statusCode === undefined || headers === undefined || typeof body !== 'string') return undefined;
  return {
    statusCode,
    headers: { 'content-type': 'application/json', ...headers },
    body: result.isBase64Encoded === true && decodesBase64 ? Buffer.from(body, 'base64') : body,
  };
}

function readStatus(value: unknown): number | undefined {
  if (value === undefined || value === null) return 200;
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const status = typeof value === 'string' && value.trim() === '' ? Number.NaN : Number(value);
  return Number.isInteger(status) && status >= 200 && status <= 599 ? status : undefined;
}

/** Both maps together, names compared ignoring case; a value that both state counts once. */
function readHeaders(single: unknown, multi: unknown): Record<string, string | string[]> | undefined {
  const merged: Record<string, string[]> = {};
  if (!isRecord(single ?? {}) || !isRecord(multi ?? {})) return undefined;
  for (const [name, values] of Object.entries((multi ?? {}) as Record<string, unknown>)) {
    if (!Array.isArray(values) || !values.every(isScalar)) return undefined;
    merged[ownName(name)] = values.map(String);
  }
  for (const [name, value] of Object.entries((single ?? {}) as Record<string, unknown>)) {
    if (!isScalar(value)) return undefined;
    const values = merged[ownName(name)] ?? [];
    if (!values.includes(String(value))) values.push(String(value));
    merged[ownName(name)] = values;
  }
  return Object.fromEntries(
    Object.entries(merged).map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
}

function ownName(name: string): string {
  const lower = name.toLowerCase();
  return remapped.has(lower) ? `x-amzn-remapped-${lower}` : lower;
}
