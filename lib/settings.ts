import type * as z from 'zod';
import { ConfigError } from './config-error.ts';
import * as kind from './setting-kinds.ts';

const hostName = kind.matching(
  /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/,
  'a host name in lower case, such as go.example.com',
);
const certificate = kind.matching(
  /^arn:[^:]+:acm:[a-z0-9-]+:\d{12}:certificate\/.+$/,
  'the ARN of an ACM certificate',
);
const hostedZone = kind.matching(/^Z[A-Z0-9]{1,31}$/, "a Route 53 hosted zone's id");

/** The ARN of an existing resource. Only the partition aws has all services that this one needs. */
const existing = (service: string, region: string, resource: string, must: string) =>
  kind.matching(new RegExp(`^arn:aws:${service}:${region}:\\d{12}:${resource}$`), `the ARN of ${must}`);
const anyRegion = '[a-z0-9-]+';
const webAcl = 'webacl/[\\w-]+/[\\w-]+';

/** Retention periods that CloudWatch supports, in days. */
const logRetentions = [
  ...[1, 3, 5, 7, 14, 30, 60, 90, 120, 150, 180, 365],
  ...[400, 545, 731, 1096, 1827, 2192, 2557],
] as const;

/** The settings of a deployment; docs/deploy.md lists the defaults. */
export const kinds = {
  stage: kind.matching(/^[a-z0-9-]{1,40}$/, 'a name of 1 to 40 of a-z, 0-9 and -'),
  /** Whether the stage is treated as prod or dev; by default only the stage prod is treated as prod. */
  like: kind.oneOf('dev', 'prod'),
  /** The service's region; by default the one that the stack is deployed to. */
  region: kind.matching(/^[a-z]{2}(-[a-z]+)+-\d$/, 'an AWS region, such as eu-west-1'),
  /** Requests that a key may make in an hour. */
  rateLimitPerHour: kind.integerFrom(1, 100_000_000),
  /** Days in which a returning visitor isn't a unique one. */
  uniqueWindowDays: kind.integerFrom(1, 3650),
  logRetentionDays: kind.oneOfNumbers(...logRetentions),
  /** Whether CloudFront and the API have a web application firewall. */
  waf: kind.onOrOff,
  shortDomain: hostName,
  shortCertificateArn: certificate,
  shortHostedZoneId: hostedZone,
  /** Further hosts of the distribution. */
  shortAliases: kind.commaList(hostName, 'host names in lower case with commas between'),
  /** Whether custom hosts are aliases of the distribution, or tenants, which need no deployment. */
  ownHosts: kind.oneOf('aliases', 'tenants'),
  /** An existing table to use instead of a new one. */
  tableName: kind.matching(/^[\w.-]{3,255}$/, "a DynamoDB table's name"),
  tableStreamArn: kind.matching(
    /^arn:[^:]+:dynamodb:[a-z0-9-]+:\d{12}:table\/[\w.-]+\/stream\/\S+$/,
    "the ARN of a table's stream",
  ),
  apiDomain: hostName,
  apiCertificateArn: certificate,
  apiHostedZoneId: hostedZone,
  alarmEmail: kind.matching(/^[^@\s]+@[^@\s]+\.[^@\s]+$/, 'an e-mail address'),
  /** A topic in the service's region that replaces the alarms' topic. */
  alarmTopicArn: existing('sns', anyRegion, '[\\w-]+', 'a standard SNS topic'),
  /** A topic in `us-east-1` that replaces the topic of the alarms there. */
  edgeAlarmTopicArn: existing('sns', 'us-east-1', '[\\w-]+', 'a standard SNS topic in us-east-1'),
  /** A KMS key in the service's region that encrypts tables, queues, topics, buckets, log groups and secrets. */
  encryptionKeyArn: existing('kms', anyRegion, 'key/[\\w-]+', 'a KMS key, not of an alias'),
  /** A web ACL that replaces CloudFront's firewall. */
  webAclArn: existing('wafv2', 'us-east-1', `global/${webAcl}`, 'a web ACL for CloudFront in us-east-1'),
  /** A web ACL that replaces the API's firewall. */
  apiWebAclArn: existing('wafv2', anyRegion, `regional/${webAcl}`, 'a regional web ACL'),
  /** Whether Route 53 checks the short host's health. */
  healthCheck: kind.onOrOff,
  /** The address of docs/runbook.md in alarms' descriptions. */
  runbookUrl: kind.matching(/^https:\/\/\S+$/, 'an https address'),
  /** Requests per second for each method of the API. */
  callsPerSecond: kind.integerFrom(20, 1_000_000),
  /** Reserved concurrency of the redirect; a quarter of it for each other function of short URLs. */
  reservedConcurrency: kind.integerFrom(10, 100_000),
  /** Requests that one address may make to short URLs in five minutes. */
  visitsPerAddress: kind.integerFrom(10, 2_000_000_000),
  /** Warm throughput of the table: reads and writes a second. AWS can't lower it. */
  warmThroughput: kind.pairFrom(12_000, 4_000),
  /** The table's capacity mode. */
  capacity: kind.capacity,
  /** Seconds after which analytics show a click; see lib/batching.ts. */
  figuresWithin: kind.oneOfNumbers(2, 10, 60, 300),
  /** US dollars a month after which the alarms' topic is notified. */
  monthlyBudget: kind.dollars,
  /** The contact for visitors who report a harmful link. */
  abuseContact: kind.contact,
  /** Days for which analytics over time are kept; forever by default. */
  figuresRetentionDays: kind.integerFrom(1, 36_500),
  /** Days for which changes of links are kept; 0 keeps none. */
  historyDays: kind.integerFrom(0, 3650),
  consoleName: kind.matching(/^(?=.*\S)\P{C}{1,40}$/u, '1 to 40 characters without control characters'),
  /** The picture next to the name, as a file in the app's folder or with an absolute path. */
  consoleLogo: kind.logo,
  /** The most links of a project; unlimited by default. */
  linksPerProject: kind.integerFrom(1, 100_000_000),
  /** EventBridge buses that may receive events, by name or ARN. */
  eventBuses: kind.commaList(
    kind.matching(
      /^(arn:[^:]+:events:[a-z0-9-]+:\d{12}:event-bus\/)?[\w./-]{1,256}$/,
      'the name or ARN of an EventBridge bus',
    ),
    'names or ARNs of EventBridge buses with commas between',
  ),
  /** The OpenID Connect issuer with which members sign in to the console. */
  signIn: kind.issuer,
  signInClient: kind.matching(/^[\x21-\x7e]{1,255}$/, 'the id of a client of the issuer, without blanks'),
  /** The name of the Secrets Manager secret that contains only the client secret. */
  signInSecret: kind.matching(/^[\w/+=.@-]{1,512}$/, 'the name of a secret in Secrets Manager'),
  /** Whether to accept e-mail addresses without the issuer's `email_verified` claim. */
  signInTrustsEmail: kind.trueOrFalse,
  /** Whether every click is exported as a row for queries. */
  export: kind.onOrOff,
};

