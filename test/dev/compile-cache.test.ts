import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { boundCompileCache } from '../../dev/compile-cache.ts';
import { newFolder } from '../support/folder.ts';

test('compiled code of Node is dropped once there is too much of it', async () => {
  const all = path.join(newFolder(), 'compiled');
  for (const version of ['before', 'now']) {
    mkdirSync(path.join(all, version), { recursive: true });
    for (const name of ['a', 'b']) writeFileSync(path.join(all, version, name), '');
  }
  const now = path.join(all, 'now');
  await boundCompileCache(now, 6);
  expect(existsSync(path.join(now, 'a'))).toBe(true);
  await boundCompileCache(now, 5);
  expect(existsSync(all)).toBe(false);
});
