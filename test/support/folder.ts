import { mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A new folder, which is deleted with the run. */
export const newFolder = (): string => mkdtempSync(path.join(tmpdir(), 'test-'));

/** A new folder in which the client's package is installed, as its sources. */
export const folderWithClient = (): string => {
  const folder = newFolder();
  const installed = path.join(folder, 'node_modules/dynamic-link-client');
  mkdirSync(installed, { recursive: true });
  symlinkSync(path.join(import.meta.dirname, '../../client'), path.join(installed, 'sources'));
  const manifest = { name: 'dynamic-link-client', type: 'module', exports: './sources/index.ts' };
  writeFileSync(path.join(installed, 'package.json'), JSON.stringify(manifest));
  return folder;
};
