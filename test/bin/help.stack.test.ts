import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { commands } from '../../ops/command-line/commands.ts';
import { isNightly, testAtNight } from '../support/nightly.ts';

const root = path.join(import.meta.dirname, '../..');
const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(path.join(root, 'package.json'), 'utf8'),
);
/** Our own scripts; other tools have their own help. */
const ours = Object.entries(scripts).flatMap(([name, command]) => {
  const [, file] = /^exec node (\S+\.ts)$/.exec(command) ?? [];
  return file === undefined ? [] : [[name, file] as const];
});

test('all our scripts are tested', () => {
  expect(ours.length).toBeGreaterThan(4);
});

test('every script replaces the shell, so that only the script gets Ctrl-C, and its exit code counts', () => {
  expect(Object.values(scripts).filter((command) => !/^exec [^&|;]+$/.test(command))).toEqual([]);
});

test('the other scripts are names of commands', () => {
  const named = Object.entries(scripts).flatMap(([script, command]) => {
    const [, name] = /^exec node ops\/dls\.js ?(\w*)$/.exec(command) ?? [];
    return name === undefined ? [] : [[script, name]];
  });
  expect(named.length).toBeGreaterThan(5);
  for (const [script, name] of named) {
    expect(name).toBe(script === 'admin' ? '' : script);
    if (name !== '') expect(commands.map((one) => one.name)).toContain(name);
  }
});

test('npm run bench names the fault of a call, and prints the usage', () => {
  const bench = (...args: string[]) =>
    spawnSync(process.execPath, ['bench/run.ts', ...args], { cwd: root, encoding: 'utf8' });
  const faults = [
    [['--rounds', 'many'], "--rounds takes a number, not 'many'"],
    [['--foo'], "Unknown option '--foo'"],
    [['nothing'], "There is no benchmark 'nothing'"],
  ] as const;
  for (const [args, why] of isNightly ? faults : faults.slice(0, 1)) {
    const { status, stdout, stderr } = bench(...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(new RegExp(`^${why}[^\\n]*\\n\\nUsage: npm run bench`));
  }
});

testAtNight.each(ours)('npm run %s -- --help prints help and does nothing else', async (name, file) => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file, '--help'], {
    cwd: root,
    timeout: 60_000,
  });
  expect(stderr).toBe('');
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  // cdk's own help is longer and as good.
  expect(stdout).toContain(`npm run ${name}`);
});
