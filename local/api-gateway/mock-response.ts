import type { MockIntegration } from '../assembly/assembly.ts';
import type { ProxyResponse, Refusal } from './gateway-response.ts';

/**
 * The response of a MOCK integration. API Gateway chooses the template by the request's media type, whether or not there
 * is a body. Without a template it takes the status from the body, which fails for nearly every body, or refuses the type.
 */
export function mockResponse(
  { responses, passesThrough }: MockIntegration,
  contentType = 'application/json',
): ProxyResponse | Refusal {
  const [mediaType = ''] = contentType.toLowerCase().split(';', 1);
  const found = responses[mediaType.trim()];
  if (found) return found;
  return passesThrough
    ? { type: 'DEFAULT_5XX', message: 'Internal server error' }
    : { type: 'UNSUPPORTED_MEDIA_TYPE', message: 'Unsupported Media Type' };
}
