import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.join(import.meta.dirname, '../..');
const { scripts }: { scripts: Record<string, string> } = JSON.parse(
  readFileSync(path.join(root, 'package.json'), 'utf8'),
);
/** Our own scripts; other tools have their own help. */
const ours = Object.entries(scripts).flatMap(([name, command]) => {
  const [, file] = /^(?:exec )?node (\S+\.ts)$/.exec(command) ?? [];
  return file === undefined ? [] : [[name, file] as const];
});

test('all our scripts are tested', () => {
  expect(ours.length).toBeGreaterThan(7);
});

test.each(ours)('npm run %s -- --help prints help and does nothing else', async (name, file) => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file, '--help'], {
    cwd: root,
    timeout: 60_000,
  });
  expect(stderr).toBe('');
  expect(stdout.split('\n').filter((line) => line.length > 80)).toEqual([]);
  // cdk's own help is longer and as good.
  expect(stdout).toContain(
    { start: 'npm start', admin: 'npm run -s admin', deploy: 'cdk deploy' }[name] ?? `npm run ${name}`,
  );
});
