import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { openStores } from '../../../core/stores.ts';
import type { Table } from '../../../core/table/table.ts';
import { createProject } from '../../../ops/projects/projects.ts';
import { exportLinks } from '../../../ops/transfer/export.ts';
import { importLinks } from '../../../ops/transfer/import.ts';
import { newFolder } from '../../support/folder.ts';
import { testAtNight } from '../../support/nightly.ts';
import { fileDeployment, writeFacts } from '../../support/ops-deployment.ts';

const root = path.join(import.meta.dirname, '../../..');
const rows = 800;

const deployment = fileDeployment();
const folder = newFolder();
beforeAll(async () => {
  writeFacts(folder, deployment);
  const lines = Array.from({ length: rows }, (_, i) =>
    JSON.stringify({
      code: `link-${i}`,
      payload: {
        link: `https://example.com/${i}`,
        ios: { saveApp: true, appName: `Shop ${i % 5}`, bundleId: 'com.shop' },
      },
      expiresAt: '2040-01-01T00:00:00Z',
      createdAt: new Date(Date.UTC(2024, i % 30, 1)).toISOString(),
    }),
  );
  writeFileSync(path.join(folder, 'links.ndjson'), lines.join('\n'));
});

const startImport = (file: string, project: string, ...more: string[]) => {
  const words = ['link', 'import', path.join(folder, file), '--project', project, '--data', folder, ...more];
  return spawn(process.execPath, ['ops/dls.js', ...words], { cwd: root });
};

/** Everything that an import writes into a project, except values that always differ. */
const contentOf = async (project: string) => {
  let text = '';
  await exportLinks(deployment, { project }, async (part) => {
    text += part;
  });
  const links = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ code, payload, apps, createdAt, expiresAt }) => {
      const { iosAppId, ...rest } = payload;
      return {
        code,
        rest,
        createdAt,
        expiresAt,
        apps: apps.map(({ name }: { name: string }) => name),
        iosAppId: typeof iosAppId,
      };
    });
  const apps = (await deployment.stores.apps.list(project)).map(({ name }) => name).sort();
  return { links, apps, counted: await deployment.stores.links.count(project) };
};

testAtNight(
  'an import that is killed and run again gives the same result as an uninterrupted one',
  async () => {
    for (const id of ['killed', 'whole']) await createProject(deployment, { id });
    const first = startImport('links.ndjson', 'killed');
    while ((await deployment.stores.links.count('killed')) === 0);
    first.kill('SIGKILL');
    expect(await once(first, 'exit')).toEqual([null, 'SIGKILL']);
    const before = await deployment.stores.links.count('killed');
    expect(before).toBeGreaterThan(0);
    expect(before).toBeLessThan(rows);

    for (const id of ['killed', 'whole']) {
      const again = startImport('links.ndjson', id);
      let printed = '';
      again.stdout.on('data', (chunk) => {
        printed += chunk;
      });
      expect(await once(again, 'close')).toEqual([0, null]);
      const unchanged = Number(/^unchanged +(\d+)$/m.exec(printed)?.[1]);
      // The engine may still finish a write of the killed import, so more can be there than were counted.
      if (id === 'killed') expect(unchanged).toBeGreaterThanOrEqual(before);
      else expect(unchanged).toBe(0);
    }
    const whole = await contentOf('whole');
    expect(whole.counted).toBe(rows);
    expect(whole.apps).toHaveLength(5);
    expect(await contentOf('killed')).toEqual(whole);
  },
);

test('Ctrl-C ends an import after the rows under way, and the next one goes on', async () => {
  await createProject(deployment, { id: 'stopped' });
  const lines = Array.from({ length: 4000 }, (_, i) =>
    JSON.stringify({ code: `link-${i}`, payload: { link: 'https://example.com/' } }),
  );
  writeFileSync(path.join(folder, 'many.ndjson'), lines.join('\n'));
  const report = path.join(folder, 'report.ndjson');
  const run = (...more: string[]) => startImport('many.ndjson', 'stopped', '--report', report, ...more);
  const first = run();
  let said = '';
  first.stderr.on('data', (chunk) => {
    said += chunk;
  });
  const ended = once(first, 'close');
  while ((await deployment.stores.links.count('stopped')) === 0);
  first.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  const created = Number(
    /^Stopped: created (\d+), unchanged 0, conflict 0, refused 0\. Run it again to continue\n$/m.exec(
      said,
    )?.[1],
  );
  expect(created).toBeGreaterThan(0);
  expect(created).toBeLessThan(lines.length);
  expect(await deployment.stores.links.count('stopped')).toBe(created);
  expect(readFileSync(report, 'utf8').trim().split('\n')).toHaveLength(created);

  const second = run('--json');
  let printed = '';
  second.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  expect(await once(second, 'close')).toEqual([0, null]);
  expect(JSON.parse(printed)).toMatchObject({ created: lines.length - created, unchanged: created });
});

test('wherever an import stops, no link exists without its app', async () => {
  const app = { id: 'shop-app', platform: 'IOS', name: 'Shop', bundleId: 'com.shop' };
  const file = path.join(folder, 'with-app.ndjson');
  const payload = { link: 'https://example.com/', iosAppId: app.id };
  const lines = Array.from({ length: 8 }, (_, i) =>
    JSON.stringify({ code: `app-${i}`, payload, apps: [app] }),
  );
  writeFileSync(file, lines.join('\n'));
  for (let lasts = 0; lasts < 8; lasts += 1) {
    const project = `stops-${lasts}`;
    await createProject(deployment, { id: project });
    const { table, ended } = failing(deployment.db.table, lasts);
    await runImport({ ...deployment, stores: openStores(table) }, { file, project }).catch(() => undefined);
    // Writes may be under way when another one fails.
    await ended();
    const apps = await deployment.stores.apps.list(project);
    const links = await deployment.stores.links.count(project);
    if (links > 0) expect([lasts, apps.map(({ id }) => id)]).toEqual([lasts, ['shop-app']]);
    const again = await runImport(deployment, { file, project });
    expect(again.filter((result) => result === 'unchanged')).toHaveLength(links);
    expect(again.filter((result) => result === 'created')).toHaveLength(8 - links);
  }
});

const runImport = async (
  on: typeof deployment,
  request: { readonly file: string; readonly project: string },
) => {
  const results: string[] = [];
  let ids = 0;
  const newId = () => `${request.project}-${ids++}`;
  for await (const { result } of importLinks(on, { ...request, newId })) results.push(result);
  return results;
};

/** A table that fails after this many writes. */
const failing = (table: Table, lasts: number) => {
  let writes = 0;
  const begun: Promise<unknown>[] = [];
  const limited =
    <Input, Output>(write: (input: Input) => Promise<Output>) =>
    async (input: Input) => {
      writes += 1;
      if (writes > lasts) throw new Error('The network is down');
      const writing = write(input);
      begun.push(writing);
      return writing;
    };
  const limitedTable: Table = {
    ...table,
    update: limited(table.update.bind(table)),
    put: limited(table.put.bind(table)),
    transact: limited(table.transact.bind(table)),
  };
  return { table: limitedTable, ended: () => Promise.allSettled(begun) };
};
