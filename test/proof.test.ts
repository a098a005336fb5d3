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

test.each(claims)('$file has “$title”', ({ title, file }) => {
  expect(readFileSync(path.join(root, file), 'utf8').replaceAll("\\'", "'")).toContain(title);
});

test('no title is without a file', () => {
  const quoted = [...page.replaceAll(/\s+/g, ' ').matchAll(/“([^”]+)”/g)].map(([, title]) => title);
  expect(quoted.filter((title) => !claims.some((claim) => claim.title === title))).toEqual([]);
});
