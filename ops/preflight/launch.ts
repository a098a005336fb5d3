import { CloudFormationClient, DescribeStackResourcesCommand } from '@aws-sdk/client-cloudformation';
import {
  GetAccountSettingsCommand,
  GetProvisionedConcurrencyConfigCommand,
  LambdaClient,
} from '@aws-sdk/client-lambda';
import type { Config } from '../../lib/config.ts';
import { stackNameOf } from '../../lib/deployment.ts';
import { warmThroughputFor, warmThroughputOf } from '../warm-throughput.ts';
import { type Finding, finding, look, ok, reasonOf, todo } from './finding.ts';

export interface Launch {
  readonly region: string;
  /** Visits a second that are expected at most. */
  readonly visits: number;
  readonly config: Config;
}

/** Lambda takes ten requests a second for each environment, and gives a function a thousand more every ten seconds. */
const visitsPerEnvironment = 10;
const visitsWithoutRamp = 10_000;

/** What would refuse visitors, or keep their clicks waiting, when so many come. */
export const launchFindings = async (launch: Launch): Promise<Finding[]> => {
  const { region, visits, config } = launch;
  const environments = Math.ceil(visits / visitsPerEnvironment);
  const lambda = new LambdaClient({ region });
  const deployed = await resourcesOf(launch).catch(() => undefined);
  return [
    await finding(`Lambda for ${visits} visits a second`, async () => {
      const { AccountLimit } = await lambda.send(new GetAccountSettingsCommand({}));
      const limit = AccountLimit?.ConcurrentExecutions ?? 0;
      // Half as many again for what else runs in the account, and for visits that take longer.
      const wanted = Math.ceil(environments * 1.5);
      return limit >= wanted
        ? ok(`${limit} concurrent executions`)
        : todo(
            `${limit} concurrent executions; ask for ${wanted} in Service Quotas of ${region} (AWS Lambda, quota ` +
              'L-B99A9384), weeks before',
          );
    }),
    await finding("Lambda's ramp", async () => {
      if (visits <= visitsWithoutRamp) return ok(`${visitsWithoutRamp} visits a second may come at once`);
      if (!deployed) return todo(`deploy ${stackNameOf(config)} first`);
      const command = `aws lambda put-provisioned-concurrency-config --region ${region} --function-name ${deployed.redirect} --qualifier live --provisioned-concurrent-executions ${environments}`;
      const ready = await provisioned(lambda, deployed.redirect);
      return ready >= environments
        ? ok(`${ready} environments are ready`)
        : todo(
            `${ready} environments are ready. A quarter of an hour before, run '${command}'; delete it afterwards`,
          );
    }),
    await finding('the table', async () => {
      if (!deployed) return todo(`deploy ${stackNameOf(config)} first`);
      const none = { reads: 0, writes: 0 };
      if (
        typeof config.capacity === 'object' &&
        Math.min(config.capacity.reads, config.capacity.writes) < visits
      )
        return todo(
          `provides ${config.capacity.reads} reads and ${config.capacity.writes} writes a second, and refuses what is above; ` +
            'deploy with capacity=on-demand before',
        );
      const { reads, writes } = (await warmThroughputOf({ region }, deployed.table)) ?? none;
      return reads >= visits && writes >= visits
        ? ok(`takes ${reads} reads and ${writes} writes a second at once`)
        : todo(
            `takes ${reads} reads and ${writes} writes a second at once; deploy with ${warmThroughputFor(visits)} a day ` +
              "before, and raise the table's quota in Service Quotas if that is above 40,000. AWS can't lower it",
          );
    }),
    firewall(launch),
    {
      name: 'the link',
      ...look(
        `spread its clicks: link prepare CODE --project ID --visits ${visits} --stack ${stackNameOf(config)}`,
      ),
    },
  ];
};

/** A carrier's address may stand for thousands of phones: a hundredth of all visits, for the largest. */
const firewall = ({ visits, config: { waf, visitsPerAddress } }: Launch): Finding => {
  const name = "the short URLs' firewall";
  if (!waf) return { name, ...ok('off in this stage') };
  const wanted = visits * 3;
  return {
    name,
    ...(visitsPerAddress >= wanted
      ? ok(`lets an address make ${visitsPerAddress} visits in five minutes`)
      : look(
          `lets an address make ${visitsPerAddress} visits in five minutes, and mobile carriers put many phones ` +
            `behind one: deploy with visitsPerAddress=${wanted}, a hundredth of all`,
        )),
  };
};

const resourcesOf = async ({ region, config }: Launch) => {
  const { StackResources = [] } = await new CloudFormationClient({ region }).send(
    new DescribeStackResourcesCommand({ StackName: stackNameOf(config) }),
  );
  const idOf = (start: string) =>
    StackResources.find(({ LogicalResourceId }) => LogicalResourceId?.startsWith(start))
      ?.PhysicalResourceId ?? '';
  return { redirect: idOf('ShortLinksRedirectFunction'), table: config.adopted?.name ?? idOf('DataTable') };
};

const provisioned = async (lambda: LambdaClient, FunctionName: string): Promise<number> => {
  try {
    const { AvailableProvisionedConcurrentExecutions = 0 } = await lambda.send(
      new GetProvisionedConcurrencyConfigCommand({ FunctionName, Qualifier: 'live' }),
    );
    return AvailableProvisionedConcurrentExecutions;
  } catch (error) {
    if (/ProvisionedConcurrencyConfigNotFound|No Provisioned/i.test(`${error} ${reasonOf(error)}`)) return 0;
    throw error;
  }
};
