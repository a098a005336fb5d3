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

/** What a deployment can choose, by CDK context. */
export interface Config {
  readonly stage: 'dev' | 'prod';
  /** Where the service runs; without it, wherever the stack is deployed to. */
  readonly region?: string;
  /** Requests that a key may make in an hour. */
  readonly rateLimitPerHour: number;
  /** Requests that the API takes in a second, from everybody together. */
  readonly callsPerSecond: number;
  /** Invocations of the redirect at once; the account's without it. */
  readonly reservedConcurrency?: number;
  /** US dollars that the account may cost in a month before somebody is told. */
  readonly monthlyBudget?: number;
  /** Days for which a returning visitor counts as the same one. */
  readonly uniqueWindowDays: number;
  readonly logRetentionDays: number;
  /** Own domain of the short URLs. */
  readonly short?: Domain;
  /** Own domain of the API. */
  readonly api?: Domain;
  /** Whether a web application firewall stands before CloudFront and the API. */
  readonly waf: boolean;
  /** Who is told of alarms. */
  readonly alarmEmail?: string;
  /** Where visitors report a link that does harm: an https or mailto address. */
  readonly abuseContact?: string;
  /** Days for which figures over time are kept; for ever without it. */
  readonly figuresRetentionDays?: number;
  /** Where whoever reads an alarm finds docs/runbook.md. */
  readonly runbookUrl: string;
}

/** Has a certificate, or a Route 53 hosted zone in which to prove one; usually both. */
export interface Domain {
  readonly name: string;
  readonly certificateArn?: string;
  /** Gets the domain's records, and those that prove a certificate if none is given. */
  readonly hostedZoneId?: string;
}

/** CloudFront's certificates and firewalls exist in this region alone. */
export const edgeRegion = 'us-east-1';

/** `cliRegion` is the region of the caller's AWS configuration, for deployments whose stacks have to know theirs. */
export const readConfig = (node: Node, cliRegion?: string): Config => {
  const text: Text = (key) => {
    const value: unknown = node.tryGetContext(key);
    return value === undefined || value === '' ? undefined : String(value);
  };
  refuseUnknownKeys(node);
  const stage = oneOf(text, 'stage', ['dev', 'prod']) ?? 'dev';
  const short = domain('short', text);
  const api = domain('api', text);
  const alarmEmail = matching(text, 'alarmEmail', /^[^@\s]+@[^@\s]+\.[^@\s]+$/, 'an e-mail address');
  const waf = (oneOf(text, 'waf', ['on', 'off']) ?? (stage === 'prod' ? 'on' : 'off')) === 'on';
  const region = matching(text, 'region', /^[a-z]{2}(-[a-z]+)+-\d$/, 'an AWS region, such as eu-west-1');
  const spansRegions = stage === 'prod' || needsEdgeStack({ waf, short });
  const known = region ?? (spansRegions ? (cliRegion ?? edgeRegion) : undefined);
  checkCertificates(short, api, known);
  const abuseContact = contact(text, 'abuseContact');
  const reservedConcurrency = optionalNumber(text, 'reservedConcurrency', [10, 100_000]);
  const monthlyBudget = dollars(text, 'monthlyBudget');
  const figuresRetentionDays = optionalNumber(text, 'figuresRetentionDays', [1, 36_500]);
  return {
    stage,
    ...(known && { region: known }),
    rateLimitPerHour: wholeNumber(text, 'rateLimitPerHour', limits.requestsPerHour, [1, 100_000_000]),
    callsPerSecond: wholeNumber(text, 'callsPerSecond', 10_000, [20, 1_000_000]),
    uniqueWindowDays: wholeNumber(text, 'uniqueWindowDays', 90, [1, 3650]),
    logRetentionDays: logRetention(text),
    ...(short && { short }),
    ...(api && { api }),
    waf,
    ...(alarmEmail && { alarmEmail }),
    ...(abuseContact && { abuseContact }),
    ...(figuresRetentionDays && { figuresRetentionDays }),
    ...(reservedConcurrency && { reservedConcurrency }),
    ...(monthlyBudget && { monthlyBudget }),
    runbookUrl: matching(text, 'runbookUrl', /^https:\/\/\S+$/, 'an https address') ?? 'docs/runbook.md',
  };
};

/** Whether something of the deployment has to live in CloudFront's own region. */
export const needsEdgeStack = ({ waf, short }: Pick<Config, 'waf' | 'short'>): boolean =>
  waf || (short !== undefined && short.certificateArn === undefined);

const keys = [
  ...['stage', 'region', 'rateLimitPerHour', 'uniqueWindowDays', 'logRetentionDays', 'waf'],
  ...['shortDomain', 'shortCertificateArn', 'shortHostedZoneId'],
  ...['apiDomain', 'apiCertificateArn', 'apiHostedZoneId', 'alarmEmail', 'runbookUrl'],
  ...['callsPerSecond', 'reservedConcurrency', 'monthlyBudget', 'abuseContact', 'figuresRetentionDays'],
];

/** A misspelt key would leave its default in place without a word. The CDK's own keys hold a colon or a slash. */
const refuseUnknownKeys = (node: Node): void => {
  const unknown = Object.keys(node.getAllContext()).find(
    (key) => /^[\w-]+$/.test(key) && !keys.includes(key),
  );
  if (unknown)
    throw new ConfigError(`${unknown} is no context key of this app; there are ${keys.join(', ')}`);
};

const hostName = /^(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/;
const certificate = /^arn:[^:]+:acm:[a-z0-9-]+:\d{12}:certificate\/.+$/;

const domain = (kind: 'short' | 'api', text: Text): Domain | undefined => {
  const [nameKey, certificateKey, zoneKey] = [
    `${kind}Domain`,
    `${kind}CertificateArn`,
    `${kind}HostedZoneId`,
  ];
  const name = matching(text, nameKey, hostName, 'a host name in lower case, such as go.example.com');
  const certificateArn = matching(text, certificateKey, certificate, 'the ARN of an ACM certificate');
  const hostedZoneId = matching(text, zoneKey, /^Z[A-Z0-9]{1,31}$/, "a Route 53 hosted zone's id");
  if (name === undefined) {
    if (certificateArn === undefined && hostedZoneId === undefined) return undefined;
    throw new ConfigError(`${certificateKey} and ${zoneKey} say nothing without ${nameKey}`);
  }
  if (certificateArn === undefined && hostedZoneId === undefined) {
    throw new ConfigError(`${nameKey} needs ${certificateKey}, or ${zoneKey} to make a certificate by`);
  }
  return { name, ...(certificateArn && { certificateArn }), ...(hostedZoneId && { hostedZoneId }) };
};

const checkCertificates = (short?: Domain, api?: Domain, region?: string): void => {
  const regionOf = (arn: string) => arn.split(':')[3];
  if (short?.certificateArn && regionOf(short.certificateArn) !== edgeRegion) {
    throw new ConfigError(
      `shortCertificateArn must be a certificate in ${edgeRegion}, where CloudFront looks for it`,
    );
  }
  if (region && api?.certificateArn && regionOf(api.certificateArn) !== region) {
    throw new ConfigError(`apiCertificateArn must be a certificate in ${region}, where the API is`);
  }
};

/** What functions that write or read figures over time are told of their life. */
export const figuresEnvironment = ({ figuresRetentionDays: days }: Config): Record<string, string> =>
  days === undefined ? {} : { FIGURES_RETENTION_DAYS: String(days) };
