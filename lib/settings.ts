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

/**
 * The settings of a deployment. `npm run generate` writes docs/settings.md from these comments, kinds and the defaults in
 * config.ts; `@default` is for other defaults.
 */
export const kinds = {
  /* Stage */

  /** Name of the stage. Stages in one account share no data and no names. @default `dev` */
  stage: kind.matching(/^[a-z0-9-]{1,40}$/, 'a name of 1 to 40 of a-z, 0-9 and -'),
  /** [Kind of the stage](deploy.md#dev-and-prod). @default `prod` for the stage `prod`, else `dev` */
  like: kind.oneOf('dev', 'prod'),
  /** Region in which the service runs. @default the region of the AWS CLI */
  region: kind.matching(/^[a-z]{2}(-[a-z]+)+-\d$/, 'an AWS region, such as eu-west-1'),
  /**
   * Second region, from which visitors are served while the service's own region can't. It needs `region`, and function
   * URLs in both. @default none
   */
  standby: kind.matching(/^[a-z]{2}(-[a-z]+)+-\d$/, 'an AWS region, such as eu-central-1'),

  /* Alarms and cost */

  /** Email address that receives the alarms, through the topics that the stacks create. */
  alarmEmail: kind.matching(/^[^@\s]+@[^@\s]+\.[^@\s]+$/, 'an email address'),
  /** US dollars a month for the whole account. The alarms' topic is notified at 80 % and at 100 % of it. */
  monthlyBudget: kind.dollars,
  /** Address of your runbook, for the alarms' descriptions. */
  runbookUrl: kind.matching(/^https:\/\/\S+$/, 'an https address'),
  /**
   * Whether Route 53 fetches `/robots.txt` from the short host, from three regions and with an
   * [alarm](runbook.md#healthcheck) in us-east-1. It costs about [2.20 USD](cost.md#an-idle-month) a month. @default `off`
   */
  healthCheck: kind.onOrOff,

  /* Limits and capacity */

  /** Calls of each API key per hour. */
  rateLimitPerHour: kind.integerFrom(1, 100_000_000),
  /**
   * Calls per second for each method of the API. [A project](deploy.md#tenants-who-share-a-deployment) can use a tenth of
   * it. @default 10000, or 2500 in af-south-1, ap-southeast-3, eu-south-1 and mx-central-1: AWS's quotas for an account
   */
  callsPerSecond: kind.integerFrom(20, 1_000_000),
  /**
   * Concurrent executions that are [reserved for the redirect](deploy.md#reserved-concurrency) and also cap it.
   * @default no reservation
   */
  reservedConcurrency: kind.integerFrom(10, 100_000),
  /**
   * Visits to short URLs from one address in five minutes. [Mobile carriers](operate.md#before-a-launch) put many
   * phones behind one address.
   */
  visitsPerAddress: kind.integerFrom(10, 2_000_000_000),
  /**
   * Reads and writes per second that the table can serve immediately. AWS bills an increase once, and can't lower it.
   */
  warmThroughput: kind.pairFrom(12_000, 4_000),
  /**
   * Capacity mode of the table. Provisioned capacity throttles the load above it, and is cheaper only [for a steady
   * load](cost.md#a-table-with-fixed-capacity). @default `on-demand`
   */
  capacity: kind.capacity,
  /**
   * Links that a project may have, without deleted ones. The next creation gets 403 `LIMIT_REACHED`. Simultaneous
   * calls may exceed the limit. @default no limit
   */
  linksPerProject: kind.integerFrom(1, 100_000_000),

  /* Analytics and retention */

  /**
   * Seconds after which analytics show a click or an app open. A longer delay is
   * [cheaper](cost.md#analytics-that-come-later). For `300`, run `smoke` with `--patience 400`.
   */
  figuresWithin: kind.oneOfNumbers(2, 10, 60, 300),
  /** Days without a click after which a visitor counts as new. */
  uniqueWindowDays: kind.integerFrom(1, 3650),
  /** Days to keep analytics over time. Totals of links and projects are always kept. @default unlimited */
  figuresRetentionDays: kind.integerFrom(1, 36_500),
  /**
   * Days to keep the previous version of a changed link for its [history](console.md#what-it-shows). `0` keeps none.
   */
  historyDays: kind.integerFrom(0, 3650),
  /** Days to keep logs. */
  logRetentionDays: kind.oneOfNumbers(...logRetentions),
  /** Whether every click is [exported](export.md) as a row for Athena and other tools. @default `off` */
  export: kind.onOrOff,
  /**
   * Existing EventBridge buses that may receive [events](events.md#eventbridge). A bus in another account receives
   * everything that is sent to it.
   */
  eventBuses: kind.commaList(
    kind.matching(
      /^(arn:[^:]+:events:[a-z0-9-]+:\d{12}:event-bus\/)?[\w./-]{1,256}$/,
      'the name or ARN of an EventBridge bus',
    ),
    'names or ARNs of EventBridge buses with commas between',
  ),

  /* Domains */

  /** [Custom domain](hosts.md#the-deployments-own-domains) of the short URLs. */
  shortDomain: hostName,
  /** Certificate of `shortDomain`, in us-east-1. */
  shortCertificateArn: certificate,
  /** Route 53 hosted zone in which the deployment creates certificate and DNS records of `shortDomain`. */
  shortHostedZoneId: hostedZone,
  /** [Custom hosts](hosts.md#custom-hosts-of-projects) of projects. */
  shortAliases: kind.commaList(hostName, 'host names in lower case with commas between'),
  /**
   * Whether [custom hosts](hosts.md#custom-hosts-of-projects) are aliases of the distribution, or tenants, which
   * commands create without a deployment. @default `aliases`
   */
  ownHosts: kind.oneOf('aliases', 'tenants'),
  /** [Custom domain](hosts.md#the-deployments-own-domains) of the API. */
  apiDomain: hostName,
  /** Certificate of `apiDomain`, in the service's region. */
  apiCertificateArn: certificate,
  /** Route 53 hosted zone in which the deployment creates certificate and DNS records of `apiDomain`. */
  apiHostedZoneId: hostedZone,

  /* Security and existing resources */

  /**
   * Whether [firewalls](../SECURITY.md#the-firewall) protect CloudFront and the API. @default `on` in stages like
   * prod, else `off`
   */
  waf: kind.onOrOff,
  /** Address to which visitors [report harmful links](operate.md#a-link-does-harm). */
  abuseContact: kind.contact,
  /** Existing topic in the service's region that replaces the topic of the alarms. */
  alarmTopicArn: existing('sns', anyRegion, '[\\w-]+', 'a standard SNS topic'),
  /** Existing topic that replaces the topic of the alarms in us-east-1. */
  edgeAlarmTopicArn: existing('sns', 'us-east-1', '[\\w-]+', 'a standard SNS topic in us-east-1'),
  /**
   * KMS key that encrypts tables, queues, topics, buckets, log groups and secrets in the service's region. @default
   * AWS's keys
   */
  encryptionKeyArn: existing('kms', anyRegion, 'key/[\\w-]+', 'a KMS key, not of an alias'),
  /** Existing web ACL that replaces the firewall of CloudFront, also in dev. */
  webAclArn: existing('wafv2', 'us-east-1', `global/${webAcl}`, 'a web ACL for CloudFront in us-east-1'),
  /** Existing web ACL that replaces the firewall of the API, also in dev. */
  apiWebAclArn: existing('wafv2', anyRegion, `regional/${webAcl}`, 'a regional web ACL'),
  /**
   * Existing table to use, such as a [restored](restore.md#adopt-a-restored-table) one. Needs `tableStreamArn`.
   * @default a table of the stack
   */
  tableName: kind.matching(/^[\w.-]{3,255}$/, "a DynamoDB table's name"),
  /** Stream of the table in `tableName`. */
  tableStreamArn: kind.matching(
    /^arn:[^:]+:dynamodb:[a-z0-9-]+:\d{12}:table\/[\w.-]+\/stream\/\S+$/,
    "the ARN of a table's stream",
  ),

  /* Consoles and sign-in */

  /** Name in the header and the titles of the consoles. @default `Links console` */
  consoleName: kind.matching(/^(?=.*\S)\P{C}{1,40}$/u, '1 to 40 characters without control characters'),
  /** Logo of the members' console, as a path from the app's folder or an absolute path. */
  consoleLogo: kind.logo,
  /** OpenID Connect issuer with which members [sign in](sign-in.md). @default no sign-in */
  signIn: kind.issuer,
  /** Client id of the service at the issuer. */
  signInClient: kind.matching(/^[\x21-\x7e]{1,255}$/, 'the id of a client of the issuer, without spaces'),
  /** Secret in Secrets Manager that contains only the client secret. */
  signInSecret: kind.matching(/^[\w/+=.@-]{1,512}$/, 'the name of a secret in Secrets Manager'),
  /** Whether to accept email addresses without the issuer's `email_verified` claim. @default `false` */
  signInTrustsEmail: kind.trueOrFalse,
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
