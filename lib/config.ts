import type { Node } from 'constructs';
import { limits } from '../core/limits.ts';
import {
  ConfigError,
  contact,
  dollars,
  logRetention,
  matching,
  oneOf,
  optionalNumber,
  type Text,
  wholeNumber,
} from './context-values.ts';
import { aliases, checkCertificates, type Domain, domain, edgeRegion } from './domains.ts';
import { checkRegion, usualCallsPerSecond } from './regions.ts';

/** What a deployment can choose, by CDK context. */
export interface Config {
  readonly stage: 'dev' | 'prod';
  /** Where the service runs; without it, wherever the stack is deployed to. */
  readonly region?: string;
  /** Requests that a key may make in an hour. */
  readonly rateLimitPerHour: number;
  /** Requests per second that the API takes in total. */
  readonly callsPerSecond: number;
  /** Reserved concurrency of the redirect; without it, the account's. */
  readonly reservedConcurrency?: number;
  /** US dollars a month, after which the alarms' topic gets a message. */
  readonly monthlyBudget?: number;
  /** Days for which a returning visitor counts as the same one. */
  readonly uniqueWindowDays: number;
  readonly logRetentionDays: number;
  /** Own domain of the short URLs. */
  readonly short?: Domain;
  /** Further hosts of the distribution. */
  readonly shortAliases?: readonly string[];
  /** Whether hosts of projects are made without a deployment, as tenants of a distribution. */
  readonly ownHosts?: 'tenants';
  /** A table to work on instead of one that the stack makes. */
  readonly adopted?: AdoptedTable;
  /** Own domain of the API. */
  readonly api?: Domain;
  /** Whether CloudFront and the API have a web application firewall. */
  readonly waf: boolean;
  /** The address that gets the alarms. */
  readonly alarmEmail?: string;
  /** Where visitors report a link that does harm: an https or mailto address. */
  readonly abuseContact?: string;
  /** Days for which figures over time are kept; for ever without it. */
  readonly figuresRetentionDays?: number;
  /** Whether every click is exported as a row of a table for queries. */
  readonly exportsClicks?: true;
  /** Where the alarms' descriptions link to docs/runbook.md. */
  readonly runbookUrl: string;
}

/** An existing table, such as a restored one. */
export interface AdoptedTable {
  readonly name: string;
  readonly streamArn: string;
}

/** What a stage states for itself; context wins over it. */
type StageValues = (stage: string) => Readonly<Record<string, string>>;

/**
 * `cliRegion` is the region of the caller's AWS configuration, for deployments whose stacks must know their
 * region. Throws ConfigError.
 */
