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

interface Workflow {
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly run?: string }[] }>>;
}

/** Runs a job's commands as GitHub does. Resolves to what they print and the exit code of the first that fails. */
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
      execFile('bash', ['-e', '-c', run], { cwd: folder, env }, (error, out) => {
        printed += out;
        resolve(error ? Number(error.code) : 0);
      });
    });
    if (failed) return { status: failed, printed };
  }
  return { status: 0, printed };
};

const shown = () => readFileSync(path.join(folder, 'shown.md'), 'utf8');

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
