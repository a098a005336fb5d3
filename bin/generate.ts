import { execFileSync } from 'node:child_process';
import path from 'node:path';

/** Generators by file, in order: the client's types depend on the description. */
const generators = {
  'docs/openapi.json': 'bin/openapi.ts',
  'docs/errors.md': 'bin/errors.ts',
  'test/client/api-types.ts': 'test/client/generate.ts',
  'docs/cost.md': 'bin/cost.ts',
};

if (process.argv.includes('--help')) {
  console.log(`Usage: npm run generate
Writes ${Object.keys(generators).join(',\n       ')}.
The client's types need the network once: their generator is fetched by npx.`);
} else {
  for (const [file, generator] of Object.entries(generators)) {
    execFileSync(process.execPath, [generator], {
      cwd: path.join(import.meta.dirname, '..'),
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    console.log(`wrote ${file}`);
  }
}
