import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { filesIn } from './support/source-files.ts';

const root = path.join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

/** Every page of ours: what git ignores, and the folders of tools, have others. */
const pages = globSync('{*.md,*/**/*.md,.github/*.md,llms.txt}', {
  cwd: root,
  exclude: (name) => /(^|\/)(node_modules|dist|coverage|cdk\.out)$/.test(name),
});

/** The anchors of a page's headings, as GitHub makes them. */
const anchorsOf = (page: string): string[] =>
  [...read(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

test.each(pages)('every link of %s leads to a file and a heading that exist', (page) => {
  const links = [...read(page).matchAll(/\]\(([^):]*)\)/g)].map(([, link = '']) => link);
  const broken = links.filter((link) => {
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? page : path.join(path.dirname(page), file);
    if (!existsSync(path.join(root, target))) return true;
    return anchor !== undefined && !anchorsOf(target).includes(anchor);
  });
  expect(broken).toEqual([]);
});

/** Reference that isn't read from top to bottom: generated, or a section for each alarm or finding. */
const reference = /CHANGELOG|llms|decisions|(errors|metrics|settings|units|runbook)\.md/;
/** Sections of a guide that a program links to. */
const findings = /^## Check your set-up\n.*?(?=^## )/gms;

test.each(pages.filter((page) => !reference.test(page)))(
  '%s has at most 1,500 words besides tables, code and findings',
  (page) => {
    const prose = read(page)
      .replaceAll(/```.*?```/gs, '')
      .replaceAll(/^\s*\|.*$/gm, '')
      .replaceAll(findings, '');
    expect(prose.match(/\S+/g)?.length ?? 0).toBeLessThanOrEqual(1500);
  },
);

test('the index of docs names every page', () => {
  const index = read('docs/README.md');
  const others = readdirSync(path.join(root, 'docs')).filter(
    (file) => file.endsWith('.md') && file !== 'README.md',
  );
  expect(others.filter((file) => !index.includes(`(${file})`))).toEqual([]);
});

const records = readdirSync(path.join(root, 'docs/decisions')).filter((file) => /^\d{4}-/.test(file));

test.each(records)('decision %s has the common form', (file) => {
  const text = read(`docs/decisions/${file}`);
  const number = Number(file.slice(0, 4));
  expect(text).toMatch(
    new RegExp(`^# ${number}\\. .+\n\nStatus: (accepted|superseded by .+), \\d{4}-\\d\\d-\\d\\d`),
  );
  const headings = [...text.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings.slice(0, 3)).toEqual(['Context', 'Decision', 'Consequences']);
  const [, title] = /^# \d+\. (.+)$/m.exec(text) ?? [];
  expect(read('docs/decisions/README.md')).toContain(`\n- [${number}. ${title}](${file})\n`);
  // A page. Cells of tables count, rules between them don't.
  expect(text.match(/[\p{L}\p{N}][^\s|]*/gu)?.length).toBeLessThanOrEqual(450);
});

test('there are at most 20 decisions: a new one takes the place of one, or joins it', () => {
  expect(records.length).toBeLessThanOrEqual(20);
});

test('decisions that code and data name exist', () => {
  const folders = 'bench bin client console core dev lambdas lib local ops test'.split(' ');
  const files = [...folders.flatMap(filesIn), 'docs/cost-inputs.json'];
  const named = files.flatMap((file) => read(file).match(/decisions\/\d{4}[\w-]*\.md/g) ?? []);
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((name) => !existsSync(path.join(root, 'docs', name)))).toEqual([]);
});

test('files and folders of the code that pages name exist', () => {
  const path = /`((?:bench|bin|client|console|core|docs|lambdas|lib|local|ops|test)\/[\w./*-]+)`/g;
  const named = pages
    .filter((page) => !/CHANGELOG/.test(page))
    .flatMap((page) => [...read(page).matchAll(path)].map(([, file = '']) => file));
  expect(named.length).toBeGreaterThan(50);
  expect(named.filter((file) => globSync(file, { cwd: root }).length === 0)).toEqual([]);
});

test('where a program of ours may be missing, npx fetches no stranger of its name', () => {
  // As words, also in a JSON list. `npx dls` is only for the checkout, by its .npmrc.
  const wordsOf = (page: string) =>
    read(page)
      .replaceAll(/["'`,:[\]\s]+/g, ' ')
      .replaceAll(' args ', ' ');
  const places = [...pages, 'client/links-action.sh'];
  const calls = places.flatMap((place) => wordsOf(place).match(/\bnpx (-\S+ )*dynamic-links?\b\S*/g) ?? []);
  expect(calls.length).toBeGreaterThan(1);
  expect(calls.filter((call) => !call.startsWith('npx --no -- '))).toEqual([]);
});

test.each([
  ['Dub', /case matters here: `\/summer` no longer finds `Summer`/],
  ['Short.io', /case matters here/],
  ['Shlink', /case matters here/],
  ['YOURLS', /keywords of one or two characters/],
])('docs/migrate.md lists the codes of %s that are lost', (service, lost) => {
  const rows = read('docs/migrate.md').split('\n');
  const row = rows.find((line) => line.startsWith(`| ${service} `)) ?? '';
  expect(row.split('|').at(-2)).toMatch(lost);
});
