/** On every response of the API: browsers must use TLS and keep to the stated content type. */
export const strictHeaders = {
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
} as const;
