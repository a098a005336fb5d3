import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigError } from './config-error.ts';

export const stageFilesFolder = path.join(import.meta.dirname, '..', 'deployments');

/** The settings in `deployments/STAGE.json` as context values; empty without such a file. */
export const readStageFile = (stage: string, folder = stageFilesFolder): Readonly<Record<string, string>> => {
  const file = path.join(folder, `${stage}.json`);
  if (!existsSync(file)) return {};
  const name = `deployments/${stage}.json`;
  const stated = parse(readFileSync(file, 'utf8'), name);
  return Object.fromEntries(
    Object.entries(stated).map(([key, value]) => {
      if (Array.isArray(value)) return [key, value.join(',')];
      if (['string', 'number', 'boolean'].includes(typeof value)) return [key, String(value)];
      throw new ConfigError(`${name}: ${key} must be a text, a number or a list`);
    }),
  );
};

const parse = (text: string, name: string): object => {
  let stated: unknown;
  try {
    stated = JSON.parse(text);
  } catch (error) {
    throw new ConfigError(`${name} is not valid JSON: ${(error as SyntaxError).message}`);
  }
  if (typeof stated === 'object' && stated !== null && !Array.isArray(stated)) return stated;
  throw new ConfigError(
    `${name} must be an object of context keys, such as {"alarmEmail": "ops@example.com"}`,
  );
};
