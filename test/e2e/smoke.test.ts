import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { dataFolder, dropDataFolder, type RunningStack, startLocalStack } from '../support/local-stack.ts';

jest.setTimeout(60_000);

const root = path.join(import.meta.dirname, '../..');
const data = dataFolder();
let stack: RunningStack;
beforeAll(async () => {
  stack = await startLocalStack(data);
});
afterAll(async () => {
  await stack?.stop();
  dropDataFolder(data);
});

interface Outcome {
  readonly name: string;
  readonly result: string;
  readonly detail: string;
}

const smoke = async (...args: string[]) => {
  const command = ['bin/smoke.ts', '--json', ...args];
  const run = promisify(execFile)(process.execPath, command, { cwd: root });
  // A failed check still prints its outcomes.
  const { stdout, code = 0 } = await run.catch((error) => error);
  return { code, outcomes: stdout === '' ? [] : (JSON.parse(stdout) as Outcome[]) };
};

test('what is checked of a deployment holds of the local stack', async () => {
  const { code, outcomes } = await smoke('--data', data);
  expect(outcomes.filter(({ result }) => result === 'failed')).toEqual([]);
  expect(outcomes.filter(({ result }) => result === 'ok').length).toBeGreaterThan(20);
  expect(code).toBe(0);
});

test('nothing of a run is left that has a name', async () => {
  const projects: { id: string }[] = await stack.admin('project', 'list');
  expect(projects.map(({ id }) => id)).toEqual(['demo']);
});

test('a deployment that does not answer fails, and says so by its exit code', async () => {
  await stack.stop();
  const { code } = await smoke('--data', data);
  expect(code).toBe(1);
});
