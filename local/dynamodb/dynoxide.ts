import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import type { EngineProgram } from './engine.ts';
import { tendStreamRecords } from './stream-file.ts';

/** Of the packages, one for each platform. */
const version = '1.2.1';

const databaseFile = (folder: string) => join(folder, 'dynamodb.sqlite');

export function dynoxide(): EngineProgram {
  const executable = find();
  return {
    name: 'dynoxide',
    takesHost: true,
    command: ({ host, port }, folder) => [
      executable,
      '--host',
      host,
      '--port',
      String(port),
      '--db-path',
      databaseFile(folder),
    ],
    tune: (folder) => tendStreamRecords(databaseFile(folder)),
  };
}

/** Whether the engine is here, from its package or on the PATH. */
export const hasDynoxide = (): boolean => search() !== undefined;

function find(): string {
  const found = search();
  if (found) return found;
  const platform = `${process.platform}-${process.arch}`;
  throw new Error(
    `No DynamoDB engine for ${platform}: run 'npm install --no-save @dynoxide/${platform}@${version}', put dynoxide on the PATH, or install Java 17 or newer for DynamoDB Local`,
  );
}

function search(): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = [...packaged(), ...folders.map((folder) => join(folder, 'dynoxide'))];
  return candidates.find(isExecutable);
}

function packaged(): string[] {
  const name = `@dynoxide/${process.platform}-${process.arch}/package.json`;
  try {
    const manifest = createRequire(import.meta.filename).resolve(name);
    return [join(dirname(manifest), 'dynoxide')];
  } catch {
    return [];
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
