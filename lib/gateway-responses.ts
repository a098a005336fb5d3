import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { corsHeaders } from '../core/api/cors.ts';
import { strictHeaders } from '../core/api/strict-headers.ts';
import { errorOf, failureStatus } from '../core/base/failure.ts';
import { failure, type failureMessages } from '../core/base/messages.ts';

const { ResponseType } = apigateway;

/** The gateway's own responses with the API's messages, and `Retry-After` in seconds. */
const answers: readonly (readonly [apigateway.ResponseType, keyof typeof failureMessages, number?])[] = [
  [ResponseType.UNAUTHORIZED, 'invalidApiKey'],
  [ResponseType.ACCESS_DENIED, 'invalidApiKey'],
  // The gateway doesn't find the usage plan key that the authorizer returned. This happens only in the first minutes
  // after a deployment, and doesn't depend on the client's key.
  [ResponseType.INVALID_API_KEY, 'notReady', 15],
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 'noEndpoint'],
  [ResponseType.RESOURCE_NOT_FOUND, 'noEndpoint'],
  // A path's constant response knows some media types only.
  [ResponseType.UNSUPPORTED_MEDIA_TYPE, 'otherMethods'],
  [ResponseType.REQUEST_TOO_LARGE, 'bodyFarTooLarge'],
  [ResponseType.THROTTLED, 'tooFast', 1],
  [ResponseType.WAF_FILTERED, 'looksLikeAttack'],
  [ResponseType.QUOTA_EXCEEDED, 'tooFast', 1],
  // The authorizer failed, most often because the table is unavailable.
  [ResponseType.AUTHORIZER_CONFIGURATION_ERROR, 'unread', 5],
  [ResponseType.DEFAULT_4XX, 'refused'],
  [ResponseType.DEFAULT_5XX, 'internal'],
];

const quoted = (headers: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `'${value}'`]));

/**
 * Gives the gateway's own responses the API's shape, without echoing clients' input. Headers must be static, so
 * Remaining and Reset are absent; see docs/decisions/0056-a-call-is-counted-first-and-once.md.
 */
export const addGatewayResponses = (rest: apigateway.RestApi, rateLimitPerHour: number): void => {
  for (const [type, name, retryAfter] of answers) {
    const refusal = failure(name);
    rest.addGatewayResponse(type.responseType, {
      type,
      // Defaults cover several statuses and keep them.
      ...(!type.responseType.startsWith('DEFAULT_') && {
        statusCode: String(failureStatus[refusal.code]),
      }),
      responseHeaders: {
        'X-RateLimit-Limit': `'${rateLimitPerHour}'`,
        ...quoted(strictHeaders),
        // There is one set of them for all paths, share links included.
        ...quoted(corsHeaders),
        ...(retryAfter && { 'Retry-After': `'${retryAfter}'` }),
      },
      templates: { 'application/json': JSON.stringify({ success: false, error: errorOf(refusal) }) },
    });
  }
};
