import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { CloudFormationStackArtifact } from 'aws-cdk-lib/cx-api';
import { settingsOf } from '../lib/settings.ts';
import { synthesizedStacks } from '../ops/base/synthesized-stacks.ts';
import { templateContexts } from './template-contexts.ts';

/* Checks the templates of every stage and option with AWS's cfn-lint. */

const root = path.join(import.meta.dirname, '..');
const linterVersion = '1.58.0';
const home = path.join(root, '.cache', `cfn-lint-${linterVersion}`);
const linter = path.join(home, 'bin', 'cfn-lint');

/** The CDK itself states a function's dependency on its role twice. */
const ignored = ['W3005'];

/** Installs AWS's linter once, below this repository. Returns the reason if that fails. */
const install = (): string | undefined => {
  if (existsSync(linter)) return undefined;
  for (const [command, ...args] of [
    ['python3', '-m', 'venv', home],
    [path.join(home, 'bin', 'pip'), 'install', '--quiet', `cfn-lint==${linterVersion}`],
  ]) {
    const { status, error, stderr } = spawnSync(command ?? '', args, { encoding: 'utf8' });
    if (status === 0) continue;
    rmSync(home, { recursive: true, force: true });
    return error?.message ?? stderr.trim().split('\n').at(-1) ?? 'it failed';
  }
  return undefined;
};

/** Prints the linter's findings about a stack; with any, this process fails. */
const lint = ({ stackName, environment, templateFullPath }: CloudFormationStackArtifact, name: string) => {
  const region = environment.region === 'unknown-region' ? 'us-east-1' : environment.region;
  const args = ['--regions', region, '--ignore-checks', ...ignored, '--template', templateFullPath];
  if (spawnSync(linter, args, { stdio: 'inherit' }).status === 0)
    console.log(`${stackName} (${name}) is clean`);
  else process.exitCode = 1;
};

const problem = install();
if (problem) {
  console.error(`cfn-lint ${linterVersion} needs Python 3 with venv and pip here (${problem})`);
  process.exit(1);
}
for (const [name, context] of Object.entries(templateContexts))
  synthesizedStacks({
    settings: settingsOf(context),
    read: (stacks) => {
      for (const stack of stacks) lint(stack, name);
    },
  });
