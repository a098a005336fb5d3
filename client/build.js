import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundledLicenses } from '../bin/packaging/bundled-licenses.mjs';
import { programBundle } from '../bin/packaging/program-bundle.mjs';
import { apiTypes } from './generate.js';

/* Writes the API's types, then dist: the library file by file with its types, and the program with all dependencies. */

const here = path.dirname(fileURLToPath(import.meta.url));
const require = createRequire(import.meta.url);
const dist = path.join(here, 'dist');

writeFileSync(path.join(here, 'api-types.ts'), apiTypes());

rmSync(dist, { recursive: true, force: true });
const compiler = require.resolve('typescript/bin/tsc');
execFileSync(process.execPath, [compiler, '--project', path.join(here, 'tsconfig.build.json')], {
  stdio: 'inherit',
});

const { metafile } = await build({
  ...programBundle,
  absWorkingDir: here,
  entryPoints: ['program/dynamic-links.ts'],
  outdir: path.join(dist, 'program'),
});

writeFileSync(
  path.join(dist, 'program', 'LICENSES.txt'),
  bundledLicenses(here, Object.keys(metafile.inputs)),
);
