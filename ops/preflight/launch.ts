import { GetProvisionedConcurrencyConfigCommand, LambdaClient } from '@aws-sdk/client-lambda';
import type { Config } from '../../lib/config.ts';
import { outputsOf } from '../aws/described-stack.ts';
import { warmThroughputFor, warmThroughputOf } from '../aws/warm-throughput.ts';
import { errorText } from '../base/error-text.ts';
import { accountConcurrency } from './concurrency.ts';
import { type Finding, finding, look, ok, todo } from './finding.ts';

export interface Launch {
  readonly region: string;
  /** Expected peak of visits a second. */
  readonly visits: number;
  readonly config: Config;
  /** The name of the service's stack. */
  readonly stack: string;
}

/** Lambda's limit per environment and second. A function gets a thousand more environments every ten seconds. */
const visitsPerEnvironment = 10;
const visitsWithoutRamp = 10_000;

/** Findings about limits that would refuse this many visitors, or delay their clicks. */
export const launchFindings = async (launch: Launch): Promise<Finding[]> => {
  const { region, visits, stack, config } = launch;
  const lambda = new LambdaClient({ region });
  const outputs = await outputsOf(stack, { region });
  const { standby } = config;
  return [
    await concurrency(lambda, launch),
    await ramp(lambda, launch, outputs?.RedirectFunction),
    await table(launch, outputs?.TableName),
    ...(standby ? await secondRegion({ ...launch, region: standby }) : []),
    firewall(launch),
    {
      name: 'the link',
      ...look(`spread its clicks: link prepare CODE --project ID --visits ${visits} --stack ${stack}`),
    },
  ];
};

/** Findings about the second region, whose table takes no clicks. */
const secondRegion = async (launch: Launch): Promise<Finding[]> => {
  const { region, config } = launch;
  const stack = `${launch.stack}-standby`;
  const outputs = await outputsOf(stack, { region });
  const here = {
    ...launch,
    stack,
    config: { ...config, capacity: undefined, reservedConcurrency: undefined },
  };
  const found = [
    await concurrency(new LambdaClient({ region }), here),
    await table(here, outputs?.CopyTableName),
  ];
  if (launch.visits > visitsWithoutRamp)
    found.push({
      name: "Lambda's ramp",
      ...look(
        `nothing is provisioned there: in the first seconds of an outage, visits above ${visitsWithoutRamp} a second get Lambda's 429`,
      ),
    });
  return found.map(({ name, ...rest }) => ({ name: `${name} in ${region}`, ...rest }));
};

const environmentsFor = (visits: number): number => Math.ceil(visits / visitsPerEnvironment);

const concurrency = (lambda: LambdaClient, { region, visits, config }: Launch): Promise<Finding> =>
  finding(`Lambda for ${visits} visits a second`, async () => {
    const { limit, free } = await accountConcurrency(lambda);
    const environments = environmentsFor(visits);
    const { reservedConcurrency: reserved } = config;
    if (reserved === undefined) {
      // 50 % more, for other functions of the account and slower visits.
      const wanted = Math.ceil(environments * 1.5);
      return free >= wanted
        ? ok(`${free} concurrent executions`)
        : todo(
            `${free} concurrent executions; ask for ${wanted + limit - free} in Service Quotas of ${region} ` +
              '(AWS Lambda, quota L-B99A9384), weeks before',
          );
    }
    if (reserved < environments)
      return todo(
        `reservedConcurrency=${reserved} also caps the redirect; deploy with ` +
          `reservedConcurrency=${environments}, or without it`,
      );
    return ok(`${reserved} concurrent executions are reserved for the redirect`);
  });

const ramp = (
  lambda: LambdaClient,
  { region, visits, config, stack }: Launch,
  redirect: string | undefined,
): Promise<Finding> =>
  finding("Lambda's ramp", async () => {
    if (visits <= visitsWithoutRamp) return ok(`${visitsWithoutRamp} visits a second may come at once`);
    if (config.like !== 'prod')
      return todo(
        'deploy with like=prod: provisioned concurrency needs the alias that the redirect has there',
      );
    if (!redirect) return deployFirst(stack);
    const environments = environmentsFor(visits);
    const command = `aws lambda put-provisioned-concurrency-config --region ${region} --function-name ${redirect} --qualifier live --provisioned-concurrent-executions ${environments}`;
    const ready = await provisioned(lambda, redirect);
    return ready >= environments
      ? ok(`${ready} environments are ready`)
      : todo(
          `${ready} environments are ready. A quarter of an hour before, run '${command}'; delete it afterwards`,
        );
  });

const table = ({ region, visits, config, stack }: Launch, name: string | undefined): Promise<Finding> =>
  finding('the table', async () => {
    if (!name) return deployFirst(stack);
    const { capacity } = config;
    if (typeof capacity === 'object' && Math.min(capacity.reads, capacity.writes) < visits)
      return todo(
        `provides ${capacity.reads} reads and ${capacity.writes} writes a second, and refuses what is above; ` +
          'deploy with capacity=on-demand before',
      );
    const { reads, writes } = (await warmThroughputOf({ region }, name)) ?? { reads: 0, writes: 0 };
    return reads >= visits && writes >= visits
      ? ok(`takes ${reads} reads and ${writes} writes a second at once`)
      : todo(
          `takes ${reads} reads and ${writes} writes a second at once; deploy with ${warmThroughputFor(visits)} a day ` +
            "before, and raise the table's quota in Service Quotas if that is above 40,000. AWS can't lower it",
        );
  });

const deployFirst = (stack: string) => todo(`deploy ${stack} first`);

/** The firewall's finding. A carrier's address may hide thousands of phones: 1 % of all visits for the largest. */
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

const provisioned = async (lambda: LambdaClient, FunctionName: string): Promise<number> => {
  try {
    const { AvailableProvisionedConcurrentExecutions = 0 } = await lambda.send(
      new GetProvisionedConcurrencyConfigCommand({ FunctionName, Qualifier: 'live' }),
    );
    return AvailableProvisionedConcurrentExecutions;
  } catch (error) {
    if (/ProvisionedConcurrencyConfigNotFound|No Provisioned/i.test(`${error} ${errorText(error)}`)) return 0;
    throw error;
  }
};
