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
  readonly shortHosts?: string;
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

/** Settings of functions that no choice and no construct states under their names. */
const derived = ({ config }: Service) => ({
  signInSecret: config.signInSecret && SecretValue.secretsManager(config.signInSecret).unsafeUnwrap(),
  uniqueWindowSeconds: config.uniqueWindowDays,
  version,
});

/** The environment of a function that reads these settings. What has no value has no variable. */
export const environmentOf = (reads: readonly SettingName[], service: Service): Record<string, string> => {
  const values = { ...service.config, ...service, ...derived(service) };
  return Object.fromEntries(
    reads
      .map((name) => [settings[name][0], values[name]] as const)
      .filter(([, value]) => value !== undefined)
      .map(([variable, value]) => [variable, String(value)]),
  );
};
