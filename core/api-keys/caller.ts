/** The key that made a call, with its project and scopes. */
export interface Caller {
  readonly project: string;
  readonly keyId: string;
  readonly scopes: readonly string[];
  readonly user: string;
  /** The name of the hourly counter, if several keys share one. @default the key's id */
  readonly counter?: string | undefined;
  /** The hourly limit of a publishable key; absent for secret keys. */
  readonly perHour?: number | undefined;
}
