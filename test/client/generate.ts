import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/* Prints types of docs/openapi.json for test/client/api-types.ts. Needs the network. */

const root = path.join(import.meta.dirname, '../..');
const description = path.join(root, 'docs/openapi.json');

// The generator needs an older TypeScript as a library, so npx fetches both.
const packages = ['openapi-typescript@7.13.0', 'typescript@5.9.3'];
const types = execFileSync(
  'npx',
  ['--yes', ...packages.flatMap((name) => ['--package', name]), 'openapi-typescript', description],
  { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
);
const hash = createHash('sha256').update(readFileSync(description)).digest('hex');
process.stdout.write(`// Of docs/openapi.json ${hash}\n${types}`);
