import { readFileSync } from 'node:fs';
import path from 'node:path';

const read = (file: string): string => readFileSync(path.join(import.meta.dirname, '..', file), 'utf8');
const manifest = JSON.parse(read('package.json'));

test('every file has the same version', () => {
  const { version, packages } = JSON.parse(read('package-lock.json'));
  expect({
    local: JSON.parse(read('local/package.json')).version,
    lock: version,
    lockedRoot: packages[''].version,
    lockedLocal: packages.local.version,
    changelog: /^## (\S+) \(\d/m.exec(read('CHANGELOG.md'))?.[1],
  }).toEqual({
    local: manifest.version,
    lock: manifest.version,
    lockedRoot: manifest.version,
    lockedLocal: manifest.version,
    changelog: manifest.version,
  });
});

test('every file has the same minimum Node version', () => {
  const oldest = manifest.engines.node.replace('>=', '');
  expect(JSON.parse(read('local/package.json')).engines).toEqual(manifest.engines);
  expect(read('.nvmrc')).toBe(`${oldest}.0\n`);
  expect(read('.node-version')).toBe(read('.nvmrc'));
  expect(read('.github/workflows/ci.yml')).toContain(`node: ["${oldest}.0", "24"]`);
  expect(read('README.md')).toContain(`Node ${oldest} or newer`);
});
