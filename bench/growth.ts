import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { scopes } from '../core/api-keys/api-key.ts';
import { figureNames } from '../core/figures/figures.ts';
import { figuresKey } from '../core/table/figure-keys.ts';
import { forOperators } from '../core/table/patience.ts';
import { openTable } from '../core/table/whole-table.ts';
import { startStack } from '../local/stack.ts';
import { startEngine } from '../local/testing.ts';
import { type Deployment, openDeployment } from '../ops/deployment/deployment.ts';
import { sdkTransport } from '../ops/deployment/sdk-client.ts';
import { localServices } from '../ops/deployment/service-access.ts';
import { newKey } from '../ops/projects/keys.ts';
import { loadLinks } from '../test/support/bulk-load.ts';
import type { TableAccess } from '../test/support/fill-table.ts';
import { type MeteredEngine, startMeteredEngine } from '../test/support/metered-engine.ts';
import { apiClient, type ServedAddresses, visit } from './client.ts';
import { atMost, type Figure, median, type Section } from './report.ts';

const sizes = [100, 10_000, 100_000];
const clickCounts = [1, 1000, 1_000_000];
const repetitions = 9;

interface Sample {
  readonly ms: number;
  readonly units: number;
}

/** The cost of operations in a project of this many links, and on a link of this many clicks. */
export const growth = async (assembly: string): Promise<Section> => {
  const data = mkdtempSync(path.join(tmpdir(), 'growth-'));
  const engine = await startEngine({ engine: 'sqlite', data });
  const meter = await startMeteredEngine(engine.endpoint);
  const stack = await startStack({
    assembly,
    apiPort: 0,
    distributionPort: 0,
    engine: meter.endpoint as `http://${string}`,
    enforceIam: false,
    log: () => undefined,
  });
  try {
    const { ApiBaseUrl = '', ShortBaseUrl = '', TableName = '' } = stack.outputs;
    const target = openDeployment(stack.outputs, localServices({ dynamodb: engine.endpoint }));
    const table = openTable(sdkTransport(target.access), { name: TableName, patience: forOperators });
    const figures: Figure[] = [];
    const projects: Project[] = [];
    for (const size of sizes) {
      const started = performance.now();
      projects.push(await projectOf(size, target, { endpoint: engine.endpoint, name: TableName }));
      const loaded = (performance.now() - started) / 1000;
      if (size === sizes.at(-1)) figures.push(atMost(`loading ${size} links`, loaded, 's', 120));
    }
    const addresses = { api: ApiBaseUrl, short: ShortBaseUrl };
    figures.push(...(await bySize(addresses, meter, projects)));
    figures.push(
      ...(await byClicks(addresses, meter, projects[0] as Project, async (code, clicks) => {
        await table.update({
          Key: figuresKey({ project: (projects[0] as Project).id, code }),
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

const projectOf = async (size: number, { stores }: Deployment, table: TableAccess): Promise<Project> => {
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
  await loadLinks(table, id, codes);
  return { id, size, apiKey, codes };
};

const bySize = async (
  addresses: ServedAddresses,
  meter: MeteredEngine,
  projects: readonly Project[],
): Promise<Figure[]> => {
  const samples = new Map<string, Sample[]>();
  const measure = sampler(meter, samples);
  for (let round = 0; round < repetitions; round += 1) {
    for (const project of projects) {
      const call = apiClient(addresses, project.apiKey);
      const code = project.codes[(round * 7919) % project.size] ?? '';
      const name = (operation: string) => `${operation}, ${project.size} links`;
      await measure(name('redirect'), () => visit(addresses, `/${project.id}/${code}`));
      await measure(name('get'), () => call('GET', `/links/${code}`));
      await measure(name('list page 1 of 100'), () => call('GET', '/links?pageSize=100'));
      const last = Math.max(1, Math.floor(project.size / 100));
      await measure(name('list last page of 100'), () => call('GET', `/links?pageSize=100&page=${last}`));
      await measure(name('create'), () =>
        call('POST', '/links', { payload: { link: 'https://example.com/' } }),
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
  addresses: ServedAddresses,
  meter: MeteredEngine,
  project: Project,
  setClicks: (code: string, clicks: number) => Promise<void>,
): Promise<Figure[]> => {
  const samples = new Map<string, Sample[]>();
  const measure = sampler(meter, samples);
  const call = apiClient(addresses, project.apiKey);
  for (const [i, clicks] of clickCounts.entries()) await setClicks(project.codes[i] ?? '', clicks);
  for (let round = 0; round < repetitions; round += 1) {
    for (const [i, clicks] of clickCounts.entries()) {
      await measure(`get, ${clicks} clicks`, () => call('GET', `/links/${project.codes[i]}`));
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

/** Compares the largest size with the smallest: time and capacity may at most double. */
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
