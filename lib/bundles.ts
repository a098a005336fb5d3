import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';

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

interface Part {
  readonly code: string;
  readonly map: string;
}

/** The files of a function by name, without extension. The one that Lambda loads is called index. */
type Bundle = ReadonlyMap<string, Part>;

/** Functions that load some modules only when needed: those are files of their own, as is what the rest shares with them. */
const splitEntries = ['redirect'];

let bundles: ReadonlyMap<string, Bundle> | undefined;

export interface BundleOptions {
  /** Whether source maps are beside the code, so that stack traces name lines of the source. */
  readonly isMapped: boolean;
}

/** Writes the bundle of `lambdas/{entry}.ts`: `index.mjs`, and beside it what that imports. */
export const writeBundle = (entry: string, outputDir: string, { isMapped }: BundleOptions): void => {
  bundles ??= buildAll(['*', 'api/*']);
  write(bundles.get(entry), entry, outputDir, isMapped);
};

/** Writes bundles of the sources as they are now, with maps, by the folder of each. */
export const rewriteBundles = (entries: ReadonlyMap<string, string>): void => {
  const built = buildAll([...new Set(entries.values())]);
  for (const [folder, entry] of entries) write(built.get(entry), entry, folder, true);
};

const write = (bundle: Bundle | undefined, entry: string, outputDir: string, isMapped: boolean): void => {
  if (!bundle) throw new Error(`There is no lambdas/${entry}.ts`);
  mkdirSync(outputDir, { recursive: true });
  for (const [name, { code, map }] of bundle) {
    const file = path.join(outputDir, `${name}.mjs`);
    writeFileSync(file, isMapped ? `${code}//# sourceMappingURL=${name}.mjs.map\n` : code);
    if (isMapped) writeFileSync(`${file}.map`, map);
  }
};

/** The size in bytes of what a start of a bundle loads: `index.mjs` and the files that it imports statically. */
export const bytesAtStart = (folder: string): number => {
  const names = new Set(['index.mjs']);
  for (const name of names) {
    const code = readFileSync(path.join(folder, name), 'utf8');
    for (const [, file = ''] of code.matchAll(/(?:from|import)\s*"\.\/([\w-]+\.mjs)"/g)) names.add(file);
  }
  return [...names].reduce((sum, name) => sum + statSync(path.join(folder, name)).size, 0);
};

/** Bundles modules of `lambdas/`, by their paths without extension. */
const buildAll = (entries: readonly string[]): ReadonlyMap<string, Bundle> => {
  // In one run, esbuild reads shared modules once; splitting would let the functions share files.
  const whole = build({ entryPoints: entries.map((entry) => `lambdas/${entry}.ts`), outbase: 'lambdas' });
  return new Map([
    ...[...whole].map(([entry, part]): [string, Bundle] => [entry, new Map([['index', part]])]),
    ...splitEntries
      .filter((entry) => whole.has(entry))
      .map((entry): [string, Bundle] => [
        entry,
        build({ entryPoints: { index: `lambdas/${entry}.ts` }, splitting: true }),
      ]),
  ]);
};

/** From a function's folder in cdk.out/local/FINGERPRINT/ debuggers find the sources so; on Lambda that is /lambdas/…. */
const fromAssembly = (sources: string): string => sources.replaceAll(/"(\.\.\/)+/g, '"../../../../');

/** The files that esbuild makes, by their paths without extension. */
const build = (options: BuildOptions): ReadonlyMap<string, Part> => {
  const outdir = path.join(root, 'bundles');
  const { outputFiles = [] } = buildSync({
    ...bundling,
    ...options,
    outdir,
    outExtension: { '.js': '.mjs' },
    write: false,
    sourcemap: 'external',
    // Lines are enough; the text is in the repository.
    sourcesContent: false,
  });
  const textOf = (name: string) => outputFiles.find((file) => file.path === name)?.text ?? '';
  return new Map(
    outputFiles
      .filter(({ path: name }) => name.endsWith('.mjs'))
      .map(({ path: name, text }) => [
        path.relative(outdir, name).replace(/\.mjs$/, ''),
        { code: text, map: textOf(`${name}.map`).replace(/"sources": \[[^\]]*/, fromAssembly) },
      ]),
  );
};
