import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { takeNothing } from '../../ops/script.ts';

takeNothing('client', 'Writes test/client/api-types.ts anew, from docs/openapi.json. Needs the network.');

const root = path.join(import.meta.dirname, '../..');
const description = path.join(root, 'docs/openapi.json');
const types = path.join(import.meta.dirname, 'api-types.ts');

// The generator needs an older TypeScript as a library, so npx fetches both.
const packages = ['openapi-typescript@7.13.0', 'typescript@5.9.3'];
execFileSync(
  'npx',
  [
    '--yes',
    ...packages.flatMap((name) => ['--package', name]),
    'openapi-typescript',
    description,
    '-o',
    types,
  ],
  { cwd: root, stdio: 'inherit' },
);
const hash = createHash('sha256').update(readFileSync(description)).digest('hex');
writeFileSync(types, `// Of docs/openapi.json ${hash}\n${readFileSync(types, 'utf8')}`);
