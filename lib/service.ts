import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SecretValue } from 'aws-cdk-lib';
import { type SettingName, settings } from '../core/settings.ts';
import type { Config } from './config.ts';
import type { ServiceTable } from './table.ts';

/** What functions are made with. What a construct makes itself is missing in those before it. */
export interface Service {
  readonly config: Config;
  readonly table: ServiceTable;
  /** Keys the hashes by which returning visitors are recognised. */
  readonly visitorSecret?: string;
  /** The base address of short URLs, such as `https://go.example.com`. */
  readonly shortBase?: string;
  /** The distribution's own name, which serves short URLs, too. */
  readonly shortHost?: string;
  /** The start of the values of the usage plan's keys. */
  readonly planKeys?: string;
  /** Takes clicks that the table doesn't take in time. */
  readonly clickQueueUrl?: string;
  /** Tells the sender which webhooks to look at. */
  readonly webhookQueueUrl?: string;
  /** What the secrets of webhooks follow from. */
  readonly webhookSecret?: string;
  /** Takes rows that the export doesn't. */
  readonly failuresBucket?: string | undefined;
  /** Where the identity provider sends members who sign in. */
  readonly signInRedirect?: string;
  /** The stream that takes the rows of exported clicks. */
  readonly clickExportStream?: string | undefined;
}

const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8'));

/** How the stack fills each setting; nothing leaves the variable out. */
const fill: Readonly<Record<SettingName, (service: Service) => string | number | undefined>> = {
  abuseContact: ({ config }) => config.abuseContact,
  clickExportStream: (service) => service.clickExportStream,
  clickQueueUrl: (service) => service.clickQueueUrl,
  failuresBucket: (service) => service.failuresBucket,
  figuresRetentionDays: ({ config }) => config.figuresRetentionDays,
  linksPerProject: ({ config }) => config.linksPerProject,
  planKeys: (service) => service.planKeys,
  rateLimitPerHour: ({ config }) => config.rateLimitPerHour,
  shortBase: (service) => service.shortBase,
  shortDomain: ({ config }) => config.short?.name,
  shortHosts: (service) => service.shortHost,
  signIn: ({ config }) => config.signIn,
  signInClient: ({ config }) => config.signInClient,
  signInRedirect: (service) => service.signInRedirect,
  signInSecret: ({ config }) =>
    config.signInSecret && SecretValue.secretsManager(config.signInSecret).unsafeUnwrap(),
  signInTrustsEmail: ({ config }) => (config.signInTrustsEmail ? 'true' : undefined),
  uniqueWindowSeconds: ({ config }) => config.uniqueWindowDays,
  version: () => version,
  visitorSecret: (service) => service.visitorSecret,
  webhookQueueUrl: (service) => service.webhookQueueUrl,
  webhookSecret: (service) => service.webhookSecret,
};

/** The environment of a function that reads these settings. */
export const environmentOf = (reads: readonly SettingName[], service: Service): Record<string, string> =>
  Object.fromEntries(
    reads.flatMap((name) => {
      const value = fill[name](service);
      return value === undefined ? [] : [[settings[name][0], String(value)]];
    }),
  );
