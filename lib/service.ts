import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SecretValue } from 'aws-cdk-lib';
import type { ITable } from 'aws-cdk-lib/aws-dynamodb';
import { type SettingName, settings } from '../core/settings.ts';
import type { Config } from './config.ts';

/** Settings of functions: the deployment's settings, and values of earlier constructs. */
export interface FunctionSettings extends Made {
  readonly config: Config;
  readonly table: ITable;
}

type Made = { readonly [Name in SettingName]?: string | undefined };

const { version } = JSON.parse(readFileSync(path.join(import.meta.dirname, '../package.json'), 'utf8'));

/** Settings of functions that are computed from others. */
const derived = ({ config }: FunctionSettings) => ({
  signInSecret: config.signInSecret && SecretValue.secretsManager(config.signInSecret).unsafeUnwrap(),
  uniqueWindowSeconds: config.uniqueWindowDays,
  version,
});

/** A function's environment for the settings that it reads. Settings without a value have no variable. */
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
