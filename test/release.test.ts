import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const read = (file: string): string => readFileSync(path.join(import.meta.dirname, '..', file), 'utf8');
const manifest = JSON.parse(read('package.json'));

test('every file has the same version', () => {
  const { version, packages } = JSON.parse(read('package-lock.json'));
  expect({
    client: JSON.parse(read('client/package.json')).version,
    local: JSON.parse(read('local/package.json')).version,
    // `npm sbom` refuses a workspace without one.
    ops: JSON.parse(read('ops/package.json')).version,
    lock: version,
    lockedRoot: packages[''].version,
    lockedClient: packages.client.version,
    lockedLocal: packages.local.version,
    lockedOps: packages.ops.version,
    changelog: /^## (\S+) \(\d/m.exec(read('CHANGELOG.md'))?.[1],
  }).toEqual({
    client: manifest.version,
    local: manifest.version,
    ops: manifest.version,
    lock: manifest.version,
    lockedRoot: manifest.version,
    lockedClient: manifest.version,
    lockedLocal: manifest.version,
    lockedOps: manifest.version,
    changelog: manifest.version,
  });
});

test('every file has the same minimum Node version', () => {
  const oldest = manifest.engines.node.replace('>=', '');
  expect(read('.nvmrc')).toBe(`${oldest}.0\n`);
  expect(read('.node-version')).toBe(read('.nvmrc'));
  expect(read('.github/workflows/ci.yml')).toContain(`node-version: ${oldest}.0\n`);
  expect(read('README.md')).toContain(`Node ${oldest} or newer`);
});

test('every part of the nightly runs in its workflow', () => {
  const help = execFileSync(process.execPath, ['bin/nightly.ts', '--help'], {
    cwd: path.join(import.meta.dirname, '..'),
    encoding: 'utf8',
  });
  const parts = [...help.matchAll(/^ {2}(\S+)/gm)].map(([, part]) => part);
  expect(parts.length).toBeGreaterThan(5);
  expect(read('.github/workflows/nightly.yml')).toContain(`part: [${parts.join(', ')}]\n`);
});

test('workflows name the actions that they run by commit', () => {
  const folder = '.github/workflows';
  const files = readdirSync(path.join(import.meta.dirname, '..', folder));
  const used = files.flatMap((file) =>
    [...read(`${folder}/${file}`).matchAll(/uses: (.*)/g)].map(([, action = '']) => action),
  );
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter((action) => !/^[\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/.test(action))).toEqual([]);
});
