/** The region and profile of calls to AWS. The SDK finds those that are missing. */
export interface AwsAccess {
  readonly region?: string | undefined;
  readonly profile?: string | undefined;
}

/** The access as an SDK client takes it, without unset values. */
export const clientConfig = ({ region, profile }: AwsAccess) => ({
  ...(region && { region }),
  ...(profile && { profile }),
});
