/** Headers of responses that web pages of any origin may read. */
export const corsHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Retry-After, X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset',
} as const;

/** Headers of the response to a preflight request. */
export const preflightHeaders = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'content-type, x-api-key',
  'Access-Control-Max-Age': '86400',
} as const;
