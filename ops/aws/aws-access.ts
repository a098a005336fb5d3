/** Where AWS is called; the SDK finds what is missing. */
export interface AwsAccess {
  readonly region?: string | undefined;
  readonly profile?: string | undefined;
}

/** The access as an SDK client takes it, without undefined values. */
export const clientConfig = ({ region, profile }: AwsAccess) => ({
  ...(region && { region }),
  ...(profile && { profile }),
});
