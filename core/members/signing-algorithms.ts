/** Signatures of ID tokens that the service verifies, in JOSE's names. */
export const signingAlgorithms: readonly string[] = [
  ...['RS', 'PS', 'ES'].flatMap((kind) => [256, 384, 512].map((bits) => `${kind}${bits}`)),
  // Two names of one.
  ...['Ed25519', 'EdDSA'],
];
