import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const pattern = /^dynamic-links-tests-\d+-\w{6}$/;

test('temporary files of tests are in the folder of the run', () => {
  expect(path.basename(tmpdir())).toMatch(pattern);
});

/** The folder of a run that leaves a file in it and has ended. */
const folderOfRun = (env: NodeJS.ProcessEnv): string => {
  const program = `require('./test/support/temporary-folder.cjs')();
    require('node:fs').mkdirSync(require('node:os').tmpdir() + '/cdk.out');
    console.log(require('node:os').tmpdir())`;
  const cwd = path.join(import.meta.dirname, '..');
  return execFileSync(process.execPath, ['-e', program], { cwd, env, encoding: 'utf8' }).trim();
};

test('the folder is deleted with the run, and so are those of killed runs', () => {
  const all = mkdtempSync(path.join(tmpdir(), 'all-'));
  const running = `dynamic-links-tests-${process.pid}-abcdef`;
  // Above the largest process id that Linux and macOS have.
  const killed = 'dynamic-links-tests-4194305-abcdef';
  for (const name of [running, killed, 'of-another']) {
    mkdirSync(path.join(all, name));
    writeFileSync(path.join(all, name, 'file'), '');
  }
  const printed = folderOfRun({ ...process.env, TMPDIR: all });
  expect(path.basename(printed)).toMatch(pattern);
  expect(path.dirname(printed)).toBe(all);
  expect(readdirSync(all).sort()).toEqual([running, 'of-another']);
});

test('without TMPDIR the folder is in memory, or where the system keeps such files, and goes with the run', () => {
  const { TMPDIR: _, ...env } = process.env;
  const folder = folderOfRun(env);
  expect(path.basename(folder)).toMatch(pattern);
  expect(['/dev/shm', '/tmp']).toContain(path.dirname(folder));
  expect(existsSync(folder)).toBe(false);
});
