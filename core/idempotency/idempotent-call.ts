import { hash } from 'node:crypto';
import { refuseFaults } from '../base/failure.ts';
import { limits } from '../base/limits.ts';
import { fault } from '../base/messages.ts';

/** A call with an `Idempotency-Key`, which a client may repeat: it creates once. */
export interface IdempotentCall {
  readonly project: string;
  /** The contract's path, because each endpoint has its own keys. */
  readonly path: string;
  readonly key: string;
  /** SHA-256 of the body, byte for byte, in hex. */
  readonly bodyHash: string;
}

/** A call's id in the table, safe for any characters of its key. */
export const idempotentCallId = ({ path, key }: IdempotentCall): string =>
  hash('sha256', `${path}\n${key}`).slice(0, 40);

const printable = new RegExp(`^[\\x20-\\x7e]{1,${limits.idempotencyKey}}$`);

/** A call by its `Idempotency-Key`; undefined without one. Throws VALIDATION_ERROR for an invalid key. */
export const idempotentCallOf = (
  { body, ...call }: Pick<IdempotentCall, 'project' | 'path'> & { readonly body: Buffer },
  [key, ...others]: readonly string[],
): IdempotentCall | undefined => {
  if (key === undefined) return undefined;
  if (others.length > 0 || key.trim() === '' || !printable.test(key))
    refuseFaults([fault('Idempotency-Key', 'idempotencyKey')]);
  return { ...call, key, bodyHash: hash('sha256', body) };
};
