import { CloudFrontClient, ListDistributionsCommand } from '@aws-sdk/client-cloudfront';
import { edgeRegion } from '../../lib/domains.ts';
import type { Provisioned } from '../../lib/setting-kinds.ts';
import { describeStack } from '../aws/described-stack.ts';
import { type Identity, identityIn, profileRegion } from '../aws/identity.ts';
import { errorText } from '../base/error-text.ts';
import { type Finding, finding, look, ok, todo } from './finding.ts';
import type { Plan } from './plan.ts';

export interface PreflightChoices {
  /** Region; undefined: that of the AWS profile. */
  readonly region: string | undefined;
  readonly context: Readonly<Record<string, string>>;
  /** The name of the service's stack in another app. */
  readonly stack?: string | undefined;
  /** Expected peak of visits a second. */
  readonly visits?: number | undefined;
}

/** Checks everything that prevents a first deployment, or its working, as far as AWS shows it beforehand. */
export const preflight = async ({ region: given, context, visits, stack }: PreflightChoices) => {
  const region = given ?? (await profileRegion());
  if (region === undefined) return [regionless, ...(await ofAllRegions())];
  const { identity, found: who } = await identify(region);
  if (!identity) return [who];
  let plan: Plan | undefined;
  const choices = await finding('choices and region', async () => {
    // The CDK is slow to load, and useless without a sign-in.
    plan = (await import('./plan.ts')).stagePlanOf(context, region, stack);
    return ok(`${region}; the choices are valid`);
  });
  return [
    who,
    choices,
    ...(await Promise.all(
      Object.entries(plan?.bootstraps ?? { [region]: 0 }).map(([where, version]) =>
        bootstrapped(identity.account, where, version),
      ),
    )),
    await (await import('./concurrency.ts')).concurrency(region, plan),
    ...(plan?.config.standby ? await secondRegion(region, plan.config.standby) : []),
    await cloudFront(),
    ...(plan ? [await (await import('./account-plan.ts')).accountPlan(plan.config)] : []),
    ...(plan ? await (await import('./watching.ts')).watchingFindings(plan) : []),
    ...(plan ? await (await import('./upgrade.ts')).upgradeFindings(region, plan.stack) : []),
    ...(plan?.config.signIn ? await (await import('./sign-in.ts')).signInFindings(region, plan) : []),
    ...(typeof plan?.config.capacity === 'object' ? [providedOnly(plan.config.capacity)] : []),
    ...(visits && plan
      ? await (await import('./launch.ts')).launchFindings({ ...plan, region, visits })
      : []),
  ];
};

/** Findings about a second region, in addition to those of each stack's region. */
const secondRegion = async (region: string, standby: string): Promise<Finding[]> => {
  const choice = { name: 'the two regions', ...ok(`${region} and ${standby}`) };
  if ([region, standby].includes(edgeRegion))
    Object.assign(
      choice,
      look(
        `${edgeRegion} has the control planes of CloudFront, its certificates and firewalls, and of IAM: while it is away, visitors are ` +
          'served, but hosts and deployments have to wait. Choose two other regions if you can',
      ),
    );
  // It reserves none.
  const { name, ...rest } = await (await import('./concurrency.ts')).concurrency(standby, undefined);
  return [choice, { name: `${name} in ${standby}`, ...rest }];
};

const regionless: Finding = {
  name: 'region',
  ...todo('give --region NAME, -c region=NAME or set AWS_REGION; then the rest can be checked'),
};

/** Findings that need no region. */
const ofAllRegions = async (): Promise<Finding[]> => {
  const { identity, found } = await identify('us-east-1');
  return identity ? [found, await cloudFront()] : [found];
};

const identify = async (region: string): Promise<{ identity?: Identity; found: Finding }> => {
  let identity: Identity | undefined;
  const found = await finding('identity', async () => {
    identity = await identityIn({ region });
    return ok(`account ${identity.account}, as ${identity.arn}`);
  });
  return { ...(identity && { identity }), found };
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
    const { outputs } = await describeStack('CDKToolkit', { region });
    return Number(outputs.BootstrapVersion ?? 0);
  } catch (error) {
    if (/does not exist/.test(errorText(error))) return undefined;
    throw error;
  }
};

/** The finding for a provisioned table, which doesn't grow automatically. */
const providedOnly = ({ reads, writes }: Provisioned): Finding => ({
  name: 'capacity',
  ...look(
    `the table throttles above ${reads} reads and ${writes} writes a second. Its clicks wait in a queue then, but calls of ` +
      'the API fail, and visitors of links that nobody opened lately get a page that tries again. It is cheaper than ' +
      'capacity=on-demand only where more than three tenths of it are used all day (docs/cost.md)',
  ),
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
