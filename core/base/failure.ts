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
  /** The fields' faults, of which the message has the first ones. */
  readonly faults: readonly Fault[];

  constructor(code: FailureCode, message: string, faults: readonly Fault[] = []) {
    super(message);
    this.name = 'Failure';
    this.code = code;
    this.faults = faults;
  }
}

/** The Failure that was thrown. Other errors are rethrown, because clients mustn't see them. */
export const failureIn = (error: unknown): Failure => {
  if (error instanceof Failure) return error;
  throw error;
};

export const valueOrFailure = <Value>(read: () => Value): Value | Failure => {
  try {
    return read();
  } catch (error) {
    return failureIn(error);
  }
};

/** A fault of a request: a field's path, empty for the whole body, and the reason. */
export interface Fault {
  readonly field: string;
  readonly message: string;
}

/** The most faults in a failure's message. */
export const faultsShown = 20;

/** The most faults in a failure: a body can have a hundred thousand, and a bulk response as many items as its request. */
export const faultsListed = 200;

/**
 * Throws a failure with the first faults and the number of further ones, if there are any. `whole` is the body's name in
 * the message.
 */
export const refuseFaults = (
  faults: readonly Fault[],
  code: FailureCode = 'VALIDATION_ERROR',
  whole = 'body',
): void => {
  if (faults.length === 0) return;
  const shown = faults.slice(0, faultsShown).map(({ field, message }) => `${field || whole}: ${message}`);
  const more = faults.length - shown.length;
  const message = [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('; ');
  throw new Failure(code, message, faults.slice(0, faultsListed));
};

/** A failure as clients get it. A VALIDATION_ERROR without faults of fields has one of the whole body. */
export const errorOf = ({ code, message, faults }: Failure) => {
  if (code !== 'VALIDATION_ERROR') return { code, message };
  const all = faults.length > 0 ? faults : [{ field: '', message }];
  return {
    code,
    message,
    faults: all.map(({ field, message: reason }) => ({ path: field, message: reason })),
  };
};

export const linkNotFound = () => new Failure('LINK_NOT_FOUND', 'Link not found');
