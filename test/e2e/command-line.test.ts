import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { newFolder } from '../support/folder.ts';
import { eventually } from '../support/local-stack.ts';
import { testAtNight } from '../support/nightly.ts';
import { root } from '../support/source-files.ts';
import { sharedStack } from '../support/stack-fixtures.ts';

const stack = sharedStack();

const run = async (file: string, ...args: readonly string[]) => {
  const ended = promisify(execFile)(file, args, { cwd: root });
  const { code = 0, stdout, stderr } = await ended.catch((error) => error);
  return { code, stdout, stderr };
};

testAtNight('npx runs the program, with the exit codes and errors of its kinds', async () => {
  const npx = (...args: string[]) => run('npx', '--no', '--', 'dls', ...args, '--data', stack.data, '--json');
  const [listed, unknown, wrong] = await Promise.all([
    npx('project', 'list'),
    npx('project', 'show', 'nowhere'),
    npx('project', 'show'),
  ]);
  expect([listed.code, JSON.parse(listed.stdout)]).toEqual([0, expect.any(Array)]);
  const errorOf = ({ stderr }: { stderr: string }) =>
    JSON.parse(stderr.split('\n').find((line) => line[0] === '{') ?? '');
  expect([unknown.code, unknown.stdout, errorOf(unknown)]).toEqual([
    1,
    '',
    { error: { message: 'There is no project nowhere' } },
  ]);
  expect([wrong.code, wrong.stdout, errorOf(wrong)]).toEqual([
    2,
    '',
    { error: { message: expect.stringContaining('Missing required argument') } },
  ]);
});

const consoleBy = async (file: string, ...args: readonly string[]) => {
  const child = spawn(file, [...args, '--port', '0', '--data', stack.data], { cwd: root, detached: true });
  const [printed] = await once(child.stdout, 'data');
  const [address = ''] = String(printed).match(/http:\S+/) ?? [];
  return { pid: child.pid ?? 0, address, ended: once(child, 'exit') };
};

test('Ctrl-C ends the console with exit code 0', async () => {
  const { pid, ended } = await consoleBy('npm', 'run', '-s', 'admin', '--', 'console');
  // A terminal sends it to all processes of the group.
  process.kill(-pid, 'SIGINT');
  expect(await ended).toEqual([0, null]);
});

// The exit code is npx's: where its shell goes on running, as dash does, it is that of a signal.
test('Ctrl-C ends the console through npx', async () => {
  const { pid, address, ended } = await consoleBy('npx', 'dls', 'console');
  process.kill(-pid, 'SIGINT');
  await ended;
  const isServed = () =>
    fetch(address).then(
      () => true,
      () => false,
    );
  expect(await eventually(isServed, (is) => !is)).toBe(false);
});

const older = `data:text/javascript,Object.defineProperty(process, 'versions', { value: { node: '20.19.0' } })`;

test('missing packages print how to install them, with any Node', async () => {
  const folder = newFolder();
  mkdirSync(path.join(folder, 'ops'));
  for (const file of ['package.json', 'ops/dls.js']) cpSync(path.join(root, file), path.join(folder, file));
  for (const flags of [[], ['--import', older]]) {
    const { code, stderr } = await run(process.execPath, ...flags, path.join(folder, 'ops/dls.js'), 'start');
    expect([code, stderr]).toEqual([1, "The packages are missing: run 'npm ci' first\n"]);
  }
});

test('an older Node prints how to run dls', async () => {
  const { code, stderr } = await run(process.execPath, '--import', older, 'ops/dls.js', '--version');
  expect([code, stderr]).toEqual([
    1,
    'dls needs Node 24 or newer, and this is 20.19.0. npx takes the one that npm ci installed: npx dls COMMAND\n',
  ]);
});
