import { mkdirSync, writeFileSync } from 'node:fs';
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

interface Bundle {
  readonly code: string;
  readonly map: string;
}

let bundles: ReadonlyMap<string, Bundle> | undefined;

export interface BundleOptions {
  /** Whether a source map is beside the bundle, so that stack traces name lines of the source. */
  readonly isMapped: boolean;
}

/** Writes the bundle of `lambdas/{entry}.ts`, as `index.mjs`. */
export const writeBundle = (entry: string, outputDir: string, { isMapped }: BundleOptions): void => {
  bundles ??= buildAll();
  const bundle = bundles.get(entry);
  if (!bundle) throw new Error(`There is no lambdas/${entry}.ts`);
  mkdirSync(outputDir, { recursive: true });
  const link = isMapped ? '//# sourceMappingURL=index.mjs.map\n' : '';
  writeFileSync(path.join(outputDir, 'index.mjs'), bundle.code + link);
  if (isMapped) writeFileSync(path.join(outputDir, 'index.mjs.map'), bundle.map);
};

/** Bundles every module of `lambdas/`, by its path without extension; esbuild reads shared modules once. */
const buildAll = (): ReadonlyMap<string, Bundle> => {
  const outdir = path.join(root, 'bundles');
  const { outputFiles } = buildSync({
    ...bundling,
    entryPoints: ['lambdas/*.ts', 'lambdas/api/*.ts'],
    outbase: 'lambdas',
    outdir,
    write: false,
    sourcemap: 'external',
    // Lines are enough; the text is in the repository.
    sourcesContent: false,
  });
  const textOf = (name: string) => outputFiles.find((file) => file.path === name)?.text ?? '';
  return new Map(
    outputFiles
      .filter(({ path: name }) => name.endsWith('.js'))
      .map(({ path: name, text }) => [
        path.relative(outdir, name).replace(/\.js$/, ''),
        { code: text, map: textOf(`${name}.map`) },
      ]),
  );
};
