import { cyclesOf } from './support/import-cycles.ts';
import { filesIn, importsOf } from './support/source-files.ts';

const folders = ['core', 'lambdas', 'lib', 'bin', 'ops', 'bench', 'client', 'console', 'local', 'test'];

test('no file imports itself through others, types included', () => {
  const files = folders.flatMap(filesIn);
  expect(files).toEqual(expect.arrayContaining(['core/stores.ts', 'console/app.tsx']));
  expect(cyclesOf(new Map(files.map((file) => [file, importsOf(file)])))).toEqual([]);
});

test('a cycle is found from any start', () => {
  const imports: Readonly<Record<string, readonly string[]>> = {
    a: ['b'],
    b: ['c', 'd'],
    c: ['b'],
    d: [],
    e: ['e'],
  };
  const found = (start: string) =>
    cyclesOf(new Map([start, ...Object.keys(imports)].map((node) => [node, imports[node] ?? []])));
  expect(found('a')).toEqual([
    ['b', 'c', 'b'],
    ['e', 'e'],
  ]);
  expect(found('c')).toEqual([
    ['c', 'b', 'c'],
    ['e', 'e'],
  ]);
});

test('imports of values and types, on several lines, re-exported or dynamic, are all found', () => {
  const text = `import fs from 'node:fs';
import type { A } from './a.ts';
import {
  b,
} from '../b.ts';
export { c } from './c.tsx';
import './d.ts';
const late = () => import('./late.ts');
`;
  expect(importsOf('core/links/x.ts', text)).toEqual([
    'core/links/a.ts',
    'core/b.ts',
    'core/links/c.tsx',
    'core/links/d.ts',
    'core/links/late.ts',
  ]);
});
