import { hash } from 'node:crypto';
import { limits } from '../base/limits.ts';
import { failure } from '../base/messages.ts';

/** A call that a client may retry: the same attempt creates once. */
export interface Attempt {
  readonly project: string;
  /** The path of the contract, so that a key counts by itself on each endpoint. */
  readonly path: string;
  readonly key: string;
  /** SHA-256 of the body, byte for byte, in hex. */
  readonly bodyHash: string;
}

/** Names an attempt in the table, whatever characters its key has. */
export const attemptId = ({ path, key }: Attempt): string => hash('sha256', `${path}\n${key}`).slice(0, 40);

const printable = new RegExp(`^[\\x20-\\x7e]{1,${limits.idempotencyKey}}$`);

/** The attempt that a call is by its Idempotency-Key; undefined without one. Throws VALIDATION_ERROR for what can't be a key. */
export const attemptOf = (
  { body, ...call }: Pick<Attempt, 'project' | 'path'> & { readonly body: Buffer },
  [key, ...others]: readonly string[],
): Attempt | undefined => {
  if (key === undefined) return undefined;
  if (others.length > 0 || key.trim() === '' || !printable.test(key)) throw failure('badIdempotencyKey');
  return { ...call, key, bodyHash: hash('sha256', body) };
};
