import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorsPage } from '../core/api/errors-page.ts';
import { openApi } from '../core/api/openapi.ts';
import { currentCostPage } from '../ops/cost/current.ts';

const root = path.join(import.meta.dirname, '..');

const clientTypes = () =>
  execFileSync(process.execPath, ['test/client/generate.ts'], { cwd: root, encoding: 'utf8' });

/** The content of each generated file, in order: the client's types depend on the description. */
const contents: Readonly<Record<string, () => string>> = {
  'docs/openapi.json': () => `${JSON.stringify(openApi(), null, 2)}\n`,
  'docs/errors.md': errorsPage,
  'docs/cost.md': currentCostPage,
  'test/client/api-types.ts': clientTypes,
};

const chosen = process.argv.slice(2);
const unknown = chosen.find((name) => !(name in contents));
if (unknown !== undefined) {
  const files = Object.keys(contents).join('\n  ');
  console.log(`Usage: npm run generate -- [FILE …]

Writes all of these, or those named:
  ${files}

The client's types need the network once: their generator is fetched by npx.`);
  process.exit(unknown === '--help' ? 0 : 1);
}
for (const [file, content] of Object.entries(contents)) {
  if (chosen.length > 0 && !chosen.includes(file)) continue;
  writeFileSync(path.join(root, file), content());
  console.log(`wrote ${file}`);
}
