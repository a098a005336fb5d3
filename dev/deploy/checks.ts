import { type Config, configOf } from '../../lib/config.ts';
import { ConfigError } from '../../lib/config-error.ts';
import { existingKeys, settingsOf } from '../../lib/settings.ts';
import { stackNameOf } from '../../lib/stack-names.ts';
import { readStageFile } from '../../lib/stage-file.ts';
import { type AwsAccess, clientConfig } from '../../ops/aws/aws-access.ts';
import { awsRegion } from '../../ops/aws/aws-region.ts';
import { describeStack } from '../../ops/aws/described-stack.ts';
import { cdkFlags } from '../../ops/base/cdk-flags.ts';
import { openStandby } from '../../ops/deployment/standby-access.ts';
import { dropsBetween, type StandingParts, standingOf } from './drops.ts';

/** The context values among the arguments of `cdk deploy`, in any of the forms it takes. */
export const contextOf = (args: readonly string[]): Readonly<Record<string, string>> => {
  const pairs = args.flatMap((argument, index) => {
    if (argument === '-c' || argument === '--context') return [args[index + 1] ?? ''];
    const [, joined] = /^(?:--context=|-c=?)(.+=.*)$/.exec(argument) ?? [];
    return joined === undefined ? [] : [joined];
  });
  return Object.fromEntries(
    pairs.map((pair) => {
      const [key = '', ...value] = pair.split('=');
      return [key, value.join('=')];
    }),
  );
};

/** The stacks, region and profile of a `cdk deploy`, by its arguments. */
export interface DeployArguments {
  readonly config: Config;
  readonly context: Readonly<Record<string, string>>;
  readonly region: string | undefined;
  readonly profile: string | undefined;
}

/** Parses the arguments. Throws ConfigError for invalid choices. */
export const deployArguments = (args: readonly string[]): DeployArguments => {
  const context = contextOf(args);
  const cliRegion = awsRegion();
  const config = configOf(settingsOf({ ...cdkFlags(), ...context }, readStageFile), cliRegion);
  const profile = /(?:^|\0)--profile[=\0]([^\0]+)/.exec(args.join('\0'))?.[1];
  return { config, context, region: config.region ?? cliRegion, profile };
};

/**
 * Parts that these arguments would remove from the deployed stack. Empty if there is no stack, if the operator allows
 * it, or if the stack can't be read, which `cdk deploy` reports better. Throws ConfigError for a stack that must be
 * deleted first.
 */
export const dropsOf = async ({ config, context, region, profile }: DeployArguments): Promise<string[]> => {
  const name = stackNameOf(config);
  const stack = await describeStack(name, { region, profile }).catch(() => undefined);
  if (config.like === 'prod' && stack?.status === 'ROLLBACK_COMPLETE')
    throw new ConfigError(neverCreated(name, region));
  if (!stack || context.allowDrop === 'true') return [];
  const standing = standingOf(stack.outputs);
  const access = clientConfig({ region: standing.standby, profile });
  const isOver = standing.standby !== config.standby && (await isStandbyOver(`${name}-standby`, access));
  return dropsBetween(isOver ? { ...standing, standby: undefined } : standing, planned(config));
};

/** Whether a second region is stopped and has no clicks; false if it can't be read. */
const isStandbyOver = async (stack: string, client: AwsAccess): Promise<boolean> => {
  try {
    const { outputs } = await describeStack(stack, client);
    const { isOver } = await import('../../ops/standby/standby.ts');
    return await isOver(openStandby('', outputs, { client }));
  } catch {
    return false;
  }
};

/** The step before an upgrade to this version; undefined if there is no stack, or if its table can't be read. */
export const stepBefore = async ({
  config,
  region,
  profile,
}: DeployArguments): Promise<string | undefined> => {
  const stack = stackNameOf(config);
  const access = clientConfig({ region, profile });
  try {
    const { outputs } = await describeStack(stack, access);
    if (!outputs.TableName) return undefined;
    const { stepFromOlder } = await import('../../ops/upgrade/older-analytics.ts');
    return await stepFromOlder({ access, tableName: outputs.TableName });
  } catch {
    return undefined;
  }
};

/** Advice for a stack that was never created: it must be deleted, which the CDK can't do if it is protected. */
const neverCreated = (name: string, region: string | undefined): string => {
  const stack = `--stack-name ${name}${region ? ` --region ${region}` : ''}`;
  return `The first deployment of ${name} failed, and its stack can't be used any more. Delete it, then deploy again (docs/restore.md, 'A first deployment failed'):
  aws cloudformation update-termination-protection --no-enable-termination-protection ${stack}
  aws cloudformation delete-stack ${stack}`;
};

const planned = ({
  short,
  api,
  alarmEmail,
  adopted,
  standby,
  shortAliases = [],
  ...others
}: Config): StandingParts => ({
  ...(short && { shortDomain: short.name }),
  ...(api && { apiDomain: api.name }),
  ...(alarmEmail && { alarmEmail }),
  ...(standby && { standby }),
  ...(adopted && { tableName: adopted.name }),
  ...Object.fromEntries(existingKeys.map((key) => [key, others[key]])),
  shortAliases,
});
