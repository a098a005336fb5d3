import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type BuildOptions, buildSync } from 'esbuild';

const root = path.join(import.meta.dirname, '..');

/** Where the SDK would look for credentials outside Lambda. It imports these only when the environment has none. */
const otherCredentialSources = ['http', 'imds', 'ini', 'login', 'process', 'sso', 'web-identity']
  .map((source) => `@*/credential-provider-${source}`)
  .concat('@aws-sdk/nested-clients/*', '@aws-sdk/token-providers');

/** How the functions of this service are bundled. */
export const bundling = {
  absWorkingDir: root,
  bundle: true,
  minify: true,
  platform: 'node',
  target: 'node24',
  format: 'esm',
  mainFields: ['module', 'main'],
  external: otherCredentialSources,
  // CommonJS packages in an ES module still ask for `require`, all of them for modules of Node's own. A real one
  // would take a millisecond of each start.
  banner: { js: 'const require=process.getBuiltinModule;' },
  logLevel: 'error',
} satisfies BuildOptions;

let bundles: ReadonlyMap<string, Uint8Array> | undefined;

/** Writes the bundle of `lambdas/{entry}.ts`, as `index.mjs`. */
export const writeBundle = (entry: string, outputDir: string): void => {
  bundles ??= buildAll();
  const bundle = bundles.get(entry);
  if (!bundle) throw new Error(`There is no lambdas/${entry}.ts`);
  mkdirSync(outputDir, { recursive: true });
  writeFileSync(path.join(outputDir, 'index.mjs'), bundle);
};

/** Every module of `lambdas/` as a bundle, by its path without an ending; esbuild reads what they share once. */
const buildAll = (): ReadonlyMap<string, Uint8Array> => {
  const outdir = path.join(root, 'bundles');
  const entryPoints = ['lambdas/*.ts', 'lambdas/api/*.ts'];
  const { outputFiles } = buildSync({ ...bundling, entryPoints, outbase: 'lambdas', outdir, write: false });
  return new Map(
    outputFiles.map((file) => [path.relative(outdir, file.path).replace(/\.js$/, ''), file.contents]),
  );
};
