import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const page = readFileSync(path.join(root, 'docs/proof.md'), 'utf8');

/** A point of the page: titles in “ ”, each followed by its file. */
const claims = [...page.matchAll(/^- (.*(?:\n {2}.*)*)/gm)].flatMap(([, point = '']) => {
  let titles: string[] = [];
  const found: { title: string; file: string }[] = [];
  for (const [, title, file] of point.replaceAll(/\s+/g, ' ').matchAll(/“([^”]+)”|\]\(\.\.\/([^)]+)\)/g)) {
    if (title !== undefined) titles.push(title);
    if (file === undefined) continue;
    found.push(...titles.map((one) => ({ title: one, file })));
    titles = [];
  }
  return found;
});

test('the page quotes tests', () => {
  expect(claims.length).toBeGreaterThan(30);
});

/** What a file's tests and blocks are called. Each is the first argument of a call. */
const titlesIn = (file: string): string[] => {
  const text = readFileSync(path.join(root, file), 'utf8');
  const named = text.matchAll(/\(\s*(?:'((?:\\.|[^'\\])*)'|"([^"]*)"|`([^`]*)`),/g);
  return [...named].map(([, one, two, three]) =>
    (one ?? two ?? three ?? '').replaceAll(/\\(.)/g, '$1').replaceAll(/\$\{[^}]*\}/g, '%i'),
  );
};

test.each(claims)('$file has “$title”', ({ title, file }) => {
  expect(titlesIn(file)).toContain(title);
});

test('no title is without a file', () => {
  const quoted = [...page.replaceAll(/\s+/g, ' ').matchAll(/“([^”]+)”/g)].map(([, title]) => title);
  expect(quoted.filter((title) => !claims.some((claim) => claim.title === title))).toEqual([]);
});
