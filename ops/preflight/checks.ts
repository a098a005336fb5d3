import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import { CloudFrontClient, ListDistributionsCommand } from '@aws-sdk/client-cloudfront';
import { GetAccountSettingsCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { type Finding, finding, look, ok, reasonOf, todo } from './finding.ts';
import { launchFindings } from './launch.ts';
import { type Plan, planOf } from './plan.ts';

export interface Choices {
  /** Without it, the region of the AWS profile. */
  readonly region: string | undefined;
  readonly context: Readonly<Record<string, string>>;
  /** Visits a second that are expected at most. */
  readonly visits?: number | undefined;
}

/** Everything that stops a first deployment, or stops it from working, and that AWS can be asked before. */
export const preflight = async ({ region: given, context, visits }: Choices): Promise<Finding[]> => {
  const region = given ?? (await profileRegion());
  if (region === undefined) {
    return [{ name: 'region', result: 'do', says: 'give --region NAME, -c region=NAME or set AWS_REGION' }];
  }
  let plan: Plan | undefined;
  const choices = await finding('choices and region', async () => {
    plan = planOf(context, region);
    return ok(`${region}, and the templates can be made`);
  });
  const account = await accountOf(region);
  if (!account.id) return [choices, account.finding];
  return [
    choices,
    account.finding,
    ...(await Promise.all(
      Object.entries(plan?.bootstraps ?? { [region]: 0 }).map(([where, version]) =>
        bootstrapped(account.id, where, version),
      ),
    )),
    await concurrency(region),
    await cloudFront(),
    ...(visits && plan ? await launchFindings({ region, visits, config: plan.config }) : []),
  ];
};

const profileRegion = (): Promise<string | undefined> =>
  new STSClient({}).config.region().catch(() => undefined);

const accountOf = async (region: string): Promise<{ id: string; finding: Finding }> => {
  let id = '';
  const found = await finding('identity', async () => {
    try {
      const { Account = '', Arn } = await new STSClient({ region }).send(new GetCallerIdentityCommand({}));
      id = Account;
      return ok(`account ${Account}, as ${Arn}`);
    } catch (error) {
      return todo(`sign in first ('aws sts get-caller-identity' has to answer): ${reasonOf(error)}`);
    }
  });
  return { id, finding: found };
};

const bootstrapped = (account: string, region: string, wanted: number): Promise<Finding> =>
  finding(`CDK bootstrap in ${region}`, async () => {
    const version = await bootstrapVersion(region);
    const command = `npx cdk bootstrap aws://${account}/${region}`;
    if (version === undefined) return todo(`run '${command}'`);
    return version >= wanted
      ? ok(`version ${version}`)
      : todo(`version ${version} is older than ${wanted}: run '${command}' again`);
  });

const bootstrapVersion = async (region: string): Promise<number | undefined> => {
  try {
    const { Stacks } = await new CloudFormationClient({ region }).send(
      new DescribeStacksCommand({ StackName: 'CDKToolkit' }),
    );
    const output = Stacks?.[0]?.Outputs?.find(({ OutputKey }) => OutputKey === 'BootstrapVersion');
    return Number(output?.OutputValue ?? 0);
  } catch (error) {
    if (/does not exist/.test(reasonOf(error))) return undefined;
    throw error;
  }
};

/** What an account has that was not held down by AWS for being new. */
const usualConcurrency = 1000;

const concurrency = (region: string): Promise<Finding> =>
  finding('Lambda concurrent executions', async () => {
    const { AccountLimit } = await new LambdaClient({ region }).send(new GetAccountSettingsCommand({}));
    const limit = AccountLimit?.ConcurrentExecutions ?? 0;
    return limit >= usualConcurrency
      ? ok(`${limit}`)
      : todo(
          `${limit}: enough to try the service, not for visitors. Ask for ${usualConcurrency} or more in Service ` +
            `Quotas of ${region} (AWS Lambda, quota L-B99A9384)`,
        );
  });

const cloudFront = (): Promise<Finding> =>
  finding('CloudFront', async () => {
    const { DistributionList } = await new CloudFrontClient({ region: 'us-east-1' }).send(
      new ListDistributionsCommand({ MaxItems: 1 }),
    );
    return (DistributionList?.Quantity ?? 0) > 0
      ? ok('the account has distributions')
      : look(
          'the account has no distribution yet. If it is new and the deployment fails with "Your account must be ' +
            'verified", open a case at AWS Support (Account and billing) and deploy again when it is verified',
        );
  });
