import { hash } from 'node:crypto';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import type { Contract } from '../core/api/endpoint.ts';
import type { Caller } from '../core/keys/caller.ts';
import { type Attempt, readIdempotencyKey } from '../core/retries/attempt.ts';
import { headerValues } from './header-values.ts';

/** The attempt that a request is by its Idempotency-Key, where the contract takes one. Throws VALIDATION_ERROR. */
export const attemptOf = (
  { idempotent, path }: Contract,
  event: APIGatewayProxyEvent,
  { project }: Caller,
): Attempt | undefined => {
  if (!idempotent) return undefined;
  const key = readIdempotencyKey(headerValues(event, 'idempotency-key'));
  if (key === undefined) return undefined;
  const body = Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8');
  return { project, path, key, bodyHash: hash('sha256', body) };
};
