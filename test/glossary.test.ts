import { globSync } from 'node:fs';
import { filesIn, textOf } from './support/source-files.ts';

/** Words that the glossary refuses, each with the right one. */
const refused = textOf('docs/glossary.md')
  .split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| -') && !line.startsWith('| Word'))
  .flatMap((line) => {
    const [, word = '', , , not = ''] = line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
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
  expect(misnamed(['core/lanes', 'deniedHosts', 'linkFigures', 'millionTold'])).toEqual([
    'core/lanes: write turn',
    'deniedHosts: write blocked destination',
    'linkFigures: write analytics',
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

/** Words that texts must not have, each with the right one, from the glossary's second table. */
const unwanted = [
  ...(textOf('docs/glossary.md').split('## Words in texts')[1] ?? '').matchAll(/^\| (.+?) \| (.+?) \|$/gm),
]
  .filter(([, word = '']) => !/^(Write|-+) *$/.test(word))
  .map(([, word = '', not = '']) => ({
    word: word.trim(),
    not: new RegExp(
      `(?<![\\w/.-])(?:${not.trim().replaceAll('`', '').replaceAll(', ', '|')})(?![\\w/-]|\\.[a-z])`,
      'i',
    ),
  }));

/** Outside code: backticks, blocks and addresses of links. */
const prose = (text: string): string =>
  text.replaceAll(/```.*?```|`[^`\n]*`|\]\([^)]*\)|"[^"\n]*"|“[^”]*”/gs, '');

const misworded = (texts: readonly string[]): string[] =>
  texts.flatMap((text) =>
    unwanted.flatMap(({ word, not }) => {
      const [found] = not.exec(prose(text)) ?? [];
      return found === undefined ? [] : [`${found} (write ${word}): ${text.slice(0, 80)}`];
    }),
  );

/** The strings of descriptions in JSON. */
const stringsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : Object.values(value && typeof value === 'object' ? value : {}).flatMap(stringsIn);

/** Quoted text with at least one space, and text between tags. */
const textsIn = (file: string): string[] =>
  [
    ...textOf(file).matchAll(
      /'((?:\\.|[^'\\\n])* (?:\\.|[^'\\\n])*)'|"([^"\n]* [^"\n]*)"|>([^<>{}=;]* [^<>{}=;]*)</g,
    ),
  ].map(([, one, two, three]) => one ?? two ?? three ?? '');

const titlesIn = (file: string): string[] =>
  [...textOf(file).matchAll(/\b(?:test|describe)(?:\.each[^'"`]*)?\(\s*(['"`])(.+?)\1,/g)].map(
    ([, , title = '']) => title,
  );

test.each<[name: string, texts: () => string[]]>([
  [
    'pages',
    () =>
      globSync(['*.md', 'docs/**/*.md', '{client,local,construct,ops}/README.md', 'core/api/*.md'], {
        exclude: ['CHANGELOG.md', 'docs/glossary.md'],
      }).flatMap((page) => prose(textOf(page)).split(/\n\n|\n- |\n\|/)),
  ],
  ['messages of the API', () => textsIn('core/base/messages.ts')],
  ['descriptions of the API', () => stringsIn(JSON.parse(textOf('core/api/openapi-parts.json')))],
  ['commands', () => filesIn('ops/command-line').flatMap(textsIn)],
  ['consoles', () => filesIn('console/views').flatMap(textsIn)],
  ["tests' titles", () => [...filesIn('test'), ...filesIn('local/test')].flatMap(titlesIn)],
])('%s have the words of the glossary', (_, texts) => {
  expect(unwanted.length).toBeGreaterThan(10);
  expect(misworded(['The mails of before', 'an image', 'the figures'])).toHaveLength(3);
  const all = texts();
  expect(all.length).toBeGreaterThan(50);
  expect(misworded(all)).toEqual([]);
});
