import { type FailureCode, failureStatus } from '../base/failure.ts';
import { limits } from '../base/limits.ts';
import { failureMessage, failureMessages, faultMessage } from '../base/messages.ts';
import type { Contract } from './endpoint.ts';
import { answeredAt } from './examples.ts';

/** A JSON Schema, as far as the description uses it. */
export interface Schema {
  readonly type?: string | readonly string[];
  readonly description?: string | undefined;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** A response, or a reference to one. */
export type Response = Partial<ReturnType<typeof response>> & { readonly $ref?: string };

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

/** By default the first message of a code. */
const exampleMessages: Readonly<Partial<Record<FailureCode, string>>> = {
  INSUFFICIENT_PERMISSIONS: failureMessage('missingScope', { scope: 'links:delete' }),
  LIMIT_REACHED: failureMessage('tooManyLinks', { limit: 10_000 }),
  RATE_LIMIT_EXCEEDED: failureMessage('hourUsedUp', { limit: limits.requestsPerHour }),
  SERVICE_UNAVAILABLE: failureMessage('uncounted'),
  VALIDATION_ERROR: `payload.link: ${faultMessage('notUrl')}; expiresAt: ${faultMessage('past')}`,
  INVALID_PARAMETERS: `pageSize: ${faultMessage('tooLarge', { limit: limits.pageSize.max })}`,
  BAD_REQUEST: failureMessage('sameStatus', { status: 'PAUSED' }),
};

type Case = ReturnType<typeof caseOf>;

const caseOf = ([name, condition]: [string, string], { plain, timestamp }: Partial<Contract> = {}) => {
  const code = name as FailureCode;
  return { code, condition, plain: plain?.includes(code) ?? false, timestamp: timestamp === 'always' };
};

/** The failures of an operation by status; those that every endpoint shares are named, not repeated. */
export const failureResponses = (contract: Contract): Record<string, Response> => {
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
  const { body, params, unmatched, failures, idempotent } = contract;
  const validates = body !== undefined || (params !== undefined && unmatched === undefined);
  const always = {
    INVALID_PARAMETERS: badQuery,
    ...(validates && { VALIDATION_ERROR: invalidOf(contract) }),
    ...(idempotent && { IDEMPOTENCY_KEY_REUSED: 'The Idempotency-Key was used with another body.' }),
  };
  return Object.entries({ ...always, ...failures }).map((one) => caseOf(one, contract));
};

const sharedCases = Object.entries(shared).map((one) => caseOf(one));

export const sharedResponses = (): Record<string, Response> =>
  Object.fromEntries(sharedCases.map((one) => [one.code, response([one])]));

const response = (cases: readonly Case[]) => ({
  description: cases.map(({ code, condition }) => `\`${code}\`: ${condition}`).join('\n\n'),
  headers: headersOf(
    cases.some(({ code }) => ['RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'].includes(code)) && 'Retry-After',
  ),
  content: {
    'application/json': {
      schema: schemaOf(cases),
      examples: Object.fromEntries(
        cases.map((one) => [one.code, { summary: one.condition, value: exampleOf(one) }]),
      ),
    },
  },
});

const ofEvery = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** The headers of a response: those of every one, and these. */
export const headersOf = (...own: readonly (string | false | undefined)[]): Record<string, Schema> => {
  const names = [...ofEvery, ...own].filter((name) => typeof name === 'string');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
};

const exampleOf = ({ code, plain, timestamp }: Case): object => {
  const message = exampleMessages[code] ?? Object.values(failureMessages).find(([of]) => of === code)?.[1];
  return {
    success: false,
    error: plain ? message : { code, message },
    ...(timestamp && { timestamp: answeredAt }),
  };
};

const schemaOf = (cases: readonly Case[]): Schema => {
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

const failureShape = (error: Schema, timestamp: boolean): Schema => ({
  type: 'object',
  required: ['success', 'error', ...(timestamp ? ['timestamp'] : [])],
  properties: {
    success: { type: 'boolean', const: false },
    error,
    timestamp: { type: 'string', format: 'date-time', description: 'Only in responses about mobile apps.' },
  },
});
