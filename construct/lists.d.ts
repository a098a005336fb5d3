// Written by `npm run generate` from the lists of lib.

/** The settings of docs/settings.md. */
export interface StageSettings {
  /** Must be a name of 1 to 40 of a-z, 0-9 and -. */
  readonly stage?: string | undefined;
  readonly like?: 'dev' | 'prod' | undefined;
  /** Must be an AWS region, such as eu-west-1. */
  readonly region?: string | undefined;
  /** Must be an AWS region, such as eu-central-1. */
  readonly standby?: string | undefined;
  /** Must be an email address. */
  readonly alarmEmail?: string | undefined;
  /** Must be an amount of US dollars above 0, such as 50. */
  readonly monthlyBudget?: number | undefined;
  /** Must be an https address. */
  readonly runbookUrl?: string | undefined;
  readonly healthCheck?: boolean | undefined;
  /** Must be a whole number from 1 to 100000000. */
  readonly rateLimitPerHour?: number | undefined;
  /** Must be a whole number from 20 to 1000000. */
  readonly callsPerSecond?: number | undefined;
  /** Must be a whole number from 10 to 100000. */
  readonly reservedConcurrency?: number | undefined;
  /** Must be a whole number from 10 to 2000000000. */
  readonly visitsPerAddress?: number | undefined;
  readonly warmThroughput?: [number, number] | undefined;
  readonly capacity?: 'on-demand' | { reads: number; writes: number } | undefined;
  /** Must be a whole number from 1 to 100000000. */
  readonly linksPerProject?: number | undefined;
  readonly figuresWithin?: 2 | 10 | 60 | 300 | undefined;
  /** Must be a whole number from 1 to 3650. */
  readonly uniqueWindowDays?: number | undefined;
  /** Must be a whole number from 1 to 36500. */
  readonly figuresRetentionDays?: number | undefined;
  /** Must be a whole number from 0 to 3650. */
  readonly historyDays?: number | undefined;
  readonly logRetentionDays?: 1 | 3 | 5 | 7 | 14 | 30 | 60 | 90 | 120 | 150 | 180 | 365 | 400 | 545 | 731 | 1096 | 1827 | 2192 | 2557 | undefined;
  readonly export?: boolean | undefined;
  readonly eventBuses?: readonly string[] | undefined;
  /** Must be a host name in lower case, such as go.example.com. */
  readonly shortDomain?: string | undefined;
  /** Must be the ARN of an ACM certificate. */
  readonly shortCertificateArn?: string | undefined;
  /** Must be a Route 53 hosted zone's id. */
  readonly shortHostedZoneId?: string | undefined;
  readonly shortAliases?: readonly string[] | undefined;
  readonly ownHosts?: 'aliases' | 'tenants' | undefined;
  /** Must be a host name in lower case, such as go.example.com. */
  readonly apiDomain?: string | undefined;
  /** Must be the ARN of an ACM certificate. */
  readonly apiCertificateArn?: string | undefined;
  /** Must be a Route 53 hosted zone's id. */
  readonly apiHostedZoneId?: string | undefined;
  readonly waf?: boolean | undefined;
  /** Must be an https or mailto address of at most 500 characters, such as mailto:abuse@example.com. */
  readonly abuseContact?: string | undefined;
  /** Must be the ARN of a standard SNS topic. */
  readonly alarmTopicArn?: string | undefined;
  /** Must be the ARN of a standard SNS topic in us-east-1. */
  readonly edgeAlarmTopicArn?: string | undefined;
  /** Must be the ARN of a KMS key, not of an alias. */
  readonly encryptionKeyArn?: string | undefined;
  /** Must be the ARN of a web ACL for CloudFront in us-east-1. */
  readonly webAclArn?: string | undefined;
  /** Must be the ARN of a regional web ACL. */
  readonly apiWebAclArn?: string | undefined;
  /** Must be a DynamoDB table's name. */
  readonly tableName?: string | undefined;
  /** Must be the ARN of a table's stream. */
  readonly tableStreamArn?: string | undefined;
  /** Must be 1 to 40 characters without control characters. */
  readonly consoleName?: string | undefined;
  /** Must be a PNG, SVG or JPEG file of at most 20 KB. */
  readonly consoleLogo?: string | undefined;
  /** Must be an https address of one organisation's issuer, without query, such as https://accounts.google.com. */
  readonly signIn?: string | undefined;
  /** Must be the id of a client of the issuer, without spaces. */
  readonly signInClient?: string | undefined;
  /** Must be the name of a secret in Secrets Manager. */
  readonly signInSecret?: string | undefined;
  readonly signInTrustsEmail?: boolean | undefined;
}

/** The alarms' names: headings of docs/runbook.md. */
export type AlarmName =
  | 'ApiErrors'
  | 'ApiSlow'
  | 'AuthorizerErrors'
  | 'BatchesLost'
  | 'CallsRefused'
  | 'ClicksLate'
  | 'ClicksLost'
  | 'ClicksSkipped'
  | 'ClicksUndeliverable'
  | 'ClicksWaiting'
  | 'ConsumerErrors'
  | 'CopyErrors'
  | 'CopyLate'
  | 'EdgeErrors'
  | 'EdgeRefusals'
  | 'ExpiryLate'
  | 'ExportDelayed'
  | 'ExportLate'
  | 'ExportLost'
  | 'ExportRefused'
  | 'FirewallBlocks'
  | 'FunctionsThrottled'
  | 'HealthCheck'
  | 'RateCounterUnavailable'
  | 'ReadersStopped'
  | 'RedirectErrors'
  | 'RedirectSlow'
  | 'Release'
  | 'SenderErrors'
  | 'SignInErrors'
  | 'StandbyClicksWaiting'
  | 'StandbyErrors'
  | 'StandbyHealthCheck'
  | 'TableThrottled'
  | 'WebhooksFailing';

/** The functions of every stack by name: docs/architecture.md lists them. */
export type FunctionName =
  | 'aggregate-clicks'
  | 'app-link'
  | 'authorize'
  | 'check-code'
  | 'create-link'
  | 'create-links'
  | 'create-mobile-app'
  | 'create-share-link'
  | 'delete-link'
  | 'delete-mobile-app'
  | 'emit-events'
  | 'get-analytics'
  | 'get-link'
  | 'get-mobile-app'
  | 'get-usage'
  | 'list-links'
  | 'list-mobile-apps'
  | 'list-tags'
  | 'qr'
  | 'record-clicks'
  | 'redirect'
  | 'reference'
  | 'send-events'
  | 'update-link'
  | 'update-link-status'
  | 'update-mobile-app'
  | 'well-known';

/** Functions of some settings. */
export type OptionalFunctionName =
  | 'copy-items'
  | 'forward-clicks'
  | 'sign-in'
  | 'standby-redirect'
  | 'standby-well-known';
