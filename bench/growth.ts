import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BatchWriteCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { newKey } from '../bin/admin/commands.ts';
import { localAccess, openTarget, type Target } from '../bin/admin/target.ts';
import { scopes } from '../core/api-key.ts';
import { figureNames } from '../core/store/figures.ts';
import { figuresKey, linkKey, listedLinkKey, segmentKey } from '../core/store/keys.ts';
import { openTable, tableClient } from '../core/store/sdk-table.ts';
import { startEngine } from '../local/dynamodb/engine.ts';
import { startStack } from '../local/stack.ts';
import { type MeteredEngine, startMeteredEngine } from './metered-engine.ts';
import { atMost, type Figure, median, type Section } from './report.ts';

const sizes = [100, 10_000, 100_000];
const clickCounts = [1, 1000, 1_000_000];
const repetitions = 9;

interface Sample {
  readonly ms: number;
  readonly units: number;
}

/** What an operation costs in a project of so many links, and on a link of so many clicks. */
export const growth = async (assembly: string): Promise<Section> => {
  const data = mkdtempSync(path.join(tmpdir(), 'growth-'));
  const engine = await startEngine({ engine: 'dynoxide', data });
  const meter = await startMeteredEngine(engine.endpoint);
  const stack = await startStack({
    assembly,
    apiPort: 0,
    shortPort: 0,
    engine: meter.endpoint as `http://${string}`,
    enforceIam: false,
    log: () => undefined,
  });
  try {
    const { ApiBaseUrl = '', ShortBaseUrl = '', TableName = '' } = stack.outputs;
    const access = localAccess(engine.endpoint);
    const target = openTarget(TableName, ShortBaseUrl, access);
    const client = tableClient(access);
    const table = openTable(client, TableName);
    const figures: Figure[] = [];
    const projects: Project[] = [];
    for (const size of sizes) {
      const started = performance.now();
      projects.push(await projectOf(size, target, { client, name: TableName }));
      const loaded = (performance.now() - started) / 1000;
      if (size === sizes.at(-1)) figures.push(atMost(`loading ${size} links`, loaded, 's', 120));
    }
    const addresses = { api: ApiBaseUrl, short: ShortBaseUrl };
    figures.push(...(await bySize(addresses, meter, projects)));
    figures.push(
      ...(await byClicks(addresses, meter, projects[0] as Project, async (code, clicks) => {
        await table.update({
          Key: figuresKey((projects[0] as Project).id, code),
          UpdateExpression: 'SET #n = :n',
          ExpressionAttributeNames: { '#n': figureNames.clicks },
          ExpressionAttributeValues: { ':n': clicks },
        });
      })),
    );
    return { title: 'Growth', figures };
  } finally {
    await stack.stop();
    await meter.stop();
    await engine.stop();
    rmSync(data, { recursive: true, force: true });
  }
};

interface Project {
  readonly id: string;
  readonly size: number;
  readonly apiKey: string;
  readonly codes: readonly string[];
}

const projectOf = async (size: number, { stores }: Target, table: TableAccess): Promise<Project> => {
  const id = `bench-${size}`;
  await stores.projects.create({
    id,
    name: id,
    subscription: 'active',
    createdAt: '2026-01-01T00:00:00.000Z',
  });
  const { apiKey, key } = newKey(id, 'bench', scopes);
  await stores.apiKeys.create(key);
  const codes = Array.from({ length: size }, (_, i) => `code-${i}`);
  await load(table, id, codes);
  return { id, size, apiKey, codes };
};

const linksPerSegment = 1000;
const batchSize = 25;

/** Writes links as an import would: the items of a creation, many at a time, in the segments that it would have made. */
const load = async (
  { client, name }: TableAccess,
  project: string,
  codes: readonly string[],
): Promise<void> => {
  const start = Date.parse('2026-01-01T00:00:00.000Z');
  const timeOf = (i: number) => new Date(start + i * 100).toISOString();
  const items = codes.flatMap((code, i) => {
    const segment = timeOf(i - (i % linksPerSegment));
    const createdAt = timeOf(i);
    const link = {
      id: code,
      project,
      code,
      segment,
      status: 'ACTIVE',
      payload: { link: 'https://example.com/landing', ios: { app_store_id: '123456789' } },
      createdAt,
      updatedAt: createdAt,
      createdBy: 'bench',
    };
    const count = { ...segmentKey(project, segment, 0), n: Math.min(linksPerSegment, codes.length - i) };
    return [
      { ...linkKey(project, code), ...link },
      listedLinkKey(project, segment, createdAt, code),
      ...(i % linksPerSegment === 0 ? [count] : []),
    ];
  });
  const batches = Array.from({ length: Math.ceil(items.length / batchSize) }, (_, i) =>
    items.slice(i * batchSize, (i + 1) * batchSize),
  ).values();
  const writer = async () => {
    for (const batch of batches) {
      const requests = batch.map((Item) => ({ PutRequest: { Item } }));
      await client.send(new BatchWriteCommand({ RequestItems: { [name]: requests } }));
    }
  };
  await Promise.all(Array.from({ length: 8 }, writer));
};

