import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BuildOptions, buildSync, type OutputFile } from 'esbuild';

const root = path.join(import.meta.dirname, '..');

/** How the functions of this service are bundled. */
export const bundling = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  // CommonJS packages in an ES module still ask for `require`, all of them for modules of Node's own. A real one
  // would take a millisecond of each start.
  banner: { js: 'const require=process.getBuiltinModule;' },
  logLevel: 'error',
} satisfies BuildOptions;

/** The function that loads some modules only when needed: those are files of their own, as is what the rest shares with them. */
const split = 'redirect';

const outdir = path.join(root, 'bundles');
let bundled: readonly OutputFile[] | undefined;

/**
 * Writes the bundle of `lambdas/{entry}.ts`: `index.mjs`, which Lambda loads, and beside it what that imports. With source maps
 * stack traces name lines of the source.
 */
export const writeBundle = (entry: string, outputDir: string, { isMapped }: { isMapped: boolean }): void => {
  bundled ??= bundlesOf(['*', 'api/*']);
  write(bundled, entry, outputDir, isMapped);
};

/** Writes bundles of the sources as they are now, with maps, by the folder of each. */
export const rewriteBundles = (entries: ReadonlyMap<string, string>): void => {
  const built = bundlesOf([...new Set(entries.values())]);
  for (const [folder, entry] of entries) write(built, entry, folder, true);
};

const write = (bundles: readonly OutputFile[], entry: string, outputDir: string, isMapped: boolean): void => {
  const files = bundles.filter((file) => isOf(entry, file));
  if (files.length === 0) throw new Error(`There is no lambdas/${entry}.ts`);
  mkdirSync(outputDir, { recursive: true });
  for (const { path: file, text } of files) {
    const name = path.basename(file);
    const put = (content: string) => writeFileSync(path.join(outputDir, name), content);
    if (!name.endsWith('.map')) put(isMapped ? `${text}//# sourceMappingURL=${name}.map\n` : text);
    else if (isMapped) put(text.replace(/"sources": \[[^\]]*/, fromAssembly));
  }
};

const isOf = (entry: string, file: OutputFile): boolean =>
  path.dirname(file.path) === path.join(outdir, entry);

/** The size in bytes of what a start of a bundle loads: `index.mjs` and the files that it imports statically. */
export const bytesAtStart = (folder: string): number => {
  const names = new Set(['index.mjs']);
  for (const name of names) {
    const code = readFileSync(path.join(folder, name), 'utf8');
    for (const [, file = ''] of code.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.mjs)"/g)) names.add(file);
  }
  return [...names].reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
};

/** The bundles of modules of `lambdas/`, a folder for each. */
const bundlesOf = (entries: readonly string[]): readonly OutputFile[] => {
  // In one run, esbuild reads shared modules once; splitting would let the functions share files.
  const whole = build(entries);
  const others = whole.filter((file) => !isOf(split, file));
  return others.length === whole.length
    ? whole
    : [...others, ...build([split], { splitting: true, chunkNames: `${split}/[name]-[hash]` })];
};

/** From a function's folder in cdk.out/local/FINGERPRINT/ debuggers find the sources so; on Lambda that is /lambdas/…. */
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
    // Lines are enough; the text is in the repository.
    sourcesContent: false,
  }).outputFiles;
