import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { App } from 'aws-cdk-lib';
import { settingsOf } from '../lib/settings.ts';
import { addService } from '../lib/stack.ts';
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

const synthesize = (context: Readonly<Record<string, string>>, outdir: string) => {
  const { context: flags } = JSON.parse(readFileSync(path.join(root, 'cdk.json'), 'utf8'));
  const app = new App({ outdir, context: { ...flags, 'aws:cdk:bundling-stacks': [], ...context } });
  addService(app, settingsOf(app.node.getAllContext()));
  return app.synth().stacks;
};

const lint = (): void => {
  const output = mkdtempSync(path.join(tmpdir(), 'lint-'));
  try {
    for (const [name, context] of Object.entries(templateContexts)) {
      for (const stack of synthesize(context, path.join(output, name.replaceAll(' ', '-')))) {
        const { region } = stack.environment;
        const regions = ['--regions', region === 'unknown-region' ? 'us-east-1' : region];
        const args = [...regions, '--ignore-checks', ...ignored, '--template', stack.templateFullPath];
        execFileSync(linter, args, { stdio: 'inherit' });
        console.log(`${stack.stackName} (${name}) is clean`);
      }
    }
  } finally {
    rmSync(output, { recursive: true, force: true });
  }
};

const problem = install();
if (problem) {
  console.error(`cfn-lint ${linterVersion} needs Python 3 with venv and pip here (${problem})`);
  process.exit(1);
}
try {
  lint();
} catch {
  // The linter has printed the findings.
  process.exit(1);
}
