import { type RemovalPolicy, Token } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { ITopic } from 'aws-cdk-lib/aws-sns';
import { limits } from '../core/base/limits.ts';
import type { AlarmOverrides } from './alarm-names.ts';
import { ConfigError } from './config-error.ts';
import { checkAliases, checkCertificates, type Domain, domainOf, edgeRegion } from './domains.ts';
import { checkRegion, checkStandby, usualCallsPerSecond } from './regions.ts';
import { checkedSettings, type StageSettings } from './settings.ts';

const defaults = (region: string) =>
  ({
    rateLimitPerHour: limits.requestsPerHour,
    callsPerSecond: usualCallsPerSecond(region),
    uniqueWindowDays: 90,
    figuresWithin: 2,
    historyDays: 400,
    logRetentionDays: 30,
    runbookUrl: 'docs/runbook.md',
    // Many phones share one address of their carrier, so the limit is high.
    visitsPerAddress: 10_000,
  }) satisfies StageSettings;

type Defaulted = 'stage' | 'like' | 'waf' | keyof ReturnType<typeof defaults>;

/** What only an app's code gives a stack: constructs, and choices that the app keeps out of its settings. */
interface Given {
  /** The topic that alarms notify, instead of one of the stack. */
  readonly alarmTopic?: ITopic | undefined;
  readonly encryptionKey?: IKey | undefined;
  /** @default retains data in stages like prod */
  readonly removalPolicy?: RemovalPolicy | undefined;
  readonly alarms?: AlarmOverrides | undefined;
}

/** A deployment's settings with defaults. */
export interface Config
  extends Given,
    Omit<StageSettings, Defaulted>,
    Required<Pick<StageSettings, Defaulted>> {
  readonly short?: Domain | undefined;
  readonly api?: Domain | undefined;
  /** Whether CloudFront has a firewall of the deployment's own. */
  readonly edgeFirewall: boolean;
  /** Whether the API has a firewall of the deployment's own. */
  readonly apiFirewall: boolean;
  /** The stack's region, if synthesis knows it. */
  readonly expectedRegion?: string | undefined;
  /** An existing table to use, such as a restored one, instead of a new one. */
  readonly adopted?: ReturnType<typeof adoptedTable>;
}

/**
 * Completes and checks settings. `otherRegion` is the region for stacks that need one if the settings have none. Throws
 * ConfigError.
 */
export const configOf = (given: StageSettings, otherRegion?: string): Config => {
  const settings = checkedSettings(given, Token.isUnresolved);
  const { stage = 'dev', region, shortAliases } = settings;
  const like = settings.like ?? (stage === 'prod' ? 'prod' : 'dev');
  const isProd = like === 'prod';
  const short = domainOf('short', settings);
  const api = domainOf('api', settings);
  const waf = settings.waf ?? isProd;
  const edgeFirewall = waf && settings.webAclArn === undefined;
  const spansRegions = needsEdgeAlarms({ ...settings, like }) || needsEdgeStack({ edgeFirewall, short });
  const known = region ?? (spansRegions ? (otherRegion ?? edgeRegion) : undefined);
  const deployed = known ?? otherRegion ?? edgeRegion;
  checkRegion(deployed);
  if (settings.standby !== undefined) checkStandby(settings.standby, region);
  checkCertificates(short, api, known);
  checkExisting(settings, isProd, known ?? otherRegion);
  checkCapacity(settings);
  checkSignIn(settings);
  if (shortAliases) checkAliases(shortAliases, short);
  return {
    ...defaults(deployed),
    ...settings,
    stage,
    like,
    waf,
    edgeFirewall,
    apiFirewall: waf && settings.apiWebAclArn === undefined,
    ...(known && { region: known }),
    expectedRegion: known ?? otherRegion,
    short,
    api,
    adopted: adoptedTable(settings),
  };
};

/** Whether the deployment needs a stack in `us-east-1` for CloudFront. */
export const needsEdgeStack = ({ edgeFirewall, short }: Pick<Config, 'edgeFirewall' | 'short'>): boolean =>
  edgeFirewall || (short !== undefined && short.certificateArn === undefined);

/** Whether the deployment needs a stack in `us-east-1` for the alarms there. */
export const needsEdgeAlarms = ({ like, healthCheck }: Pick<Config, 'like' | 'healthCheck'>): boolean =>
  like === 'prod' || healthCheck === true;

/** Checks existing resources. An ARN that is known only at deployment has no region yet. */
const checkExisting = (settings: StageSettings, isProd: boolean, region: string | undefined): void => {
  for (const key of ['alarmTopicArn', 'encryptionKeyArn', 'apiWebAclArn'] as const) {
    const arn = settings[key];
    if (region && arn && !Token.isUnresolved(arn) && arn.split(':')[3] !== region)
      throw new ConfigError(`${key} must be of a resource in ${region}, where the service is`);
  }
  const { alarmTopicArn, edgeAlarmTopicArn, alarmEmail, waf, webAclArn, apiWebAclArn } = settings;
  if (waf === false && (webAclArn ?? apiWebAclArn) !== undefined)
    throw new ConfigError('waf=off contradicts webAclArn and apiWebAclArn; leave one of them out');
  if (isProd && alarmTopicArn !== undefined && (edgeAlarmTopicArn ?? alarmEmail) === undefined)
    throw new ConfigError(
      'alarmTopicArn needs edgeAlarmTopicArn or alarmEmail: nothing would receive the alarms in us-east-1',
    );
};

/** AWS rejects a table with less warm throughput than provisioned capacity. */
const checkCapacity = ({
  capacity,
  warmThroughput: [reads, writes] = [Infinity, Infinity],
}: StageSettings) => {
  if (typeof capacity === 'object' && (capacity.reads > reads || capacity.writes > writes))
    throw new ConfigError('warmThroughput must be at least the reads and writes of capacity');
};

const checkSignIn = ({ signIn, signInClient, signInSecret, signInTrustsEmail }: StageSettings): void => {
  const [discovery] = /\/\.well-known(\/.*)?$/.exec(signIn ?? '') ?? [];
  if (discovery)
    throw new ConfigError(
      `signIn must be the issuer, ${signIn?.slice(0, -discovery.length)}, without ${discovery}`,
    );
  if (signIn !== undefined && signInClient === undefined)
    throw new ConfigError("signIn needs signInClient, the service's client id at the issuer");
  const ofSignIn = [signInClient, signInSecret, signInTrustsEmail];
  if (signIn === undefined && ofSignIn.some((given) => given !== undefined))
    throw new ConfigError('signInClient, signInSecret and signInTrustsEmail mean nothing without signIn');
};

const adoptedTable = ({
  tableName: name,
  tableStreamArn: streamArn,
  warmThroughput,
  capacity,
}: StageSettings) => {
  if (name === undefined && streamArn === undefined) return undefined;
  const [own] = Object.entries({ warmThroughput, capacity }).find(([, value]) => value !== undefined) ?? [];
  if (name !== undefined && own !== undefined)
    throw new ConfigError(`${own} is for a table of the stack; set it on the adopted one itself`);
  if (name !== undefined && streamArn?.split('/')[1] === name) return { name, streamArn };
  throw new ConfigError('tableName and tableStreamArn go together: the table to adopt, and its stream');
};
