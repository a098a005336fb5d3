import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const pattern = /^dynamic-links-tests-\d+-\w{6}$/;

test('temporary files of tests are in the folder of the run', () => {
  expect(path.basename(tmpdir())).toMatch(pattern);
});

test('the folder is deleted with the run, and so are those of killed runs', () => {
  const all = mkdtempSync(path.join(tmpdir(), 'all-'));
  const running = `dynamic-links-tests-${process.pid}-abcdef`;
  // Above the largest process id that Linux and macOS have.
  const killed = 'dynamic-links-tests-4194305-abcdef';
  for (const name of [running, killed, 'of-another']) {
    mkdirSync(path.join(all, name));
    writeFileSync(path.join(all, name, 'file'), '');
  }
  const program = `require('./test/support/temporary-folder.cjs')();
    require('node:fs').mkdirSync(require('node:os').tmpdir() + '/cdk.out');
    console.log(require('node:os').tmpdir())`;
  const printed = execFileSync(process.execPath, ['-e', program], {
    cwd: path.join(import.meta.dirname, '..'),
    env: { ...process.env, TMPDIR: all },
    encoding: 'utf8',
  });
  expect(path.basename(printed.trim())).toMatch(pattern);
  expect(path.dirname(printed.trim())).toBe(all);
  expect(readdirSync(all).sort()).toEqual([running, 'of-another']);
});