export const readConfig = (node: Node, cliRegion?: string, stageValues: StageValues = () => ({})): Config => {
  const given: Text = (key) => {
    const value: unknown = node.tryGetContext(key);
    return value === undefined || value === '' ? undefined : String(value);
  };
  const stage = oneOf(given, 'stage', ['dev', 'prod']) ?? 'dev';
  const stated = stageValues(stage);
  refuseUnknownKeys([...Object.keys(node.getAllContext()), ...Object.keys(stated)]);
  const text: Text = (key) => given(key) ?? (stated[key] === '' ? undefined : stated[key]);
  const short = domain('short', text);
  const api = domain('api', text);
  const alarmEmail = matching(text, 'alarmEmail', /^[^@\s]+@[^@\s]+\.[^@\s]+$/, 'an e-mail address');
  const waf = (oneOf(text, 'waf', ['on', 'off']) ?? (stage === 'prod' ? 'on' : 'off')) === 'on';
  const region = matching(text, 'region', /^[a-z]{2}(-[a-z]+)+-\d$/, 'an AWS region, such as eu-west-1');
  const spansRegions = stage === 'prod' || needsEdgeStack({ waf, short });
  const known = region ?? (spansRegions ? (cliRegion ?? edgeRegion) : undefined);
  const deployed = known ?? cliRegion ?? edgeRegion;
  checkRegion(deployed);
  checkCertificates(short, api, known);
  const shortAliases = aliases(text, short);
  const adopted = adoptedTable(text);
  const ownHosts = oneOf(text, 'ownHosts', ['aliases', 'tenants']);
  const abuseContact = contact(text, 'abuseContact');
  const reservedConcurrency = optionalNumber(text, 'reservedConcurrency', [10, 100_000]);
  const monthlyBudget = dollars(text, 'monthlyBudget');
  const exportsClicks = oneOf(text, 'export', ['on', 'off']) === 'on';
  const figuresRetentionDays = optionalNumber(text, 'figuresRetentionDays', [1, 36_500]);
  return {
    stage,
    ...(known && { region: known }),
    rateLimitPerHour: wholeNumber(text, 'rateLimitPerHour', limits.requestsPerHour, [1, 100_000_000]),
    callsPerSecond: wholeNumber(text, 'callsPerSecond', usualCallsPerSecond(deployed), [20, 1_000_000]),
    uniqueWindowDays: wholeNumber(text, 'uniqueWindowDays', 90, [1, 3650]),
    logRetentionDays: logRetention(text),
    ...(short && { short }),
    ...(shortAliases && { shortAliases }),
    ...(ownHosts === 'tenants' && { ownHosts }),
    ...(adopted && { adopted }),
    ...(api && { api }),
    waf,
    ...(alarmEmail && { alarmEmail }),
    ...(abuseContact && { abuseContact }),
    ...(figuresRetentionDays && { figuresRetentionDays }),
    ...(exportsClicks && { exportsClicks }),
    ...(reservedConcurrency && { reservedConcurrency }),
    ...(monthlyBudget && { monthlyBudget }),
    runbookUrl: matching(text, 'runbookUrl', /^https:\/\/\S+$/, 'an https address') ?? 'docs/runbook.md',
  };
};

/** Whether the deployment needs a stack in CloudFront's own region. */
export const needsEdgeStack = ({ waf, short }: Pick<Config, 'waf' | 'short'>): boolean =>
  waf || (short !== undefined && short.certificateArn === undefined);

/** `allowDrop` is only for `npm run deploy`. */
export const contextKeys = [
  ...['stage', 'region', 'rateLimitPerHour', 'uniqueWindowDays', 'logRetentionDays', 'waf'],
  ...['shortDomain', 'shortCertificateArn', 'shortHostedZoneId', 'shortAliases', 'ownHosts'],
  ...['tableName', 'tableStreamArn', 'allowDrop'],
  ...['apiDomain', 'apiCertificateArn', 'apiHostedZoneId', 'alarmEmail', 'runbookUrl'],
  ...[
    'callsPerSecond',
    'reservedConcurrency',
    'monthlyBudget',
    'abuseContact',
    'figuresRetentionDays',
    'export',
  ],
];

/**
 * A misspelt key would silently leave its default in place. The CDK's own keys contain a colon or a slash.
 */
const refuseUnknownKeys = (given: readonly string[]): void => {
  const unknown = given.find((key) => /^[\w-]+$/.test(key) && !contextKeys.includes(key));
  if (unknown)
    throw new ConfigError(
      `${unknown} is not a context key of this app; the keys are ${contextKeys.join(', ')}`,
    );
};

const adoptedTable = (text: Text): AdoptedTable | undefined => {
  const name = matching(text, 'tableName', /^[\w.-]{3,255}$/, "a DynamoDB table's name");
  const streamArn = matching(
    text,
    'tableStreamArn',
    /^arn:[^:]+:dynamodb:[a-z0-9-]+:\d{12}:table\/[\w.-]+\/stream\/\S+$/,
    "the ARN of a table's stream",
  );
  if (name === undefined && streamArn === undefined) return undefined;
  if (name !== undefined && streamArn?.split('/')[1] === name) return { name, streamArn };
  throw new ConfigError('tableName and tableStreamArn go together: the table to adopt, and its stream');
};
