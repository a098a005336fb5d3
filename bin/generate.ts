import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { openApi } from '../core/api/openapi.ts';
import { costPage } from '../ops/cost/page.ts';
import { chosenNames } from './arguments.ts';
import { constructTypes } from './construct-types.ts';
import { dimensionTable } from './dimension-table.ts';
import { errorsPage } from './errors-page.ts';
import { withParts } from './page-parts.ts';
import { settingsPage } from './settings-page.ts';
import { stackPages } from './stack-pages.ts';
import { unitsPage } from './units-page.ts';

const root = path.join(import.meta.dirname, '..');

/** The standard output of a program of the project. If it fails, its own standard error says why. */
const printedBy = (program: string) => (): string => {
  const { status, stdout } = spawnSync(process.execPath, [program], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 100_000_000,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (status === 0) return stdout;
  console.error(
    `${program} failed. If package-lock.json has changed since the last \`npm ci\`, run that again.`,
  );
  process.exit(1);
};

let pages: ReturnType<typeof stackPages> | undefined;
/** Synthesizes the templates once for all of these pages. */
const stackPage = (file: keyof ReturnType<typeof stackPages>) => (): string => {
  pages ??= stackPages();
  return pages[file];
};

/** The content of each generated file, in order: costs depend on the budget. */
const contents: Readonly<Record<string, () => string>> = {
  'docs/openapi.json': () => `${JSON.stringify(openApi(), null, 2)}\n`,
  'docs/errors.md': errorsPage,
  'docs/api.md': () => withParts('docs/api.md', { dimensions: dimensionTable() }),
  'docs/settings.md': settingsPage,
  'construct/lists.d.ts': constructTypes,
  'docs/metrics.md': stackPage('docs/metrics.md'),
  'docs/deploy.md': stackPage('docs/deploy.md'),
  // Measured on a local stack; `npm run bench -- capacity` shows the same as a table.
  'bench/capacity-budget.json': printedBy('bench/capacity-budget.ts'),
  'docs/units.md': unitsPage,
  'docs/cost.md': costPage,
  // Only the measurements are generated; the text is written manually.
  'docs/performance.md': printedBy('bench/performance-page.ts'),
};

const files = Object.keys(contents);
const chosen = chosenNames(
  files,
  `Usage: npm run generate -- [FILE …]

Writes all of these, or those named:
  ${files.join('\n  ')}`,
);
for (const [file, content] of Object.entries(contents)) {
  if (!chosen.includes(file)) continue;
  writeFileSync(path.join(root, file), content());
  console.log(`wrote ${file}`);
  // Otherwise the client would keep types of the earlier description.
  if (file === 'docs/openapi.json') printedBy('client/build.js')();
}
