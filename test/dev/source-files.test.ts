import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { followSources, type SourceFiles } from '../../dev/source-files.ts';
import { newFolder } from '../support/folder.ts';

let root: string;
let files: SourceFiles;
let called = Promise.withResolvers<void>();
const write = (name: string, text: string) => writeFileSync(path.join(root, name), text);
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: root });

beforeEach(() => {
  root = newFolder();
  mkdirSync(path.join(root, 'lambdas/api'), { recursive: true });
  for (const name of ['lambdas/api/a.ts', 'lambdas/b.ts', 'cdk.json', 'other.json']) write(name, 'first');
  files = followSources(root, ['lambdas', 'cdk.json'], () => called.resolve());
});
afterEach(() => {
  files.stop();
});

/** Looks when it is called back until it finds something. */
const changedAfter = async (change: () => void): Promise<string[]> => {
  called = Promise.withResolvers();
  change();
  for (;;) {
    await called.promise;
    called = Promise.withResolvers();
    const found = files.changed();
    if (found.length > 0) return found.toSorted();
  }
};

let texts = 0;
const fresh = () => {
  texts += 1;
  return `text ${texts}`;
};
const over = (name: string) => {
  write('lambdas/sedvK9KT1', fresh());
  renameSync(path.join(root, 'lambdas/sedvK9KT1'), path.join(root, name));
};

test.each(['lambdas/api/a.ts', 'cdk.json'])(
  'each change of %s is seen: in place, by a file that takes its name, and by git checkout',
  async (name) => {
    git('init', '-q', '-b', 'first');
    git('add', '.');
    git('commit', '-q', '-m', 'first');
    for (let round = 0; round < 3; round += 1) {
      expect(await changedAfter(() => write(name, fresh()))).toEqual([name]);
      expect(await changedAfter(() => over(name))).toEqual([name]);
      expect(await changedAfter(() => git('checkout', '-q', '--', name))).toEqual([name]);
      expect(readFileSync(path.join(root, name), 'utf8')).toBe('first');
    }
  },
);

test('files in new folders are seen, in folders that come back, and those that go', async () => {
  const add = () => {
    mkdirSync(path.join(root, 'lambdas/new/deep'), { recursive: true });
    write('lambdas/new/deep/c.ts', fresh());
  };
  const folder = path.join(root, 'lambdas/new');
  for (let round = 0; round < 3; round += 1) {
    expect(await changedAfter(add)).toEqual(['lambdas/new/deep/c.ts']);
    expect(await changedAfter(() => write('lambdas/new/deep/c.ts', fresh()))).toHaveLength(1);
    expect(await changedAfter(() => rmSync(folder, { recursive: true }))).toEqual(['lambdas/new/deep/c.ts']);
  }
});

test("editors' temporary files are no change, nor are files that are no source", async () => {
  for (const name of ['.a.ts.swp', 'a.ts~', 'a.ts.tmp', '4913']) write(`lambdas/api/${name}`, 'x');
  write('other.json', 'x');
  expect(files.changed()).toEqual([]);
});
