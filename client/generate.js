import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

/** The types of docs/openapi.json, for api-types.ts. */
export const apiTypes = () => {
  const description = path.join(here, '../docs/openapi.json');
  // The generator needs an older TypeScript as a library, which is why both are the package's own.
  const manifest = createRequire(import.meta.url).resolve('openapi-typescript/package.json');
  const generator = path.join(path.dirname(manifest), 'bin/cli.js');
  const types = execFileSync(process.execPath, [generator, description], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const text = readFileSync(description);
  const dimensions = Object.entries(JSON.parse(text.toString())['x-splits']);
  const hash = createHash('sha256').update(text).digest('hex');
  return `// Of docs/openapi.json ${hash}
${types}
/** The field by which the items of a grouping differ. */
export interface DimensionFields {
${dimensions.map(([name, { field }]) => `    readonly ${name}: "${field}";`).join('\n')}
}
/** The values of a click. */
export interface DimensionValues {
${dimensions.map(([, { field, says, optional }]) => `    /** ${says} */\n    readonly ${field}${optional ? '?' : ''}: string;`).join('\n')}
}
`;
};
