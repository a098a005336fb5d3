import * as apigateway from 'aws-cdk-lib/aws-apigateway';
import { corsHeaders, preflightHeaders } from '../core/api/cors.ts';
import { strictHeaders } from '../core/api/strict-headers.ts';
import { failureStatus } from '../core/base/failure.ts';
import { failureMessage, failureMessages } from '../core/base/messages.ts';

/** A response of API Gateway itself, which starts no function. */
export interface ConstantResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON, without the characters `$` and `#`, which begin expressions of Velocity. @default no body */
  readonly body?: string;
}

/**
 * Media types that clients send. API Gateway answers a constant only to types that have a template, and has none for all
 * others: they get the gateway response `UNSUPPORTED_MEDIA_TYPE`.
 */
const mediaTypes = [
  'application/json',
  'application/json-patch+json',
  'application/ld+json',
  'application/merge-patch+json',
  'application/octet-stream',
  'application/vnd.api+json',
  'application/x-www-form-urlencoded',
  'application/xml',
  'multipart/form-data',
  'text/csv',
  'text/html',
  'text/plain',
  'text/xml',
];

/** Adds a method without a key that always has the same response. */
export const addConstant = (
  resource: apigateway.IResource,
  method: string,
  { statusCode, headers, body }: ConstantResponse,
): void => {
  const status = String(statusCode);
  const named = Object.entries(headers).map(([name, value]) => [`method.response.header.${name}`, value]);
  const integration = new apigateway.MockIntegration({
    // By default, API Gateway would fail with 500 for other media types.
    passthroughBehavior: apigateway.PassthroughBehavior.NEVER,
    requestTemplates: Object.fromEntries(mediaTypes.map((type) => [type, `{"statusCode":${status}}`])),
    integrationResponses: [
      {
        statusCode: status,
        responseParameters: Object.fromEntries(named.map(([name, value]) => [name, `'${value}'`])),
        ...(body && { responseTemplates: { 'application/json': body } }),
      },
    ],
  });
  resource.addMethod(method, integration, {
    authorizationType: apigateway.AuthorizationType.NONE,
    methodResponses: [
      {
        statusCode: status,
        responseParameters: Object.fromEntries(named.map(([name]) => [name, true])),
      },
    ],
  });
};

/** The response to methods that a path doesn't support. */
export const wrongMethod = (methods: readonly string[], rateLimitPerHour: number): ConstantResponse => {
  const [code] = failureMessages.wrongMethod;
  const allowed = methods.join(', ');
  const message = failureMessage('wrongMethod', { methods: allowed });
  return {
    statusCode: failureStatus[code],
    headers: {
      ...strictHeaders,
      'Cache-Control': 'no-store',
      'X-RateLimit-Limit': String(rateLimitPerHour),
      Allow: allowed,
      ...(methods.includes('OPTIONS') && corsHeaders),
    },
    body: JSON.stringify({ success: false, error: { code, message } }),
  };
};

/** The response to a preflight request, which needs no key and isn't counted. */
export const preflight: ConstantResponse = { statusCode: 204, headers: preflightHeaders };
