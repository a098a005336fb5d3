import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { refuseArguments } from './arguments.ts';

refuseArguments(
  'check',
  `Checks format, lint, types, unused code, and which folders and modules
import which, all at once.`,
);
const root = path.join(import.meta.dirname, '..');
// Programs that npm ci installed, Node among them, come first.
const PATH = [path.join(root, 'node_modules/.bin'), process.env.PATH].join(path.delimiter);
if (!existsSync(path.join(root, 'client/api-types.ts'))) {
  console.error("The client's types are missing: run 'npm ci', or 'npm run prepare'");
  process.exit(1);
}
const checks: Readonly<Record<string, string>> = {
  'format and lint': 'biome ci .',
  types: 'tsc --incremental --tsBuildInfoFile node_modules/.cache/types.json',
  "the console's types":
    'tsc -p console --incremental --tsBuildInfoFile node_modules/.cache/console-types.json',
  'unused code': 'knip --no-progress --no-config-hints',
  imports: 'jest test/architecture',
};

const run = async (command: string) => {
  const [program = '', ...args] = command.split(' ');
  const child = spawn(program, args, { cwd: root, env: { ...process.env, PATH } });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, printed: out + err };
};

const begun = performance.now();
const outcomes = Object.entries(checks).map(async ([name, command]) => {
  const { code, printed } = await run(command);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'}  ${name}, ${seconds} s`);
  return code === 0 ? '' : `\n${command}\n${printed}`;
});
const failures = (await Promise.all(outcomes)).join('');
if (failures !== '') console.error(failures);
process.exitCode = failures === '' ? 0 : 1;
