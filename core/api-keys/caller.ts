/** Whose key made a call, and what the key may do. */
export interface Caller {
  readonly project: string;
  readonly keyId: string;
  readonly scopes: readonly string[];
  readonly user: string;
  /** What calls are counted under where several keys share an hour. @default the key's id */
  readonly counter?: string | undefined;
}
