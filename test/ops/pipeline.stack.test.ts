import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { newFolder } from '../support/folder.ts';
import { testAtNight } from '../support/nightly.ts';
import { root, textOf } from '../support/source-files.ts';
import { sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();
const workflow = parse(textOf('ops/pipeline/deploy.yml'));
const { deploy } = workflow.jobs;
const steps: readonly string[] = deploy.steps.flatMap(({ run }: { run?: string }) => run ?? []);

const app = newFolder();
const bin = path.join(app, 'bin');
const called = path.join(app, 'called');

/** `npx` of the app. It only notes the calls of `cdk`, and the local stack takes the place of the deployed one. */
const npx = (data: string) => `#!/bin/sh
set -eu
shift 2
echo "$@" >> '${called}'
program=$1
shift
case "$program $1" in
cdk*) echo "$OUTPUTS" > outputs.json; exit ;;
'dls preflight') ;;
*) set -- $(echo "$@" | sed 's|--stack acme-links|--data ${data}|') ;;
esac
exec '${process.execPath}' '${root}/ops/dls.js' "$@"
`;

beforeAll(() => {
  mkdirSync(bin);
  writeFileSync(path.join(bin, 'npx'), npx(stack.data), { mode: 0o755 });
});

/** Runs a step of the workflow in the app's folder. Resolves to its exit code, output, and calls of `npx`. */
const run = async (name: string) => {
  const step = steps.find((one) => one.endsWith(` ${name}`)) ?? '';
  writeFileSync(called, '');
  const script = step.replace('node_modules/dynamic-link-ops', `${root}/ops`);
  const environment = {
    ...deploy.env,
    OUTPUTS: JSON.stringify({ 'acme-links': stack.facts.outputs }),
    PATH: [bin, path.dirname(process.execPath), process.env.PATH].join(path.delimiter),
    HOME: app,
    AWS_EC2_METADATA_DISABLED: 'true',
  };
  const ended = promisify(execFile)('sh', ['-c', script], { cwd: app, env: environment });
  const { code = 0, stdout, stderr } = await ended.catch((error) => error);
  const calls = readFileSync(called, 'utf8').trimEnd().split('\n');
  return { code, printed: `${stdout}${stderr}`, calls };
};

test('the workflow signs in without a stored key, and runs the steps in order', () => {
  expect(workflow.permissions).toEqual({ contents: 'read', 'id-token': 'write' });
  expect(JSON.stringify(workflow)).not.toMatch(/secrets\.|AKIA/);
  const used = deploy.steps.flatMap(({ uses }: { uses?: string }) => uses ?? []);
  expect(used.filter((one: string) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40}$/.test(one))).toEqual([]);
  expect(steps.map((step) => step.split(' ').at(-1))).toEqual([
    ...['ci', 'preflight', 'deploy', 'smoke', 'conformance'],
  ]);
  const { files } = JSON.parse(textOf('ops/package.json'));
  expect(files).toContain('pipeline');
});

test('preflight gets the settings, and its findings stop the workflow', async () => {
  const { code, printed, calls } = await run('preflight');
  expect(calls).toEqual(['dls preflight --stack acme-links -c stage=prod -c alarmEmail=ops@example.com']);
  expect([code, printed]).toEqual([1, expect.stringMatching(/^do +identity/)]);
});

test('deploy asks nothing and keeps the outputs', async () => {
  const { code, calls } = await run('deploy');
  expect([code, calls]).toEqual([
    0,
    ['cdk deploy --all --require-approval never --outputs-file outputs.json'],
  ]);
});

testAtNight('conformance compares every visitor with the corpus, and revokes its key', async () => {
  await run('deploy');
  const { code, printed } = await run('conformance');
  expect([code, printed]).toEqual([0, expect.stringMatching(/[1-9]\d* visits, 0 of them differ/)]);
  const keys = await stack.admin('key', 'list', '--project', 'conformance');
  expect(keys).toEqual([expect.objectContaining({ revokedAt: expect.any(String) })]);
});

testAtNight('smoke succeeds on the local stack', async () => {
  const { code, printed } = await run('smoke');
  expect([code, printed]).toEqual([0, expect.stringContaining(' 0 failed')]);
});
