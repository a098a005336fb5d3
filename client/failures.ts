import type { BulkResult } from './types.ts';

/** The fault of a field or parameter, in the API's words. `field` is empty for the whole body. */
export interface Fault {
  readonly field: string;
  readonly message: string;
}

/** Codes of the client itself, for calls that got no response in the API's form. */
type ClientCode = 'CONNECTION_ERROR' | 'TIMEOUT' | 'ABORTED' | 'UNEXPECTED_RESPONSE';

/** Codes of the API. Later versions of the service may have more, so programs need a `default`. */
type ApiCode =
  | 'INVALID_API_KEY'
  | 'SUBSCRIPTION_REQUIRED'
  | 'INSUFFICIENT_PERMISSIONS'
  | 'LIMIT_REACHED'
  | 'NOT_FOUND'
  | 'LINK_NOT_FOUND'
  | 'MOBILE_APP_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'CODE_ALREADY_EXISTS'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'VALIDATION_ERROR'
  | 'INVALID_PARAMETERS'
  | 'BAD_REQUEST'
  | 'LINK_EXPIRED'
  | 'RATE_LIMIT_EXCEEDED'
  | 'INTERNAL_ERROR'
  | 'SERVICE_UNAVAILABLE';

export type ErrorCode = ApiCode | ClientCode;

export interface ErrorDetails {
  readonly code: ErrorCode;
  readonly status?: number | undefined;
  readonly retryAfter?: number | undefined;
  readonly attempts: number;
  readonly faults?: readonly Fault[] | undefined;
  readonly cause?: unknown;
}

/** The error of every failed call. */
export class DynamicLinksError extends Error {
  declare readonly code: ErrorCode;
  /** The HTTP status; 0 if there was no response. */
  declare readonly status: number;
  /** The faults by field of a VALIDATION_ERROR or INVALID_PARAMETERS. */
  declare readonly faults: readonly Fault[];
  /** Seconds that the service asks to wait. */
  declare readonly retryAfter?: number;
  /** Number of attempts. */
  declare readonly attempts: number;
  /** Set by `links.createMany`: the results of the calls before the failed one. */
  declare results?: BulkResult[];

  constructor(message: string, details: ErrorDetails) {
    super(message, details);
    Object.assign(this, { name: 'DynamicLinksError', status: 0, faults: [] }, details);
  }
}

const faultCodes: readonly string[] = ['VALIDATION_ERROR', 'INVALID_PARAMETERS'];

/**
 * Splits a message without listed faults into them, at semicolons before a field's name: messages also contain
 * semicolons.
 */
const faultsOf = (message: string): Fault[] =>
  message
    .replace(/; and \d+ more$/, '')
    .split(/; (?=[^\s:;]+: )/)
    .flatMap((text) => {
      const [, field, fault] = /^([^\s:;]+): (.+)$/s.exec(text) ?? [];
      return field && fault ? [{ field, message: fault }] : [];
    });

/** The faults that a response lists; undefined if it lists none. */
const listedFaults = (faults: unknown): Fault[] | undefined =>
  Array.isArray(faults)
    ? faults.map((fault) => ({ field: String(fault?.path ?? ''), message: String(fault?.message ?? '') }))
    : undefined;

/** Code, message and faults of an error body. */
export const readFailure = (
  body: unknown,
  { method, path, status }: { readonly method: string; readonly path: string; readonly status: number },
): Pick<ErrorDetails, 'code' | 'faults'> & { readonly message: string } => {
  const error = (body as { error?: unknown } | null | undefined)?.error;
  if (typeof error === 'string') return { code: codeOfPlain(method, path, status), message: error };
  const { code, message, faults } = (error ?? {}) as { code?: unknown; message?: unknown; faults?: unknown };
  // A code of the type, or of a later version.
  if (typeof code === 'string') {
    const text = typeof message === 'string' ? message : code;
    const parsed = faultCodes.includes(code) ? faultsOf(text) : [];
    return { code: code as ErrorCode, message: text, faults: listedFaults(faults) ?? parsed };
  }
  return {
    code: 'UNEXPECTED_RESPONSE',
    message: `${method} ${path} answered ${status} in a form that is not the API's`,
  };
};

/** The code of a failure with only a message: the API has three. */
const codeOfPlain = (method: string, path: string, status: number): ErrorCode => {
  const isLink = /^\/links\//.test(path);
  if (status === 404 && isLink) return 'LINK_NOT_FOUND';
  if (status === 404 && /^\/mobile-apps\//.test(path)) return 'MOBILE_APP_NOT_FOUND';
  const isChange = isLink && ['PUT', 'PATCH'].includes(method);
  return status === 400 && isChange ? 'LINK_EXPIRED' : 'UNEXPECTED_RESPONSE';
};
