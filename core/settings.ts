type Text = string | undefined;

const text = (given: Text): string => given ?? '';
const optional = (given: Text): string | undefined => given || undefined;
const optionalNumber = (given: Text): number | undefined => (given ? Number(given) : undefined);

/** Settings of functions: the environment variable of each, and a parser for its text. */
export const settings = {
  abuseContact: ['ABUSE_CONTACT', optional],
  clickExportStream: ['CLICK_EXPORT_STREAM', optional],
  clickQueueUrl: ['CLICK_QUEUE_URL', text],
  copyKeysQueueUrl: ['COPY_KEYS_QUEUE_URL', optional],
  copyTable: ['COPY_TABLE', text],
  /** The bucket for rows that the export doesn't take. */
  failuresBucket: ['FAILURES_BUCKET', optional],
  figuresRetentionDays: ['FIGURES_RETENTION_DAYS', optionalNumber],
  /** The prefix of the usage plan keys' values. */
  planKeys: ['PLAN_KEYS', text],
  historyDays: ['HISTORY_DAYS', Number],
  homeRegion: ['HOME_REGION', text],
  linksPerProject: ['LINKS_PER_PROJECT', optionalNumber],
  rateLimitPerHour: ['RATE_LIMIT_PER_HOUR', optionalNumber],
  shortBase: ['SHORT_BASE', text],
  shortDomain: ['SHORT_DOMAIN', optional],
  /** The distribution's own name, which also serves short URLs. */
  shortHosts: ['SHORT_HOSTS', text],
  signIn: ['SIGN_IN', optional],
  signInClient: ['SIGN_IN_CLIENT', text],
  signInRedirect: ['SIGN_IN_REDIRECT', text],
  signInSecret: ['SIGN_IN_SECRET', optional],
  signInTrustsEmail: ['SIGN_IN_TRUSTS_EMAIL', (given) => given === 'true'],
  standbyRegion: ['STANDBY_REGION', text],
  /** The visitor secret's replica in the second region. */
  standbySecretArn: ['STANDBY_SECRET_ARN', text],
  uniqueWindowSeconds: ['UNIQUE_WINDOW_DAYS', (days) => Number(days) * 86_400],
  version: ['SERVICE_VERSION', text],
  visitorSecret: ['VISITOR_SECRET', text],
  webhookQueueUrl: ['WEBHOOK_QUEUE_URL', text],
  webhookSecret: ['WEBHOOK_SECRET', text],
} as const satisfies Record<string, readonly [variable: string, read: (given: Text) => unknown]>;

export type SettingName = keyof typeof settings;

export type AllSettings = { readonly [Name in SettingName]: ReturnType<(typeof settings)[Name][1]> };

export const settingsIn = (environment: Readonly<Record<string, Text>>): AllSettings =>
  // Each name has its row's type, which the compiler can't infer from entries.
  Object.fromEntries(
    Object.entries(settings).map(([name, [variable, read]]) => [name, read(environment[variable])]),
  ) as AllSettings;
