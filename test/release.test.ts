import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { filesIn, textOf } from './support/source-files.ts';

const read = (file: string): string => readFileSync(path.join(import.meta.dirname, '..', file), 'utf8');
const manifest = JSON.parse(read('package.json'));

test('every file has the same version', () => {
  const { version, packages } = JSON.parse(read('package-lock.json'));
  const folders = ['client', 'construct', 'local', 'ops'];
  const versions = {
    ...Object.fromEntries(folders.map((name) => [name, JSON.parse(read(`${name}/package.json`)).version])),
    ...Object.fromEntries(['', ...folders].map((name) => [`locked ${name}`, packages[name].version])),
    lock: version,
    changelog: /^## (\S+) \(\d/m.exec(read('CHANGELOG.md'))?.[1],
  };
  expect(versions).toEqual(Object.fromEntries(Object.keys(versions).map((name) => [name, manifest.version])));
});

test('code for versions before is gone from the version that its comment names', () => {
  const ends = ['client', 'console', 'construct', 'core', 'dev', 'lambdas', 'lib', 'local', 'ops']
    .flatMap(filesIn)
    .flatMap((file) =>
      [...textOf(file).matchAll(/Until (\d+\.\d+\.\d+):/g)].map(([, end = '']) => ({ file, end })),
    );
  const dueIn = (version: string, marks: typeof ends): string[] =>
    marks
      .filter(({ end }) => end.localeCompare(version, 'en', { numeric: true }) <= 0)
      .map(({ file, end }) => `${file}: until ${end}`);
  expect(dueIn(manifest.version, ends)).toEqual([]);
  const marks = [{ file: 'lib/x.ts', end: '1.4.0' }];
  for (const version of ['1.4.0', '1.10.0', '2.0.0'])
    expect(dueIn(version, marks)).toEqual(['lib/x.ts: until 1.4.0']);
  expect(dueIn('1.3.9', marks)).toEqual([]);
});

test('packages are for the systems that README names, and the lock file vouches for each', () => {
  expect(read('README.md')).toContain('on Linux or macOS (on Windows, in WSL 2)');
  expect(Object.keys(manifest.optionalDependencies).filter((name) => !/darwin|linux/.test(name))).toEqual([]);
  const { packages } = JSON.parse(read('package-lock.json')) as {
    packages: Record<string, { readonly os?: readonly string[]; readonly integrity?: string }>;
  };
  const unproven = Object.entries(packages).filter(([, { os, integrity }]) => os && !integrity);
  expect(unproven).toEqual([]);
});

test('dls names the systems that it runs on', () => {
  const onWindows = `data:text/javascript,Object.defineProperty(process, 'platform', { value: 'win32' })`;
  const dls = path.join(import.meta.dirname, '../ops/dls.js');
  const { status, stderr } = spawnSync(process.execPath, ['--import', onWindows, dls, 'start'], {
    encoding: 'utf8',
  });
  expect([status, stderr]).toEqual([1, 'dls runs on Linux and macOS; on Windows, run it in WSL 2\n']);
});

test('the client brings no script that runs when it is installed', () => {
  expect(Object.keys(JSON.parse(read('client/package.json')).scripts)).toEqual(['prepack']);
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
  const [, listed = ''] = /part:\s+\[([^\]]+)\]/.exec(read('.github/workflows/nightly.yml')) ?? [];
  expect(listed.match(/[\w-]+/g)).toEqual(parts);
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

test('no package of the lock file may run an install script', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    readonly packages: Readonly<Record<string, { readonly hasInstallScript?: boolean }>>;
  };
  const scripted = Object.keys(packages).filter((name) => packages[name]?.hasInstallScript);
  const { allowScripts } = JSON.parse(read('package.json'));
  const names = [...new Set(scripted.map((name) => name.replace(/^.*node_modules\//, '')))];
  expect(names.length).toBeGreaterThan(0);
  expect(names.map((name) => [name, allowScripts[name]])).toEqual(names.map((name) => [name, false]));
});
