import { type FailureCode, failureStatus } from '../base/failure.ts';
import { limits } from '../base/limits.ts';
import { failureMessage, faultMessage } from '../base/messages.ts';
import type { Contract } from './endpoint.ts';
import { answeredAt } from './examples.ts';

export type Json = Readonly<Record<string, unknown>>;

/** Failures that every endpoint can return, with their conditions. */
const shared = {
  INVALID_API_KEY: 'The key is missing, malformed, unknown or revoked.',
  INSUFFICIENT_PERMISSIONS:
    'The key lacks a permission that the call needs, or the operator of the service has suspended the project.',
  RATE_LIMIT_EXCEEDED: 'The key has used up its requests of this hour, or sends them too fast.',
  INTERNAL_ERROR: 'Something went wrong in the service.',
  SERVICE_UNAVAILABLE:
    'The service is not ready yet, a writing call could not be counted, or a reading call could not read the data. Nothing was done; the call may be sent again.',
} as const satisfies Partial<Record<FailureCode, string>>;

const invalidOf = ({ body, bodyBytes = limits.bodyBytes }: Contract) =>
  body === undefined
    ? "A parameter doesn't match its schema. The message names it."
    : `The body, a parameter or a header doesn't match its schema, or the body is not a JSON object of at most ${bodyBytes} bytes. The message names every fault with its path.`;

const badQuery =
  'A query parameter is unknown, given more than once, or has an invalid value. The message names it.';

const exampleMessages: Readonly<Record<FailureCode, string>> = {
  INVALID_API_KEY: failureMessage('invalidApiKey'),
  INSUFFICIENT_PERMISSIONS: failureMessage('missingScope', { scope: 'links:delete' }),
  LIMIT_REACHED: failureMessage('tooManyLinks', { limit: 10_000 }),
  RATE_LIMIT_EXCEEDED: failureMessage('hourUsedUp', { limit: limits.requestsPerHour }),
  INTERNAL_ERROR: failureMessage('internal'),
  SERVICE_UNAVAILABLE: failureMessage('uncounted'),
  VALIDATION_ERROR: `payload.link: ${faultMessage('notUrl')}; expiresAt: ${faultMessage('past')}`,
  INVALID_PARAMETERS: `pageSize: ${faultMessage('tooLarge', { limit: limits.pageSize.max })}`,
  BAD_REQUEST: failureMessage('sameStatus', { status: 'PAUSED' }),
  LINK_EXPIRED: failureMessage('editExpired'),
  IDEMPOTENCY_KEY_REUSED: failureMessage('keyReused'),
  CODE_ALREADY_EXISTS: failureMessage('codeTaken'),
  SUBSCRIPTION_REQUIRED: failureMessage('noSubscription'),
  LINK_NOT_FOUND: failureMessage('linkNotFound'),
  MOBILE_APP_NOT_FOUND: failureMessage('mobileAppNotFound'),
  NOT_FOUND: failureMessage('noEndpoint'),
  METHOD_NOT_ALLOWED: failureMessage('wrongMethod', { methods: 'GET, POST' }),
};

interface Case {
  readonly code: FailureCode;
  readonly condition: string;
  readonly plain: boolean;
  readonly timestamp: boolean;
}

/** The failures of an operation by status; those that every endpoint shares are named, not repeated. */
export const failureResponses = (contract: Contract): Json => {
  const own = Map.groupBy(casesOf(contract), ({ code }) => failureStatus[code]);
  const all = sharedCases.map((one) => {
    const status = failureStatus[one.code];
    const cases = own.get(status);
    own.delete(status);
    return [status, cases ? response([...cases, one]) : { $ref: `#/components/responses/${one.code}` }];
  });
  return Object.fromEntries([...[...own].map(([status, cases]) => [status, response(cases)]), ...all]);
};

const casesOf = (contract: Contract): Case[] => {
  const { body, params, unmatched, failures, plain = [], timestamp, idempotent } = contract;
  const validates = body !== undefined || (params !== undefined && unmatched === undefined);
  const always = {
    INVALID_PARAMETERS: badQuery,
    ...(validates && { VALIDATION_ERROR: invalidOf(contract) }),
    ...(idempotent && { IDEMPOTENCY_KEY_REUSED: 'The Idempotency-Key was used with another body.' }),
  };
  return Object.entries({ ...always, ...failures }).map(([name, condition]) => {
    const code = name as FailureCode;
    return { code, condition, plain: plain.includes(code), timestamp: timestamp === 'always' };
  });
};

const sharedCases = Object.entries(shared).map(([name, condition]): Case => {
  return { code: name as FailureCode, condition, plain: false, timestamp: false };
});

export const sharedResponses = (): Json =>
  Object.fromEntries(sharedCases.map((one) => [one.code, response([one])]));

const response = (cases: readonly Case[]): Json => ({
  description: cases.map(({ code, condition }) => `\`${code}\`: ${condition}`).join('\n\n'),
  headers: {
    ...rateLimitHeaders,
    ...(cases.some(({ code }) => ['RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'].includes(code)) && {
      'Retry-After': { $ref: '#/components/headers/Retry-After' },
    }),
  },
  content: {
    'application/json': {
      schema: schemaOf(cases),
      examples: Object.fromEntries(
        cases.map((one) => [one.code, { summary: one.condition, value: exampleOf(one) }]),
      ),
    },
  },
});

const headerNames = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'] as const;

export const rateLimitHeaders: Json = Object.fromEntries(
  headerNames.map((name) => [name, { $ref: `#/components/headers/${name}` }]),
);

const exampleOf = ({ code, plain, timestamp }: Case): Json => ({
  success: false,
  error: plain ? exampleMessages[code] : { code, message: exampleMessages[code] },
  ...(timestamp && { timestamp: answeredAt }),
});

const schemaOf = (cases: readonly Case[]): Json => {
  const shapes = [...Map.groupBy(cases, ({ plain }) => plain)].map(([plain, some]) =>
    failureShape(
      plain
        ? { type: 'string', description: 'What went wrong.' }
        : {
            type: 'object',
            required: ['code', 'message'],
            properties: {
              code: { type: 'string', enum: some.map(({ code }) => code) },
              message: { type: 'string', description: 'What went wrong, for people.' },
            },
          },
      some.some(({ timestamp }) => timestamp),
    ),
  );
  return shapes.length === 1 ? (shapes[0] ?? {}) : { oneOf: shapes };
};

const failureShape = (error: Json, timestamp: boolean): Json => ({
  type: 'object',
  required: ['success', 'error', ...(timestamp ? ['timestamp'] : [])],
  properties: {
    success: { type: 'boolean', const: false },
    error,
    timestamp: { type: 'string', format: 'date-time', description: 'Only in responses about mobile apps.' },
  },
});
