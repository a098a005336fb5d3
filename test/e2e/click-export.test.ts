import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readParquetRows } from '../../local/testing/parquet-rows.ts';
import { userAgents } from '../../ops/base/user-agents.ts';
import { unique } from '../support/builders.ts';
import { eventually } from '../support/local-stack.ts';
import { withoutRepeats } from '../support/parquet-rows.ts';
import { extendedStack, projectOn } from '../support/stack-fixtures.ts';

const stack = extendedStack();
const own = projectOn(stack);

test('with export=on each click is one row of a Parquet file, and there are no other rows', async () => {
  const code = unique('code');
  const payload = { link: 'https://example.com/landing' };
  expect((await own.call('POST', '/links', { code, payload })).status).toBe(201);
  const before = Math.floor(Date.now() / 1000) * 1000;
  await stack.visit(`/${own.id}/${code}`, { 'User-Agent': userAgents.iphone, 'x-sim-viewer-country': 'FR' });
  await stack.visit(`/${own.id}/${code}`, { 'User-Agent': 'curl/8.5.0' });
  await stack.visit(`/${own.id}/${code}?qr`, {
    'User-Agent': userAgents.android,
    referer: 'https://news.example/a',
  });
  await stack.visit(`/${own.id}/${code}?qr`, {
    'User-Agent': userAgents.android,
    referer: 'https://news.example/a',
  });
  const rows = await eventually(
    async () => {
      const exported = await readParquetRows(path.join(stack.data, 'export/clicks'));
      return withoutRepeats(exported).filter(({ project }) => project === own.id);
    },
    ({ length }) => length >= 3,
  );
  const shown = rows.map((row) => [row.platform, row.country, row.referrer, row.trigger, row.is_unique]);
  expect(shown.sort()).toEqual([
    ['android', 'other', 'news.example', 'qr', false],
    ['android', 'other', 'news.example', 'qr', true],
    ['ios', 'FR', 'direct', 'link', true],
  ]);
  for (const row of rows) {
    expect(row).toMatchObject({ project: own.id, code, clicks: 1, day: row.day });
    expect(Number(row.clicked_at)).toBeGreaterThanOrEqual(before);
    expect(Number(row.clicked_at)).toBeLessThanOrEqual(Date.now());
  }
  const text = JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? Number(value) : value));
  expect(text).not.toMatch(/127\.0\.0\.1|Mozilla/);
});

test('events go to a bus that the deployment names, and to no other', async () => {
  const admin = (verb: string, ...args: string[]) =>
    stack.admin('webhook', verb, ...args, '--project', own.id);
  const webhook = await admin('create', 'eventbridge:orders');
  expect(webhook).not.toHaveProperty('secret');
  await expect(admin('create', 'eventbridge:others')).rejects.toThrow("doesn't name the bus 'others'");
  await expect(admin('rotate', webhook.id)).rejects.toThrow('has no secret');
  const code = unique('code');
  await own.call('POST', '/links', { code, payload: { link: 'https://example.com/' } });
  const lines = () => {
    try {
      return readFileSync(path.join(stack.data, 'events/orders.ndjson'), 'utf8').trim().split('\n');
    } catch {
      return [];
    }
  };
  const [line = ''] = await eventually(
    async () => lines(),
    ({ length }) => length > 0,
  );
  const entry = JSON.parse(line);
  expect(entry).toMatchObject({
    Source: 'dynamic-links',
    DetailType: 'link.created',
    EventBusName: 'orders',
  });
  expect(JSON.parse(entry.Detail)).toMatchObject({
    id: expect.stringMatching(/^evt_/),
    type: 'link.created',
    timestamp: expect.any(String),
    data: { project: own.id, link: { code } },
  });
  expect(await admin('test', webhook.id)).toMatchObject({ status: 200 });
});
