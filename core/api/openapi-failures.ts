import { errorOf, Failure, type FailureCode, failureStatus, valueOrFailure } from '../base/failure.ts';
import { limits } from '../base/limits.ts';
import { failure, failureMessage, failureMessages } from '../base/messages.ts';
import { shareLimits } from '../share-links/share-limits.ts';
import type { Contract } from './endpoint.ts';
import { answeredAt } from './examples.ts';
import { parts, type Schema } from './openapi-parts.ts';
import { readBody, readQuery } from './request.ts';

/** A response, or a reference to one. */
export type Response = Partial<ReturnType<typeof response>> & { readonly $ref?: string };

const invalidOf = ({ body, bodyBytes = limits.bodyBytes }: Contract) =>
  body === undefined
    ? "A parameter doesn't match its schema. The message names it."
    : `The body, a parameter or a header doesn't match its schema, or the body is not a JSON object of at most ${bodyBytes} bytes. The error lists every fault with its path.`;

const badQuery =
  'A query parameter is unknown, given more than once, or has an invalid value. The message names it.';

/** Example messages by code; the default is a code's first message. */
const exampleMessages: Readonly<Partial<Record<FailureCode, string>>> = {
  INSUFFICIENT_PERMISSIONS: failureMessage('suspended'),
  LIMIT_REACHED: failureMessage('tooManyLinks', { limit: 10_000 }),
  METHOD_NOT_ALLOWED: failureMessage('wrongMethod', { methods: 'GET, POST' }),
  RATE_LIMIT_EXCEEDED: failureMessage('hourUsedUp', { limit: limits.requestsPerHour }),
  SERVICE_UNAVAILABLE: failureMessage('notReady'),
  BAD_REQUEST: failureMessage('sameStatus', { status: 'PAUSED' }),
};

/** Example messages of single operations. */
const ownMessages: Readonly<Record<string, Readonly<Partial<Record<FailureCode, string>>>>> = {
  '/links/{code}': { BAD_REQUEST: failureMessage('linkBlocked') },
  '/share-links': {
    BAD_REQUEST: failureMessage('notAvailable'),
    INSUFFICIENT_PERMISSIONS: failureMessage('secretKey'),
    LIMIT_REACHED: failureMessage('tooManyShareLinks', { limit: shareLimits.maxLinks.default }),
  },
  '/usage': { RATE_LIMIT_EXCEEDED: failureMessage('tooFast') },
};

/** Examples of a contract's own failures. */
const refusals: Readonly<Partial<Record<FailureCode, (contract: Contract) => Failure | undefined>>> = {
  INVALID_PARAMETERS: ({ query }) => refusalOf(() => readQuery(query, { verbose: ['true'] })),
  VALIDATION_ERROR: ({ body, params, example }) => {
    if (!body) return params && refusalOf(() => readBody(params, { ...example.params, code: '!' }));
    const [name = ''] = Object.keys(example.body as object);
    return [{}, { [name]: 0 }].map((sent) => refusalOf(() => readBody(body, sent))).find(Boolean);
  },
  INSUFFICIENT_PERMISSIONS: ({ scope }) => (scope ? failure('missingScope', { scope }) : undefined),
};

const refusalOf = (read: () => unknown): Failure | undefined => {
  const outcome = valueOrFailure(read);
  return outcome instanceof Failure ? outcome : undefined;
};

const refusalWith = (code: FailureCode, contract?: Contract): Failure => {
  const own = contract && ownMessages[contract.path]?.[code];
  const judged = own === undefined && contract ? refusals[code]?.(contract) : undefined;
  const first = Object.values(failureMessages).find(([of]) => of === code)?.[1];
  return judged ?? new Failure(code, own ?? exampleMessages[code] ?? first ?? code);
};

type Case = ReturnType<typeof caseOf>;

const caseOf = ([name, condition]: [string, string], contract?: Contract) => {
  const code = name as FailureCode;
  const plain = contract?.plain?.includes(code) ?? false;
  return {
    code,
    condition,
    refusal: refusalWith(code, contract),
    plain,
    timestamp: contract?.timestamp === 'always',
  };
};

/** An operation's failures by status; those of every endpoint are references. */
export const failureResponses = (contract: Contract): Record<string, Response> => {
  const own = Map.groupBy(casesOf(contract), ({ code }) => failureStatus[code]);
  const all = sharedCases.map((one) => {
    const status = failureStatus[one.code];
    const cases = own.get(status) ?? [];
    own.delete(status);
    const specific = caseOf([one.code, one.condition], contract);
    return cases.length > 0 || specific.refusal.message !== one.refusal.message
      ? [status, response([...cases, specific])]
      : [status, { $ref: `#/components/responses/${one.code}` }];
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

const sharedCases = Object.entries(parts.failures).map((one) => caseOf(one));

export const sharedResponses = (): Record<string, Response> =>
  Object.fromEntries(sharedCases.map((one) => [one.code, response([one])]));

const response = (cases: readonly Case[]) => ({
  description: cases.map(({ code, condition }) => `\`${code}\`: ${condition}`).join('\n\n'),
  headers: headersOf(
    cases.some(({ code }) => ['RATE_LIMIT_EXCEEDED', 'SERVICE_UNAVAILABLE'].includes(code)) && 'Retry-After',
    cases.some(({ code }) => code === 'METHOD_NOT_ALLOWED') && 'Allow',
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

/** A response's headers: those of every response, and these. */
export const headersOf = (...own: readonly (string | false | undefined)[]): Record<string, Schema> => {
  const names = [...ofEvery, ...own].filter((name) => typeof name === 'string');
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
};

const exampleOf = ({ refusal, plain, timestamp }: Case): object => ({
  success: false,
  error: plain ? refusal.message : errorOf(refusal),
  ...(timestamp && { timestamp: answeredAt }),
});

const schemaOf = (cases: readonly Case[]): Schema => {
  const names = [...new Set(cases.map(({ plain }) => (plain ? 'PlainErrorResponse' : 'ErrorResponse')))];
  const shapes = names.map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return shapes.length === 1 ? (shapes[0] ?? {}) : { oneOf: shapes };
};
