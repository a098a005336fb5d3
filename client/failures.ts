import type { BulkResult } from './types.ts';

/** What is wrong with a field or parameter, in the API's words. */
export interface Fault {
  readonly field: string;
  readonly message: string;
}

/** Codes of the client itself, for calls that got no response in the API's form. */
type ClientCode = 'CONNECTION_ERROR' | 'TIMEOUT' | 'ABORTED' | 'UNEXPECTED_RESPONSE';

/** Codes of the API. A later version of the service may have more, which a program meets as its `default`. */
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

interface Details {
  readonly code: ErrorCode;
  readonly status?: number | undefined;
  readonly retryAfter?: number | undefined;
  readonly attempts: number;
  readonly cause?: unknown;
}

/** Every failed call ends in one of these. */
export class DynamicLinksError extends Error {
  readonly code: ErrorCode;
  /** The HTTP status; 0 if there was no response. */
  readonly status: number;
  /** What a VALIDATION_ERROR or INVALID_PARAMETERS says of each field. */
  readonly faults: readonly Fault[];
  /** Seconds that the service asks to wait. */
  declare readonly retryAfter?: number;
  /** How often the call was made. */
  readonly attempts: number;
  /** Of `links.createMany`: the results of the calls before the one that failed. */
  declare results?: BulkResult[];

  constructor(message: string, { code, status = 0, retryAfter, attempts, cause }: Details) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'DynamicLinksError';
    this.code = code;
    this.status = status;
    this.faults = faultCodes.includes(code) ? faultsOf(message) : [];
    if (retryAfter !== undefined) this.retryAfter = retryAfter;
    this.attempts = attempts;
  }
}

const faultCodes: readonly string[] = ['VALIDATION_ERROR', 'INVALID_PARAMETERS'];

/** The API joins faults with semicolons, which messages contain as well: the next fault begins with its field. */
const faultsOf = (message: string): Fault[] =>
  message
    .replace(/; and \d+ more$/, '')
    .split(/; (?=[^\s:;]+: )/)
    .flatMap((text) => {
      const [, field, fault] = /^([^\s:;]+): (.+)$/s.exec(text) ?? [];
      return field && fault ? [{ field, message: fault }] : [];
    });

/** Code and message of a body that tells of a failure. */
export const readFailure = (
  body: unknown,
  { method, path, status }: { readonly method: string; readonly path: string; readonly status: number },
): { readonly code: ErrorCode; readonly message: string } => {
  const error = (body as { error?: unknown } | null | undefined)?.error;
  if (typeof error === 'string') return { code: codeOfPlain(method, path, status), message: error };
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  // As the type says, or of a later version.
  if (typeof code === 'string')
    return { code: code as ErrorCode, message: typeof message === 'string' ? message : code };
  return {
    code: 'UNEXPECTED_RESPONSE',
    message: `${method} ${path} answered ${status} in a form that is not the API's`,
  };
};

/** Three failures of the API have only a message. */
const codeOfPlain = (method: string, path: string, status: number): ErrorCode => {
  const isLink = /^\/links\//.test(path);
  if (status === 404 && isLink) return 'LINK_NOT_FOUND';
  if (status === 404 && /^\/mobile-apps\//.test(path)) return 'MOBILE_APP_NOT_FOUND';
  const isChange = isLink && ['PUT', 'PATCH'].includes(method);
  return status === 400 && isChange ? 'LINK_EXPIRED' : 'UNEXPECTED_RESPONSE';
};
