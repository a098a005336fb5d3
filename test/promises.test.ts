import { textOf } from './support/source-files.ts';

/** Promises of the product, and the tests that fail if one breaks: their titles by file. */
const promises: readonly {
  readonly promise: string;
  readonly tests: Readonly<Record<string, readonly string[]>>;
}[] = JSON.parse(textOf('test/promises.json'));

const claims = promises.flatMap(({ tests }) =>
  Object.entries(tests).flatMap(([file, titles]) => titles.map((title) => ({ file, title }))),
);

/** The titles of a file's tests and blocks. Each is the first argument of a call. */
const titlesIn = (file: string): string[] => {
  const named = textOf(file).matchAll(/\(\s*(?:'((?:\\.|[^'\\])*)'|"([^"]*)"|`([^`]*)`),/g);
  return [...named].map(([, one, two, three]) =>
    (one ?? two ?? three ?? '').replaceAll(/\\(.)/g, '$1').replaceAll(/\$\{[^}]*\}/g, '%i'),
  );
};

test.each(claims)('$file has “$title”, which a promise needs', ({ title, file }) => {
  expect(titlesIn(file)).toContain(title);
});

test('every promise has tests', () => {
  expect(promises.filter(({ tests }) => Object.values(tests).flat().length === 0)).toEqual([]);
});
