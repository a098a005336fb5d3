import { execFile } from 'node:child_process';
import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { EngineProgram } from './engine-program.ts';
import { indexStreamRecords } from './stream-file.ts';

/** Of the npm packages, of which there is one for each platform. */
const version = '1.2.1';

const databaseFile = (folder: string) => join(folder, 'dynamodb.sqlite');

/** The engine that was asked for isn't installed. */
export class NoEngine extends Error {}

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
    tend: (folder) => indexStreamRecords(databaseFile(folder)),
    file: databaseFile,
    version: () => versionOf(executable),
  };
}

function find(): string {
  const found = search();
  if (found) return found;
  const platform = `${process.platform}-${process.arch}`;
  const cure = platforms.has(platform)
    ? `run 'npm install --no-save @dynoxide/${platform}@${version}'`
    : 'put an executable of dynoxide on the PATH';
  throw new NoEngine(`There is no DynamoDB engine for ${platform} here: ${cure}, or choose another engine`);
}

const versionOf = (executable: string): Promise<string | undefined> =>
  promisify(execFile)(executable, ['--version']).then(
    ({ stdout }) => stdout.trim(),
    () => undefined,
  );

/** Those that have a package. */
const platforms = new Set(['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64']);

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
