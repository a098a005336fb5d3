import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { strictHeaders } from '../core/api/strict-headers.ts';
import { failureStatus } from '../core/base/failure.ts';
import { failureMessages } from '../core/base/messages.ts';

const { ResponseType } = apigateway;

/** The gateway's own responses, in the API's words, with the seconds after which to come back. */
const answers: readonly (readonly [apigateway.ResponseType, keyof typeof failureMessages, number?])[] = [
  [ResponseType.UNAUTHORIZED, 'invalidApiKey'],
  [ResponseType.ACCESS_DENIED, 'invalidApiKey'],
  // The gateway looks for the usage plan's key here, which the authorizer returns. It is missing only in the
  // first minutes after a deployment, so this says nothing about the client's key.
  [ResponseType.INVALID_API_KEY, 'notReady', 15],
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 'noEndpoint'],
  [ResponseType.RESOURCE_NOT_FOUND, 'noEndpoint'],
  [ResponseType.REQUEST_TOO_LARGE, 'bodyFarTooLarge'],
  [ResponseType.THROTTLED, 'tooFast', 1],
  [ResponseType.WAF_FILTERED, 'looksLikeAttack'],
  [ResponseType.QUOTA_EXCEEDED, 'tooFast', 1],
  // The gateway's name for whatever the authorizer throws, most often because the table is away.
  [ResponseType.AUTHORIZER_CONFIGURATION_ERROR, 'unread', 5],
  [ResponseType.DEFAULT_4XX, 'refused'],
  [ResponseType.DEFAULT_5XX, 'internal'],
];

/**
 * Shapes what never reaches a Lambda. The texts are ours: nothing that a client sent is echoed. Headers must be
 * static here, so Remaining and Reset are absent; see docs/decisions/0056-a-call-is-counted-first-and-once.md.
 */
export const addGatewayResponses = (rest: apigateway.RestApi, rateLimitPerHour: number): void => {
  for (const [type, name, retryAfter] of answers) {
    const [code, message] = failureMessages[name];
    rest.addGatewayResponse(type.responseType, {
      type,
      // The defaults cover many statuses and keep them.
      ...(!type.responseType.startsWith('DEFAULT_') && {
        statusCode: String(failureStatus[code]),
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
