import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { RegionInfo } from 'aws-cdk-lib/region-info';
import { build } from 'esbuild';
import { bundledLicenses } from '../bin/packaging/bundled-licenses.mjs';
import { programBundle } from '../bin/packaging/program-bundle.mjs';
import { consoleBundle } from '../lib/console-bundle.ts';
import { synthesizedStacks } from './base/synthesized-stacks.ts';
import { fixedOf } from './cost/fixed.ts';
import { fixedWithStandby } from './cost/month.ts';

/* Writes dist: the program with all dependencies, the operators' console, and the files that commands read. */

const here = import.meta.dirname;
const root = path.join(here, '..');
const dist = path.join(here, 'dist');
rmSync(dist, { recursive: true, force: true });

const put = (file, text) => {
  mkdirSync(path.dirname(path.join(dist, file)), { recursive: true });
  writeFileSync(path.join(dist, file), text);
};

const bootstrapVersion = synthesizedStacks({
  settings: { stage: 'prod' },
  read: (stacks) => Math.max(...stacks.map((stack) => stack.requiresBootstrapStackVersion)),
});
/** Stand-ins for the CDK, which is not in the package, and for what modules learn from it. */
const standIns = {
  'aws-cdk-lib': 'export const Token = { isUnresolved: () => false }, Stack = undefined;',
  'aws-cdk-lib/region-info': `export const RegionInfo = ${JSON.stringify({ regions: RegionInfo.regions.map(({ name }) => ({ name })) })};`,
  './fixed.ts': `const [one, two] = ${JSON.stringify([fixedOf({ stage: 'prod' }), fixedWithStandby()])};
    export const fixedOf = ({ standby }) => (standby ? two : one);`,
  '../base/synthesized-stacks.ts': `export const synthesizedStacks = () => ${bootstrapVersion};`,
};
const withoutCdk = {
  name: 'without-cdk',
  setup: ({ onResolve, onLoad }) => {
    const namespace = 'stand-in';
    onResolve({ filter: /^aws-cdk-lib(\/region-info)?$|\/(fixed|synthesized-stacks)\.ts$/ }, ({ path }) => ({
      path,
      namespace,
    }));
    onLoad({ filter: /./, namespace }, ({ path }) => ({ contents: standIns[path] }));
  },
};

const program = await build({
  ...programBundle,
  absWorkingDir: here,
  entryPoints: ['command-line/run-program.ts'],
  // Two folders deep, as in the repository: modules find files by their own folder.
  outdir: 'dist/ops/program',
  plugins: [withoutCdk],
  alias: { esbuild: '../bin/packaging/no-esbuild.ts' },
  inject: ['../bin/packaging/node-20.ts'],
});
const console = await build({ ...consoleBundle('main.tsx'), metafile: true });
for (const { path: file, text } of console.outputFiles) put(path.join('ops/console', file), text);
for (const file of ['index.html', 'icon.svg'])
  cpSync(path.join(root, 'console', file), path.join(dist, 'ops/console', file));
for (const file of ['docs/cost-inputs.json', 'bench/capacity-budget.json', 'LICENSE'])
  cpSync(path.join(root, file), path.join(dist, file));
const { version } = JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8'));
put('package.json', `${JSON.stringify({ version, type: 'module' })}\n`);
// The app has a context of its own.
put('cdk.json', '{ "context": {} }\n');
const files = [program, console].flatMap(({ metafile }) => Object.keys(metafile.inputs));
put('LICENSES.txt', bundledLicenses(here, files));
