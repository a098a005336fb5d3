/** Every failure that a client can get, with its HTTP status. The list is closed. */
export const failureStatus = {
  INVALID_API_KEY: 401,
  SUBSCRIPTION_REQUIRED: 402,
  INSUFFICIENT_PERMISSIONS: 403,
  LIMIT_REACHED: 403,
  NOT_FOUND: 404,
  LINK_NOT_FOUND: 404,
  MOBILE_APP_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CODE_ALREADY_EXISTS: 409,
  IDEMPOTENCY_KEY_REUSED: 409,
  VALIDATION_ERROR: 400,
  INVALID_PARAMETERS: 400,
  BAD_REQUEST: 400,
  LINK_EXPIRED: 400,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  SERVICE_UNAVAILABLE: 503,
} as const;

export type FailureCode = keyof typeof failureStatus;

/** An outcome that the client sees; any other error becomes an opaque INTERNAL_ERROR. */
export class Failure extends Error {
  readonly code: FailureCode;
  /** The fields' faults in the message. */
  readonly faults: readonly Fault[];

  constructor(code: FailureCode, message: string, faults: readonly Fault[] = []) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.faults = faults;
  }
}

/** A fault of a request: a field's path, and the reason. */
export interface Fault {
  readonly field: string;
  readonly message: string;
}

/** The most faults in a failure: a body can have a hundred thousand. */
export const faultsShown = 20;

/** Throws a failure with the first faults and the number of further ones, if there are any. */
export const refuseFaults = (faults: readonly Fault[], code: FailureCode = 'VALIDATION_ERROR'): void => {
  if (faults.length === 0) return;
  const first = faults.slice(0, faultsShown);
  const shown = first.map(({ field, message }) => `${field}: ${message}`);
  const more = faults.length - shown.length;
  throw new Failure(code, [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; '), first);
};

export const linkNotFound = () => new Failure('LINK_NOT_FOUND', 'Link not found');
