import { readFileSync } from 'node:fs';
import path from 'node:path';
import { createProject } from '../../../ops/projects/projects.ts';
import { countRow, noRows } from '../../../ops/transfer/import.ts';
import { unique } from '../../support/builders.ts';
import { importText } from '../../support/imports.ts';
import { fileDeployment, searchLinks } from '../../support/ops-deployment.ts';

const deployment = fileDeployment();
const corpus = path.join(import.meta.dirname, '../../corpus/cells.tsv');
const cases = readFileSync(corpus, 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'))
  .flatMap((line) => {
    const [columns = '', cell = '', becomes = '', source = ''] = line.split('\t');
    const text = cell.replaceAll(/\\u([\da-f]{4})/g, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    );
    return columns.split(', ').map((column) => ({ column, cell: text, becomes, source }));
  });

test('each case of the corpus names its source', () => {
  expect(cases.filter(({ source }) => source === '')).toEqual([]);
  expect(new Set(cases.map(({ column, cell }) => `${column}\t${cell}`)).size).toBe(cases.length);
});

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;

/** A file of another service, with a row for each cell of a column; `words` are before and after it. */
const fileOf = (column: string, cells: readonly string[]) => {
  const isDestination = column === 'url';
  const row = (cell: string, i: number) =>
    isDestination ? [`case-${i}`, cell] : [`case-${i}`, 'https://example.com/', cell];
  const header = isDestination ? ['slug', 'url'] : ['slug', 'url', column];
  return [header, ...cells.map(row)].map((one) => one.map(quoted).join()).join('\n');
};

test.each([...Map.groupBy(cases, ({ column }) => column)])('cells of %s', async (column, some) => {
  const project = unique('cells');
  await createProject(deployment, { id: project });
  const text = fileOf(
    column,
    some.map(({ cell }) => cell),
  );
  const rows = await importText(deployment, { project, name: 'links.csv', text });
  const links = new Map(
    (await searchLinks(deployment, project, { limit: 1000 })).map((link) => [link.code, link]),
  );
  const found = rows.map((row, i) => {
    const totals = noRows(true);
    countRow(totals, row);
    const link = links.get(row.code);
    const { becomes = '', cell } = some[i] ?? {};
    if (row.result === 'refused') return [cell, becomes.startsWith('refused') ? row.reason : 'refused'];
    if (totals.limits) return [cell, 'limit'];
    if (row.lost.length > 0) return [cell, 'lost'];
    if (!becomes.startsWith('=')) {
      const isPlain =
        link && !link.name && !link.tags && !link.expiresAt && Object.keys(link.payload).length === 1;
      return [cell, becomes === 'nothing' && !isPlain ? JSON.stringify(link) : becomes];
    }
    const ends = becomes === '= EXPIRED' ? link?.status : link?.expiresAt;
    const { campaign, link: destination } = link?.payload ?? {};
    const own = link?.name ?? link?.tags ?? ends ?? campaign?.utm_medium ?? destination;
    return [cell, `= ${[own].flat().join(' ')}`];
  });
  const expected = some.map(({ cell, becomes }) => [
    cell,
    becomes.startsWith('refused')
      ? expect.stringMatching(new RegExp(`^${becomes.slice('refused '.length)}`))
      : becomes,
  ]);
  expect(found).toEqual(expected);
});
