import { readFileSync } from 'node:fs';
import path from 'node:path';

const [, ...sections] = readFileSync(path.join(import.meta.dirname, '../CHANGELOG.md'), 'utf8').split(
  /^## /m,
);
const notes = sections.map((section) => {
  const [title = '', ...lines] = section.split('\n');
  const text = lines.join('\n');
  return {
    version: title.split(' ')[0] ?? '',
    title,
    headings: [...text.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading),
    words: text.split(/\s+/).length,
  };
});

/** In this order: first steps for the reader, last hints for failures. */
const headings = ['Before you upgrade', 'Added', 'Changed', 'Removed', 'Fixed', 'Security', 'Going back'];

test.each(notes)('$version has headings that every version has, each once and in their order', (version) => {
  expect(version.headings).toEqual(headings.filter((heading) => version.headings.includes(heading)));
});

test('every version since 1.2.0 that adds something describes the way back', () => {
  const before = notes.findIndex(({ version }) => version === '1.1.0');
  const adding = notes.slice(0, before).filter((one) => one.headings.includes('Added'));
  expect(adding.length).toBeGreaterThanOrEqual(2);
  expect(adding.filter((one) => !one.headings.includes('Going back'))).toEqual([]);
});

test('versions are listed from the newest, each with its day and, if it has a tag, its commit', () => {
  const [newest, ...released] = notes;
  if (newest?.version !== 'Unreleased') released.unshift(newest as (typeof notes)[number]);
  const versions = released.map(({ version }) => version);
  const newestFirst = [...versions].sort((one, other) => other.localeCompare(one, 'en', { numeric: true }));
  expect(versions).toEqual(newestFirst);
  expect(
    released.filter(
      ({ title }) =>
        !/^\d+\.\d+\.\d+ \((not tagged, \d{4}-\d\d-\d\d|\d{4}-\d\d-\d\d, [0-9a-f]{8})\)$/.test(title),
    ),
  ).toEqual([]);
});

test.each([
  ['1.2.1', 550],
  ['1.2.0', 1050],
  ['1.1.0', 1740],
  ['1.0.0', 530],
])('notes of %s are never shortened, for readers who skipped versions', (version, words) => {
  expect(notes.find((one) => one.version === version)?.words).toBeGreaterThanOrEqual(words);
});
