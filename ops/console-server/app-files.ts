import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { consoleBundle } from '../../lib/console-bundle.ts';

/** A file of the single-page app. */
interface AppFile {
  readonly type: string;
  readonly content: string | Uint8Array;
}

export type AppFiles = ReadonlyMap<string, AppFile>;

const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
};

let built: Promise<AppFiles> | undefined;

/** The app's files by path, built at the first request, so that the start doesn't wait for it. */
export const appFiles = (name?: string): Promise<AppFiles> => {
  built ??= build(name);
  return built;
};

const build = async (name?: string): Promise<AppFiles> => {
  const { build: bundle } = await import('esbuild');
  const options = consoleBundle('main.tsx', { name });
  const { outputFiles } = await bundle(options);
  const bundles = outputFiles.map(({ path: file, contents }): [string, AppFile] => [
    file,
    { type: types[path.extname(file)] ?? 'application/octet-stream', content: contents },
  ]);
  const page = await readFile(path.join(options.absWorkingDir, 'index.html'));
  const icon = await readFile(path.join(options.absWorkingDir, 'icon.svg'));
  return new Map([
    ...bundles,
    ['/', { type: 'text/html; charset=utf-8', content: page }],
    ['/icon.svg', { type: 'image/svg+xml', content: icon }],
  ]);
};
