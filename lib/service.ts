import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SecretValue } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { type SettingName, settings } from '../core/settings.ts';
import type { Config } from './config.ts';

/** Settings of functions: the deployment's choices and values that earlier constructs produce. */
export interface FunctionSettings extends Made {
  readonly config: Config;
  readonly table: ITable;
}

type Made = { readonly [Name in SettingName]?: string | undefined };

const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8'));

/** Settings of functions that no choice and no construct states under their names. */
const derived = ({ config }: FunctionSettings) => ({
  signInSecret: config.signInSecret && SecretValue.secretsManager(config.signInSecret).unsafeUnwrap(),
  uniqueWindowSeconds: config.uniqueWindowDays,
  version,
});

/** The environment of a function that reads these settings. What has no value has no variable. */
export const environmentOf = (
  reads: readonly SettingName[],
  service: FunctionSettings,
): Record<string, string> => {
  const values = { ...service.config, ...service, ...derived(service) };
  return Object.fromEntries(
    reads
      .map((name) => [settings[name][0], values[name]] as const)
      .filter(([, value]) => value !== undefined)
      .map(([variable, value]) => [variable, String(value)]),
  );
};
