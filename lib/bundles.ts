import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BuildOptions, buildSync, type OutputFile } from 'esbuild';

const root = path.join(import.meta.dirname, '..');

/** esbuild's options for all functions. */
export const bundling = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  // CommonJS packages in an ES module still call `require`, only for Node's own modules. A real `require` would add a
  // millisecond to each cold start.
  banner: { js: 'const require=process.getBuiltinModule;' },
  logLevel: 'error',
} satisfies BuildOptions;

/** The function that loads some modules on demand, so that its bundle is split into several files. */
const split = 'redirect';

const outdir = path.join(root, 'bundles');
type Bundle = Pick<OutputFile, 'path' | 'text'>;
let bundled: readonly Bundle[] | undefined;

/**
 * Writes the bundle of `lambdas/{entry}.ts`: `index.mjs`, which Lambda loads, and the files that it imports. With
 * source maps, stack traces name lines of the source.
 */
export const writeBundle = (entry: string, outputDir: string, { isMapped }: { isMapped: boolean }): void => {
  bundled ??= existsSync(outdir) ? prebuilt() : allBundles();
  const files = bundled.filter((file) => isOf(entry, file));
  if (files.length === 0) throw new Error(`There is no lambdas/${entry}.ts`);
  mkdirSync(outputDir, { recursive: true });
  for (const { path: file, text } of files) {
    const name = path.basename(file);
    const put = (content: string) => writeFileSync(path.join(outputDir, name), content);
    if (!name.endsWith('.map')) put(isMapped ? `${text}//# sourceMappingURL=${name}.map\n` : text);
    else if (isMapped) put(text.replace(/"sources": \[[^\]]*/, fromAssembly));
  }
};

/** Bundles that the package dynamic-link-cdk contains. */
const prebuilt = (): readonly Bundle[] =>
  readdirSync(outdir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.join(parentPath, name))
    .map((file) => ({ path: file, text: readFileSync(file, 'utf8') }));

const isOf = (entry: string, file: Pick<OutputFile, 'path'>): boolean =>
  path.dirname(file.path) === path.join(outdir, entry);

/** The size in bytes of a bundle's `index.mjs` and its static imports, which a cold start loads. */
export const bytesAtStart = (folder: string): number => {
  const names = new Set(['index.mjs']);
  for (const name of names) {
    const code = readFileSync(path.join(folder, name), 'utf8');
    for (const [, file = ''] of code.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.mjs)"/g)) names.add(file);
  }
  return [...names].reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
};

/** The bundles of all functions, a folder for each. */
export const allBundles = (): readonly OutputFile[] => {
  // In one run, esbuild reads shared modules once. It doesn't split, because functions would then share files.
  const whole = build(['*', 'api/*']);
  const others = whole.filter((file) => !isOf(split, file));
  return others.length === whole.length
    ? whole
    : [...others, ...build([split], { splitting: true, chunkNames: `${split}/[name]-[hash]` })];
};

/** Source paths that debuggers resolve from a function's folder in cdk.out/local/FINGERPRINT/; on Lambda they are /lambdas/…. */
const fromAssembly = (sources: string): string => sources.replaceAll(/"(\.\.\/)+/g, '"../../../../');

const build = (entries: readonly string[], options: BuildOptions = {}): readonly OutputFile[] =>
  buildSync({
    ...bundling,
    ...options,
    entryPoints: entries.map((entry) => `lambdas/${entry}.ts`),
    outbase: 'lambdas',
    outdir,
    entryNames: '[dir]/[name]/index',
    outExtension: { '.js': '.mjs' },
    write: false,
    sourcemap: 'external',
    // Stack traces only need lines.
    sourcesContent: false,
  }).outputFiles;
