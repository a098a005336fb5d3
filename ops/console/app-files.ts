import { readFile } from 'node:fs/promises';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');

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

/** The app's files by their paths; built when they are first asked for, so that nothing else waits for it. */
export const appFiles = (): Promise<AppFiles> => {
  built ??= build();
  return built;
};

const build = async (): Promise<AppFiles> => {
  const { build: bundle } = await import('esbuild');
  const { outputFiles } = await bundle({
    absWorkingDir: root,
    entryPoints: { app: 'console/main.tsx', style: 'console/style.css' },
    outdir: '/',
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'error',
  });
  const bundles = outputFiles.map(({ path: file, contents }): [string, AppFile] => [
    file,
    { type: types[path.extname(file)] ?? 'application/octet-stream', content: contents },
  ]);
  const page = await readFile(path.join(root, 'console/index.html'));
  const icon = await readFile(path.join(root, 'console/icon.svg'));
  return new Map([
    ...bundles,
    ['/', { type: 'text/html; charset=utf-8', content: page }],
    ['/icon.svg', { type: 'image/svg+xml', content: icon }],
  ]);
};
