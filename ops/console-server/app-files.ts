import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { consoleBundle, isPackage, withBrand } from '../../lib/console-bundle.ts';

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

let files: Promise<AppFiles> | undefined;

/** The app's files by path, built at the first request, so that the start doesn't wait for it. */
export const appFiles = (name?: string): Promise<AppFiles> => {
  files ??= build(name);
  return files;
};

const build = async (name?: string): Promise<AppFiles> => {
  const options = consoleBundle('main.tsx', { name });
  const outputs = isPackage
    ? await Promise.all(['/app.js', '/style.css'].map((file) => built(options.absWorkingDir, file, name)))
    : (await (await import('esbuild')).build(options)).outputFiles;
  const bundles = outputs.map(({ path: file, contents }): [string, AppFile] => [
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

/** A file of the package dynamic-link-ops. */
const built = async (folder: string, file: string, name?: string) => {
  const text = await readFile(path.join(folder, file), 'utf8');
  return { path: file, contents: file === '/app.js' ? withBrand(text, { name }) : text };
};
