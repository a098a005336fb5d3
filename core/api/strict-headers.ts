/** On every answer of the API, whoever makes it: browsers keep to TLS and to the type that is stated. */
export const strictHeaders = {
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
} as const;
