import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { type FailureCode, failureStatus } from '../core/failure.ts';

const { ResponseType } = apigateway;

/** What the gateway answers by itself, in the API's own words. */
const answers: readonly (readonly [apigateway.ResponseType, FailureCode, string])[] = [
  [ResponseType.UNAUTHORIZED, 'INVALID_API_KEY', 'The API key is missing or invalid'],
  [ResponseType.ACCESS_DENIED, 'INVALID_API_KEY', 'The API key is missing or invalid'],
  [ResponseType.INVALID_API_KEY, 'INVALID_API_KEY', 'The API key is missing or invalid'],
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
  for (const [type, code, message] of answers) {
    rest.addGatewayResponse(type.responseType, {
      type,
      // The defaults stand for many statuses, which they keep.
      ...(!type.responseType.startsWith('DEFAULT_') && { statusCode: String(failureStatus[code]) }),
      responseHeaders: {
        'X-RateLimit-Limit': `'${rateLimitPerHour}'`,
        ...(code === 'RATE_LIMIT_EXCEEDED' && { 'Retry-After': "'1'" }),
      },
      templates: { 'application/json': JSON.stringify({ success: false, error: { code, message } }) },
    });
  }
};
