import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildSync } from 'esbuild';
import { bundledLicenses } from '../bin/packaging/bundled-licenses.mjs';
import { allBundles } from '../lib/bundles.ts';
import { consoleBundle } from '../lib/console-bundle.ts';

/* Writes dist: the stacks as CommonJS, and the files that they read, where lib expects them. */

const here = import.meta.dirname;
const root = path.join(here, '..');
const dist = path.join(here, 'dist');
rmSync(dist, { recursive: true, force: true });

const put = (file, text) => {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
};

const stacks = buildSync({
  absWorkingDir: here,
  entryPoints: ['entry.ts'],
  outfile: 'dist/lib/index.js',
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  external: ['aws-cdk-lib', 'constructs'],
  alias: { esbuild: '../bin/packaging/no-esbuild.ts' },
  define: { 'import.meta.dirname': '__dirname' },
  inject: ['../bin/packaging/node-20.ts'],
  metafile: true,
});
const bundles = allBundles();
for (const { path: file, text } of bundles) put(path.join(dist, path.relative(root, file)), text);
const member = buildSync({ ...consoleBundle('member.tsx'), metafile: true });
for (const { path: file, text } of member.outputFiles)
  put(path.join(dist, 'console', path.basename(file)), text);
for (const file of [
  'console/member.html',
  'console/icon.svg',
  'lib/viewer-request.js',
  'lib/failover.js',
  'LICENSE',
])
  cpSync(path.join(root, file), path.join(dist, file));
for (const file of ['introduction.md', 'openapi-parts.json'])
  cpSync(path.join(root, 'core/api', file), path.join(dist, 'lib', file));
const { version } = JSON.parse(readFileSync(path.join(here, 'package.json'), 'utf8'));
put(path.join(dist, 'package.json'), `${JSON.stringify({ version, type: 'commonjs' })}\n`);

// Maps name the sources of functions.
const sources = [
  ...[stacks, member].flatMap(({ metafile }) => Object.keys(metafile.inputs)),
  ...bundles
    .filter(({ path: file }) => file.endsWith('.map'))
    .flatMap(({ text }) => JSON.parse(text).sources),
];
const inRoot = sources.map((source) => source.replace(/^.*?(?=node_modules\/)/, ''));
put(path.join(dist, 'LICENSES.txt'), bundledLicenses(root, inRoot));