type Kinds = typeof kinds;

export type StageSettings = { readonly [Key in keyof Kinds]?: z.output<Kinds[Key]> };
/** The keys of existing resources that replace the deployment's own. */
export const existingKeys = [
  'alarmTopicArn',
  'edgeAlarmTopicArn',
  'encryptionKeyArn',
  'webAclArn',
  'apiWebAclArn',
] as const;
/** The stack's output for one of them. */
export const outputOf = (key: (typeof existingKeys)[number]) => `${key[0]?.toUpperCase()}${key.slice(1)}`;
/** `allowDrop` is only for `npx dls deploy`. */
export const contextKeys: readonly string[] = [...Object.keys(kinds), 'allowDrop'];

const settingNames = Object.keys(kinds).join(', ');

type Context = Readonly<Record<string, unknown>>;

export const isSettingName = (name: string): name is keyof StageSettings => Object.hasOwn(kinds, name);

/** Settings, each checked unless it is known only at deployment. Throws ConfigError. */
export const checkedSettings = (
  given: Context,
  isLater: (given: unknown) => boolean = () => false,
): StageSettings => {
  const unknown = Object.keys(given).find((key) => !isSettingName(key));
  if (unknown) throw new ConfigError(`${unknown} is not a setting; the settings are ${settingNames}`);
  return Object.fromEntries(
    Object.entries<z.ZodType>(kinds)
      .filter(([key]) => given[key] !== undefined)
      .map(([key, one]) => [key, isLater(given[key]) ? given[key] : kind.checked(key, one, given[key])]),
  );
};

/** Settings from the texts of a CDK context and from the stage's file; the context takes precedence. Throws ConfigError. */
export const settingsOf = (
  context: Context,
  stageValues: (stage: string) => Context = () => ({}),
): StageSettings => {
  const given = texts(context);
  // The stage is checked first, because it names a file.
  const stated = texts(stageValues(kind.checked('stage', kinds.stage, given.stage ?? 'dev')));
  refuseUnknownKeys([...Object.keys(context), ...Object.keys(stated)]);
  const all = Object.entries({ ...stated, ...given }).filter(([key]) => isSettingName(key));
  return checkedSettings(Object.fromEntries(all));
};

/** Values as texts, without empty ones. */
const texts = (context: Context): Record<string, string> =>
  Object.fromEntries(
    Object.entries(context).flatMap(([key, value]) =>
      value === undefined || value === '' ? [] : [[key, String(value)]],
    ),
  );

/** A misspelt key would silently leave its default in place. The CDK's own keys contain a colon or a slash. */
const refuseUnknownKeys = (given: readonly string[]): void => {
  const unknown = given.find((key) => /^[\w-]+$/.test(key) && !contextKeys.includes(key));
  if (unknown)
    throw new ConfigError(
      `${unknown} is not a context key of this app; the keys are ${contextKeys.join(', ')}`,
    );
};
