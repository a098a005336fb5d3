import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { strictHeaders } from '../core/api/strict-headers.ts';
import { type FailureCode, failureStatus } from '../core/failure.ts';

const { ResponseType } = apigateway;

interface Special {
  readonly status: number;
  /** Seconds. */
  readonly retryAfter: number;
}

/** What the gateway answers by itself, in the API's own words. */
const answers: readonly (readonly [apigateway.ResponseType, FailureCode, string, Special?])[] = [
  [ResponseType.UNAUTHORIZED, 'INVALID_API_KEY', 'The API key is missing or invalid'],
  [ResponseType.ACCESS_DENIED, 'INVALID_API_KEY', 'The API key is missing or invalid'],
  // The key that the gateway looks for here is the usage plan's, which the authorizer hands it. It is missing in the
  // first minutes after a deployment only, so this says nothing about the client's key.
  [
    ResponseType.INVALID_API_KEY,
    'INTERNAL_ERROR',
    'The service is not ready yet; try again in a moment',
    { status: 503, retryAfter: 15 },
  ],
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 'NOT_FOUND', 'There is no such endpoint'],
  [ResponseType.RESOURCE_NOT_FOUND, 'NOT_FOUND', 'There is no such endpoint'],
  [ResponseType.THROTTLED, 'RATE_LIMIT_EXCEEDED', 'Too many requests at once; slow down'],
  [ResponseType.WAF_FILTERED, 'BAD_REQUEST', 'The request looks like an attack and was refused'],
  [ResponseType.QUOTA_EXCEEDED, 'RATE_LIMIT_EXCEEDED', 'Too many requests'],
  [ResponseType.BAD_REQUEST_BODY, 'VALIDATION_ERROR', 'The request body is not valid'],
  [ResponseType.BAD_REQUEST_PARAMETERS, 'VALIDATION_ERROR', 'The request parameters are not valid'],
  [ResponseType.DEFAULT_4XX, 'BAD_REQUEST', 'The request was refused'],
  [ResponseType.DEFAULT_5XX, 'INTERNAL_ERROR', 'Something went wrong on our side'],
];

/**
 * Shapes what never reaches a Lambda. The texts are ours: nothing that a client sent is echoed. Headers must be
 * static here, so Remaining and Reset are absent; see docs/decisions/0002-keys-are-checked-in-an-authorizer.md.
 */
export const addGatewayResponses = (rest: apigateway.RestApi, rateLimitPerHour: number): void => {
  for (const [type, code, message, special] of answers) {
    const retryAfter = special?.retryAfter ?? (code === 'RATE_LIMIT_EXCEEDED' ? 1 : undefined);
    rest.addGatewayResponse(type.responseType, {
      type,
      // The defaults stand for many statuses, which they keep.
      ...(!type.responseType.startsWith('DEFAULT_') && {
        statusCode: String(special?.status ?? failureStatus[code]),
      }),
      responseHeaders: {
        'X-RateLimit-Limit': `'${rateLimitPerHour}'`,
        ...Object.fromEntries(Object.entries(strictHeaders).map(([name, value]) => [name, `'${value}'`])),
        ...(retryAfter && { 'Retry-After': `'${retryAfter}'` }),
      },
      templates: { 'application/json': JSON.stringify({ success: false, error: { code, message } }) },
    });
  }
};
