import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorsPage } from '../core/api/errors-page.ts';

writeFileSync(path.join(import.meta.dirname, '..', 'docs', 'errors.md'), errorsPage());
