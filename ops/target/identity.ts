import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { OperatorError } from '../base/operator-error.ts';

export interface Identity {
  readonly account: string;
  readonly arn: string | undefined;
}

interface Access {
  readonly region?: string | undefined;
  readonly profile?: string | undefined;
}

/** The region that the environment's profile, or the named one, has. */
export const profileRegion = ({ profile }: Access = {}): Promise<string | undefined> =>
  new STSClient({ ...(profile && { profile }) }).config.region().catch(() => undefined);

/** Who these credentials are. Throws OperatorError that says how to sign in. */
export const identityIn = async ({ region, profile }: Access): Promise<Identity> => {
  try {
    const client = new STSClient({ ...(region && { region }), ...(profile && { profile }) });
    const { Account: account = '', Arn: arn } = await client.send(new GetCallerIdentityCommand({}));
    return { account, arn };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new OperatorError(`Sign in first ('aws sts get-caller-identity' has to answer): ${reason}`);
  }
};
