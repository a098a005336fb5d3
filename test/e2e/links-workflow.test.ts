import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parse } from 'yaml';
import { testAtNight } from '../support/nightly.ts';
import { projectOn, sharedStack } from '../support/stack-fixtures.ts';

/* The commands of the workflow in docs/links-as-code.md, in a checkout with the file that the page shows. */

const stack = sharedStack();
const project = projectOn(stack);
const root = path.join(import.meta.dirname, '../..');
const page = readFileSync(path.join(root, 'docs/links-as-code.md'), 'utf8');
const [file = '', workflow = ''] = [...page.matchAll(/`{3,4}yaml\n(.*?)\n`{3,4}\n/gs)].map(
  ([, text = '']) => text,
);

const folder = mkdtempSync(path.join(tmpdir(), 'checkout-'));
const commands = path.join(folder, 'commands');
beforeAll(() => {
  mkdirSync(path.join(folder, 'links'));
  writeFileSync(path.join(folder, 'links/web.yaml'), file);
  mkdirSync(commands);
  // The package as its sources, and a GitHub that keeps what it is told.
  const program = path.join(root, 'client/program/dynamic-links.ts');
  const npx = `#!/bin/sh\nshift 3\nexec '${process.execPath}' '${program}' "$@"\n`;
  const gh = `#!/bin/sh\necho "$@" > said.txt\ncp comment.md shown.md\n`;
  for (const [name, text] of Object.entries({ npx, gh, npm: '#!/bin/sh\n' }))
    writeFileSync(path.join(commands, name), text, { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly Step[] }>>;
}

/** Runs a job's commands as GitHub does, by the shell that every system has. Resolves to what they print and the exit code of the first that fails. */
const runJob = async (name: string) => {
  const { jobs } = parse(workflow) as Workflow;
  const env = {
    PATH: `${commands}:${process.env.PATH}`,
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
    DLS_URL: stack.facts.apiBaseUrl,
    DLS_KEY: project.key,
    PULL_REQUEST: '7',
  };
  let printed = '';
  for (const { run } of jobs[name]?.steps ?? []) {
    if (run === undefined) continue;
    const failed = await new Promise<number>((resolve) => {
      execFile('sh', ['-e', '-c', run], { cwd: folder, env }, (error, out) => {
        printed += out;
        resolve(error ? Number(error.code) : 0);
      });
    });
    if (failed) return { status: failed, printed };
  }
  return { status: 0, printed };
};

const shown = () => readFileSync(path.join(folder, 'shown.md'), 'utf8');

test('keys are seen by the commands that need them alone, and by no code that is named by a tag', () => {
  const { jobs } = parse(workflow) as Workflow;
  const steps = Object.values(jobs).flatMap((job) => job.steps);
  const holds = (value: unknown) => /secrets|github\.token/.test(JSON.stringify(value));
  const trusted = steps.filter(holds);
  expect(trusted).toHaveLength(2);
  for (const { run } of trusted) expect(run).toMatch(/npx --no -- dynamic-links (plan|apply) /);
  for (const { run } of trusted) expect(run).not.toMatch(/\b(npm|yarn|pnpm)\b/);
  // Beside these steps nothing names a secret: neither a job nor the whole workflow.
  const others = JSON.parse(JSON.stringify(parse(workflow)), (name, value) =>
    name === 'steps' ? value.filter((step: Step) => !holds(step)) : value,
  );
  expect(holds(others)).toBe(false);
  // The same commits as in the workflows here, which are kept up to date.
  const known = readFileSync(path.join(root, '.github/workflows/ci.yml'), 'utf8');
  const used = [...workflow.matchAll(/uses: (.*)/g)].map(([, action = '']) => action);
  expect(used.length).toBeGreaterThan(0);
  for (const action of used) expect(known).toContain(`uses: ${action}\n`);
  for (const step of steps.filter(({ uses }) => uses?.startsWith('actions/checkout')))
    expect(step.with).toEqual({ 'persist-credentials': false });
});

testAtNight('a pull request shows its plan, and main applies it', async () => {
  expect(await runJob('plan')).toEqual({ status: 0, printed: '' });
  expect(shown()).toMatch(/^```diff\n\+ create launch\n\+ create old\n2 create,.*\n```\n$/);
  expect(readFileSync(path.join(folder, 'said.txt'), 'utf8')).toContain('pr comment 7 ');
  expect(await runJob('apply')).toEqual({ status: 0, printed: expect.stringContaining('2 done, 0 failed') });
  expect(await runJob('plan')).toEqual({ status: 0, printed: '' });
  expect(shown()).toMatch(/^```diff\n0 create,.* 2 unchanged,/);
});

testAtNight('a mistake in a file fails both', async () => {
  writeFileSync(path.join(folder, 'links/web.yaml'), `${file}\nunknown: 1\n`);
  expect((await runJob('plan')).status).toBe(1);
  expect((await runJob('apply')).status).toBe(1);
});
