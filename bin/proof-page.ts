import { readFileSync } from 'node:fs';
import path from 'node:path';

/** A promise of the product, and the tests that fail if it breaks: their titles by file. */
export interface Promised {
  readonly promise: string;
  readonly text: string;
  readonly tests: Readonly<Record<string, readonly string[]>>;
}

const file = path.join(import.meta.dirname, '../test/promises.json');
export const promises: readonly Promised[] = JSON.parse(readFileSync(file, 'utf8'));

const link = (test: string) => `[${test.replace(/^(local\/)?test\/|(\.\w+)*$/g, '$1')}](../${test})`;

/** The documentation page with every promise and its tests. */
export const proofPage = (): string => `# Promises and their proof

Each promise of the service, and the tests that fail if it breaks. \`npm test\` runs the quick ones, \`npm run nightly\` all.
\`npm run generate\` writes this page from test/promises.json, which names each test by its title. Some promises
[can be proved only on AWS](deploy.md#not-yet-proved-on-aws).

${promises
  .map(
    ({ promise, text, tests }) =>
      `- **${promise}.** ${text} Tests: ${Object.keys(tests).map(link).join(', ')}.`,
  )
  .join('\n')}
`;