interface TableAccess {
  readonly client: DynamoDBDocumentClient;
  readonly name: string;
}

interface Client {
  readonly api: string;
  readonly short: string;
}

const bySize = async (
  client: Client,
  meter: MeteredEngine,
  projects: readonly Project[],
): Promise<Figure[]> => {
  const samples = new Map<string, Sample[]>();
  const measure = sampler(meter, samples);
  for (let round = 0; round < repetitions; round += 1) {
    for (const project of projects) {
      const code = project.codes[(round * 7919) % project.size] ?? '';
      const name = (operation: string) => `${operation}, ${project.size} links`;
      await measure(name('redirect'), () => visit(client, `/${project.id}/${code}`));
      await measure(name('get'), () => call(client, project, 'GET', `/links/${code}`));
      await measure(name('list page 1 of 100'), () => call(client, project, 'GET', '/links?pageSize=100'));
      const last = Math.max(1, Math.floor(project.size / 100));
      await measure(name('list last page of 100'), () =>
        call(client, project, 'GET', `/links?pageSize=100&page=${last}`),
      );
      await measure(name('create'), () =>
        call(client, project, 'POST', '/links', { payload: { link: 'https://example.com/' } }),
      );
    }
  }
  return [
    ...flat(
      samples,
      ['redirect', 'get', 'list page 1 of 100', 'create'],
      projects.map(({ size }) => `${size} links`),
    ),
    ...compare(samples, 'list last page of 100', 'list page 1 of 100', `${projects.at(-1)?.size} links`),
  ];
};

const byClicks = async (
  client: Client,
  meter: MeteredEngine,
  project: Project,
  setClicks: (code: string, clicks: number) => Promise<void>,
): Promise<Figure[]> => {
  const samples = new Map<string, Sample[]>();
  const measure = sampler(meter, samples);
  for (const [i, clicks] of clickCounts.entries()) await setClicks(project.codes[i] ?? '', clicks);
  for (let round = 0; round < repetitions; round += 1) {
    for (const [i, clicks] of clickCounts.entries()) {
      await measure(`get, ${clicks} clicks`, () =>
        call(client, project, 'GET', `/links/${project.codes[i]}`),
      );
    }
  }
  return flat(
    samples,
    ['get'],
    clickCounts.map((clicks) => `${clicks} clicks`),
  );
};

const sampler =
  (meter: MeteredEngine, samples: Map<string, Sample[]>) =>
  async (name: string, operation: () => Promise<unknown>): Promise<void> => {
    meter.take();
    const started = performance.now();
    await operation();
    const ms = performance.now() - started;
    const units = meter
      .take()
      .filter(({ caller }) => !caller.startsWith('Clicks'))
      .reduce((sum, { reads, writes }) => sum + reads + writes, 0);
    samples.set(name, [...(samples.get(name) ?? []), { ms, units }]);
  };

const middle = (samples: ReadonlyMap<string, Sample[]>, name: string, field: keyof Sample) =>
  median((samples.get(name) ?? []).map((sample) => sample[field]));

/** The largest size against the smallest: time and capacity stay within twice. */
const flat = (
  samples: ReadonlyMap<string, Sample[]>,
  operations: readonly string[],
  marks: readonly string[],
) =>
  operations.flatMap((operation) => {
    const [first, last] = [`${operation}, ${marks[0]}`, `${operation}, ${marks.at(-1)}`];
    return [
      { name: `${last}: time`, value: middle(samples, last, 'ms'), unit: 'ms' },
      atMost(
        `${last}: time over ${marks[0]}`,
        middle(samples, last, 'ms') / middle(samples, first, 'ms'),
        '×',
        2,
      ),
      atMost(
        `${last}: capacity over ${marks[0]}`,
        middle(samples, last, 'units') / middle(samples, first, 'units'),
        '×',
        2,
      ),
    ];
  });

const compare = (samples: ReadonlyMap<string, Sample[]>, one: string, other: string, mark: string) => {
  const [a, b] = [`${one}, ${mark}`, `${other}, ${mark}`];
  return [
    atMost(`${a}: time over page 1`, middle(samples, a, 'ms') / middle(samples, b, 'ms'), '×', 2),
    atMost(`${a}: capacity over page 1`, middle(samples, a, 'units') / middle(samples, b, 'units'), '×', 2),
  ];
};

const call = async ({ api }: Client, { apiKey }: Project, method: string, where: string, body?: object) => {
  const answer = await fetch(`${api}/1.0${where}`, {
    method,
    headers: { 'X-API-KEY': apiKey, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${where}: ${answer.status} ${await answer.text()}`);
  await answer.text();
};

const visit = async ({ short }: Client, where: string) => {
  const answer = await fetch(`${short}${where}`, {
    redirect: 'manual',
    headers: {
      'User-Agent':
        'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36',
    },
  });
  if (answer.status !== 302) throw new Error(`${where}: ${answer.status}`);
};
