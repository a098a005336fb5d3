import path from 'node:path';
import { readParquetRows } from '../../local/testing/parquet-rows.ts';
import { unique } from '../support/builders.ts';
import { contextFlags, eventually, tenantsContext } from '../support/local-stack.ts';
import { withoutRepeats } from '../support/parquet-rows.ts';
import { ownStack } from '../support/stack-fixtures.ts';
import { userAgents } from '../support/user-agents.ts';

// On disk: without a data folder no file is written.
const stack = ownStack(...contextFlags(tenantsContext));

test('with export=on each click is one row of a Parquet file, and there are no other rows', async () => {
  const code = unique('code');
  const payload = { link: 'https://example.com/landing' };
  expect((await stack.api('POST', '/links', { body: { code, payload } })).status).toBe(201);
  const before = Math.floor(Date.now() / 1000) * 1000;
  await stack.visit(`/${code}`, { 'User-Agent': userAgents.iphone, 'x-sim-viewer-country': 'FR' });
  await stack.visit(`/${code}`, { 'User-Agent': 'curl/8.5.0' });
  await stack.visit(`/${code}?qr`, { 'User-Agent': userAgents.android, referer: 'https://news.example/a' });
  await stack.visit(`/${code}?qr`, { 'User-Agent': userAgents.android, referer: 'https://news.example/a' });
  const rows = await eventually(
    async () => withoutRepeats(await readParquetRows(path.join(stack.data, 'export/clicks'))),
    ({ length }) => length >= 3,
  );
  const shown = rows.map((row) => [row.platform, row.country, row.referrer, row.trigger, row.is_unique]);
  expect(shown.sort()).toEqual([
    ['android', 'other', 'news.example', 'qr', false],
    ['android', 'other', 'news.example', 'qr', true],
    ['ios', 'FR', 'direct', 'link', true],
  ]);
  for (const row of rows) {
    expect(row).toMatchObject({ project: 'demo', code, clicks: 1, day: row.day });
    expect(Number(row.clicked_at)).toBeGreaterThanOrEqual(before);
    expect(Number(row.clicked_at)).toBeLessThanOrEqual(Date.now());
  }
  const text = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
  expect(text).not.toMatch(/127\.0\.0\.1|Mozilla/);
});
