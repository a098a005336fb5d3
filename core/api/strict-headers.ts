/** Headers of every API response: browsers must use TLS and the stated content type. */
export const strictHeaders = {
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
} as const;
