import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { errorText } from '../base/error-text.ts';
import { OperatorError } from '../base/operator-error.ts';
import { type AwsAccess, clientConfig } from './aws-access.ts';

export interface Identity {
  readonly account: string;
  readonly arn: string | undefined;
}

/** The region of the environment's profile, or of the named one. */
export const profileRegion = ({ profile }: Pick<AwsAccess, 'profile'> = {}): Promise<string | undefined> =>
  new STSClient(clientConfig({ profile })).config.region().catch(() => undefined);

/** Whether a call of AWS got no answer. */
const isUnreachable = (error: unknown): boolean =>
  // Any thrown value may have a system's code.
  unreachable.includes((error as NodeJS.ErrnoException | undefined)?.code ?? '');

/** Why a call of AWS failed; if credentials are missing, also the profile. */
export const reasonOf = (error: unknown, profile = process.env.AWS_PROFILE): string => {
  const reason = errorText(error);
  if (isUnreachable(error)) return `AWS can't be reached: ${reason}`;
  const isNamed = !profile || !/credentials/i.test(reason) || reason.includes(profile);
  return isNamed ? reason : `${reason} (the profile is '${profile}')`;
};

const unreachable = ['ENOTFOUND', 'EAI_AGAIN', 'ECONNREFUSED', 'ECONNRESET', 'ETIMEDOUT', 'ENETUNREACH'];

/** The identity of these credentials. Throws OperatorError with the way to sign in. */
export const identityIn = async (access: AwsAccess): Promise<Identity> => {
  try {
    const client = new STSClient(clientConfig(access));
    const { Account: account = '', Arn: arn } = await client.send(new GetCallerIdentityCommand({}));
    return { account, arn };
  } catch (error) {
    const reason = reasonOf(error, access.profile);
    throw new OperatorError(
      isUnreachable(error)
        ? reason
        : `Sign in first ('aws sts get-caller-identity' has to answer): ${reason}`,
    );
  }
};
