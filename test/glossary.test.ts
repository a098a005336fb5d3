import { globSync } from 'node:fs';
import { filesIn, textOf } from './support/source-files.ts';

/** Words that the glossary refuses, each with the right one. */
const refused = textOf('docs/glossary.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| -') && !line.startsWith('| Word'))
  .flatMap((line) => {
    const [, word = '', , , not = ''] = line.split('|').map((cell) => cell.trim());
    return not === '' ? [] : not.split(', ').map((one) => ({ not: new RegExp(`\\b${one}s?\\b`), word }));
  });

/** A name or heading in lower case, with hyphens between the words of a name. Code in headings is left out. */
const wordsOf = (name: string): string =>
  name
    .replaceAll(/`[^`]*`/g, '')
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .toLowerCase();

const misnamed = (names: readonly string[]): string[] =>
  names.flatMap((name) =>
    refused.filter(({ not }) => not.test(wordsOf(name))).map(({ word }) => `${name}: write ${word}`),
  );

const files = ['bench', 'bin', 'client', 'console', 'core', 'dev', 'lambdas', 'lib', 'ops'].flatMap(filesIn);
const exported = /^export (?:abstract |async )*(?:class|const|function\*?|interface|type) (\w+)/gm;

test('folders, files and exported names have the words of the glossary', () => {
  expect(refused.length).toBeGreaterThan(5);
  expect(misnamed(['core/lanes', 'deniedHosts', 'millionTold'])).toEqual([
    'core/lanes: write turn',
    'deniedHosts: write blocked destination',
    'millionTold: write emit',
  ]);
  const names = files.flatMap((file) =>
    [...textOf(file).matchAll(exported)].map(([, name = '']) => `${file} ${name}`),
  );
  expect(names.length).toBeGreaterThan(2000);
  expect(misnamed([...files, ...names])).toEqual([]);
});

test('headings have the words of the glossary', () => {
  const pages = globSync(['*.md', 'docs/**/*.md', '{bench,client,console,local,ops}/README.md'], {
    exclude: ['CHANGELOG.md'],
  });
  const headings = pages.flatMap((page) =>
    [...textOf(page).matchAll(/^#+ .+$/gm)].map(([heading]) => heading),
  );
  expect(headings.length).toBeGreaterThan(100);
  expect(misnamed(headings)).toEqual([]);
});
