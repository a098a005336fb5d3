import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { api, apiVersion } from '../core/api/index.ts';
import { methodsByPath } from '../core/api/routes.ts';
import { strictHeaders } from '../core/api/strict-headers.ts';
import { failureStatus } from '../core/base/failure.ts';
import { limits } from '../core/base/limits.ts';
import { failureMessage, failureMessages } from '../core/base/messages.ts';
import { settingsIn } from '../core/settings.ts';
import { environment } from './frame/open-function.ts';

const methods = methodsByPath(api);
const { rateLimitPerHour = limits.requestsPerHour } = settingsIn(environment);
const [code] = failureMessages.wrongMethod;

/** Returns 405 for methods that a path doesn't support. */
export const handler = async ({ resource }: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
  const allowed = (methods.get(resource.slice(`/${apiVersion}`.length)) ?? []).join(', ');
  return {
    statusCode: failureStatus[code],
    headers: {
      ...strictHeaders,
      'Content-Type': 'application/json',
      'Cache-Control': 'no-store',
      'X-RateLimit-Limit': String(rateLimitPerHour),
      Allow: allowed,
    },
    body: JSON.stringify({
      success: false,
      error: { code, message: failureMessage('wrongMethod', { methods: allowed }) },
    }),
  };
};
