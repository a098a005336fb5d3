/** Whose key made a call, and what the key may do. */
export interface Caller {
  readonly project: string;
  readonly keyId: string;
  readonly scopes: readonly string[];
  readonly user: string;
}
