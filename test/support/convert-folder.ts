import path from 'node:path';
import { convertFolder } from '../../local/engine/sqlite/conversion.ts';

/** A conversion that can be killed. Prints its start, and the reason of a failure. */
const [, , folder = ''] = process.argv;
process.stdout.write('begins');
try {
  convertFolder(path.join(folder, 'dynamodb'), folder);
} catch (error) {
  console.error((error as Error).message);
  process.exitCode = 1;
}
