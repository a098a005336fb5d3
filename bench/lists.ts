import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { scopes } from '../core/api-keys/api-key.ts';
import { newKey } from '../ops/projects/keys.ts';
import { importLinks } from '../ops/transfer/import.ts';
import { loadLinks } from '../test/support/bulk-load.ts';
import { atMost, type Figure, median, type Section } from './report.ts';
import { type Serving, serveStack } from './serving.ts';

const size = 100_000;
const repetitions = 15;
/** Of each import; the rows of the three are as many as one of all links would have. */
const rows = 15_000;

/** The list of a large project by pages and by filters, and what tags add to an import. */
export const lists = async (assembly: string): Promise<Section> => {
  const serving = await serveStack(assembly);
  try {
    const apiKey = await newProject(serving, 'large');
    const codes = Array.from({ length: size }, (_, i) => `code-${i}`);
    const table = { endpoint: serving.endpoint, name: serving.tableName };
    // Ten links of a tag lie in the oldest tenth of the list, where a walk by all links would come last.
    const tagsOf = (i: number) => ['every', ...(i < size / 10 && i % 1000 === 500 ? ['ten'] : [])];
    await loadLinks(table, 'large', codes, tagsOf);
    const figures = await walks(serving, apiKey);
    return { title: `Lists of ${size} links`, figures: [...figures, ...(await imports(serving))] };
  } finally {
    await serving.stop();
  }
};

const newProject = async ({ target: { stores } }: Serving, id: string): Promise<string> => {
  const createdAt = '2026-01-01T00:00:00.000Z';
  await stores.projects.create({ id, name: id, subscription: 'active', createdAt });
  const { apiKey, key } = newKey(id, 'bench', scopes);
  await stores.apiKeys.create(key);
  return apiKey;
};

interface Page {
  readonly data: readonly unknown[];
  readonly pagination: { readonly nextCursor?: string | null };
}

const walks = async ({ api }: Serving, apiKey: string): Promise<Figure[]> => {
  const ask = async (query: string): Promise<Page> => {
    const answer = await fetch(`${api}/1.0/links?${query}`, { headers: { 'X-API-KEY': apiKey } });
    if (!answer.ok) throw new Error(`${query}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Page;
  };
  /** Calls until the first link; their number and time. */
  const first = async (query: string) => {
    const started = performance.now();
    let [calls, cursor] = [0, ''];
    for (;;) {
      const { data, pagination } = await ask(`${query}&cursor=${cursor}`);
      calls += 1;
      if (data.length > 0 || !pagination.nextCursor) return { calls, ms: performance.now() - started };
      cursor = pagination.nextCursor;
    }
  };
  const queries = {
    'a plain page': 'page=1',
    'the first page of a walk': 'cursor=',
    'a tag of ten links': 'tag=ten',
    'a tag of every link': 'tag=every',
    'both tags': 'tag=every,ten',
    'a second of the first hour': 'createdAfter=2026-01-01T00:30:00Z&createdBefore=2026-01-01T00:30:01Z',
    'a text of no link': 'search=nowhere',
  };
  const samples = new Map<string, number[]>();
  for (let round = 0; round < repetitions; round += 1) {
    for (const [name, query] of Object.entries(queries)) {
      const started = performance.now();
      await ask(query);
      samples.set(name, [...(samples.get(name) ?? []), performance.now() - started]);
    }
  }
  const ms = (name: keyof typeof queries) => median(samples.get(name) ?? []);
  const found = await first(queries['a tag of ten links']);
  const searched = await first(queries['a text of no link']);
  return [
    ...Object.keys(queries).map((name) => ({ name, value: ms(name as keyof typeof queries), unit: 'ms' })),
    atMost('calls to the first link of a tag of ten', found.calls, '', 3),
    atMost('a tag of ten links over a plain page', ms('a tag of ten links') / ms('a plain page'), '×', 3),
    { name: 'calls to look for a text in every link', value: searched.calls, unit: '' },
    { name: 'links looked at in a second', value: (size / searched.ms) * 1000, unit: '' },
  ];
};

/** Imports of links without tags, with one and with ten, in turn. */
const imports = async (serving: Serving): Promise<Figure[]> => {
  const folder = mkdtempSync(path.join(tmpdir(), 'lists-'));
  const times = new Map<number, number>();
  const parts = 3;
  try {
    for (let part = 0; part < parts; part += 1) {
      for (const tags of [0, 1, 10]) {
        const project = `import-${tags}-${part}`;
        await newProject(serving, project);
        const file = path.join(folder, `${project}.ndjson`);
        writeFileSync(file, rowsWith(tags, rows / parts));
        const started = performance.now();
        let created = 0;
        const request = { project, file, newId: () => crypto.randomUUID() };
        for await (const { result } of importLinks(serving.target, request))
          created += result === 'created' ? 1 : 0;
        if (created !== rows / parts) throw new Error(`${created} rows of ${file} were created`);
        times.set(tags, (times.get(tags) ?? 0) + performance.now() - started);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
  const ms = (tags: number) => (times.get(tags) ?? 0) / rows;
  return [
    { name: 'importing a row', value: ms(0), unit: 'ms' },
    atMost('with one tag, over none', ms(1) / ms(0), '×', 1.3),
    atMost('with ten tags, over none', ms(10) / ms(0), '×', 2.5),
  ];
};

const rowsWith = (tags: number, count: number): string =>
  Array.from({ length: count }, (_, i) =>
    JSON.stringify({
      code: `row-${i}`,
      name: `Row ${i}`,
      tags: Array.from({ length: tags }, (_, tag) => `tag-${tag}`),
      payload: { link: `https://example.com/landing/${i}`, ios: { app_store_id: '123456789' } },
    }),
  ).join('\n');
