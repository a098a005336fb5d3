import { execFileSync, spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { newFolder } from '../support/folder.ts';
import { root } from '../support/source-files.ts';

const folder = newFolder();
const who = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@example.com' };
const env = { ...process.env, ...who, GIT_COMMITTER_NAME: 'A', GIT_COMMITTER_EMAIL: 'a@example.com' };
const inFolder = { cwd: folder, env, encoding: 'utf8' } as const;
const git = (...args: string[]): string => execFileSync('git', args, inFolder).trim();
const release = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'bin/release.ts'), ...args],
    inFolder,
  );
  return [status, stdout, stderr.split('\n')[0]];
};
const manifests = [
  'package.json',
  ...['client', 'construct', 'local', 'ops'].map((name) => `${name}/package.json`),
];

beforeAll(() => {
  for (const file of [...manifests, 'package-lock.json', 'docs/openapi.json'].map((name) =>
    path.join(folder, name),
  )) {
    execFileSync('mkdir', ['-p', path.dirname(file)]);
    writeFileSync(file, readFileSync(path.join(root, path.relative(folder, file))));
  }
  writeFileSync(
    path.join(folder, 'CHANGELOG.md'),
    '# Changelog\n\n## Unreleased\n\n### Fixed\n\n- It.\n\n## 1.9.0 (2026-11-24, 11f72e2c)\n\n- It began.\n',
  );
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'begin');
});

test('a release is refused with the reason, and changes nothing', () => {
  git('tag', 'v2.0.0');
  expect(release()).toEqual([1, '', 'Name the version to release']);
  expect(release('1.10')).toEqual([1, '', "'1.10' is not a version such as 1.3.0"]);
  expect(release('1.9.0')).toEqual([1, '', '1.9.0 is not above 1.9.0, which CHANGELOG.md has']);
  expect(release('1.8.10')).toEqual([1, '', '1.8.10 is not above 1.9.0, which CHANGELOG.md has']);
  expect(release('2.0.0')).toEqual([1, '', 'The tag v2.0.0 exists']);
  expect(release('1.10.0', 'now')).toEqual([1, '', "npm run release takes one version, not 'now' as well"]);
  expect(release('1.10.0', '--force')[2]).toContain("Unknown option '--force'");
  appendFileSync(path.join(folder, 'CHANGELOG.md'), '- And on.\n');
  expect(release('1.10.0')).toEqual([1, '', 'The work tree is not clean: commit first']);
  git('checkout', '--quiet', '.');
  expect(git('status', '--porcelain')).toBe('');
});

test('screenshots older than the consoles are reported', () => {
  const change = (...names: string[]) => {
    for (const name of names) {
      mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
      appendFileSync(path.join(folder, name), 'changed\n');
    }
    git('add', '.');
    git('commit', '--quiet', '-m', 'change');
    return release('1.10.0', '--dry-run')[2];
  };
  expect(change('console/style.css', 'docs/console/links.png')).toBe('');
  const retake = 'npx node bin/screenshots.ts retakes them';
  expect(change('console/style.css')).toBe(`Commits to console/ since its pictures: 1. ${retake}`);
  expect(change('docs/console/links.png')).toBe('');
});

test('a release has one version everywhere, notes with day and commit, and an annotated tag', () => {
  const [begun, today] = [git('rev-parse', '--short=8', 'HEAD'), new Date().toISOString().slice(0, 10)];
  const title = `## 1.10.0 (${today}, ${begun})`;
  expect(release('1.10.0', '--dry-run')).toEqual([0, expect.stringContaining(`write "${title}"`), '']);
  expect([git('status', '--porcelain'), git('tag')]).toEqual(['', 'v2.0.0']);
  expect(release('1.10.0')).toEqual([0, expect.stringContaining('Tagged v1.10.0'), '']);
  expect(git('status', '--porcelain')).toBe('');
  expect(git('log', '-1', '--format=%s')).toBe('release: 1.10.0');
  expect(git('cat-file', '-t', 'v1.10.0')).toBe('tag');
  expect(git('rev-parse', 'v1.10.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
  expect(read('CHANGELOG.md')).toContain(`# Changelog\n\n${title}\n\n### Fixed`);
  expect(manifests.map((file) => JSON.parse(read(file)).version)).toEqual(manifests.map(() => '1.10.0'));
  const templates = readFileSync(path.join(folder, 'test/lib/upgrade/last-release.json.gz'));
  expect(Object.keys(JSON.parse(gunzipSync(templates).toString()))).toContain('DynamicLinks-prod');
  expect(read('test/lib/upgrade/expected.json')).toBe('[]\n');
  expect(JSON.parse(read('docs/openapi.json')).info.version).toMatch(/\+service\.1\.10\.0$/);
  const { version, packages } = JSON.parse(read('package-lock.json'));
  const locked = ['', 'client', 'construct', 'local', 'ops'].map((name) => packages[name].version);
  expect([version, ...locked]).toEqual(Array(6).fill('1.10.0'));
  expect(release('1.11.0')).toEqual([1, '', 'CHANGELOG.md has nothing under "Unreleased"']);
});
