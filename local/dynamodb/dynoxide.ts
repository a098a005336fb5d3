import { accessSync, constants } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname, join } from 'node:path';
import type { EngineProgram } from './engine.ts';
import { tendStreamRecords } from './stream-file.ts';

const databaseFile = (folder: string) => join(folder, 'dynamodb.sqlite');

export function dynoxide(): EngineProgram {
  const executable = find();
  return {
    name: 'dynoxide',
    command: (port, folder) => [executable, '--port', String(port), '--db-path', databaseFile(folder)],
    tune: (folder) => tendStreamRecords(databaseFile(folder)),
  };
}

function find(): string {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  const candidates = [...packaged(), ...folders.map((folder) => join(folder, 'dynoxide'))];
  const found = candidates.find(isExecutable);
  if (found) return found;
  throw new Error(
    `No dynoxide for ${process.platform}-${process.arch}: install it on the PATH, or use --engine dynamodb-local (needs Java 17)`,
  );
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
