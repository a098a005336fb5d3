import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { openApi } from '../core/api/openapi.ts';
import { takeNothing } from '../ops/script.ts';

takeNothing('openapi', 'Writes docs/openapi.json from the contracts in core/api.');

writeFileSync(
  path.join(import.meta.dirname, '..', 'docs', 'openapi.json'),
  `${JSON.stringify(openApi(), null, 2)}\n`,
);
console.log('docs/openapi.json is written');
