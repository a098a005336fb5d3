import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type Checkout, elsewhere, serveCheckout, thisCheckout } from './checkout.ts';
import { createDemoLinks } from './links.ts';
import { type Load, visitAll } from './load.ts';
import { type ProcessorTime, processorTimeOf, quiet } from './processor-time.ts';
import { type BenchOptions, type Measurement, median, type Section } from './report.ts';

const seconds = 4;
const warmUpVisits = 200;

interface Sample {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
  /** Milliseconds of processor time per visit: of the stack with its engine, and of the load generator. */
  readonly processor?: number;
  readonly generator?: number;
}

type Run = () => Promise<Sample>;

/**
 * Counted redirects per second, with roles checked, and the processor time of one; compared with a bare server, which
 * shows the machine's speed, and with the stack of another checkout if given.
 */
export const redirects = async (assembly: string, { against, rounds }: BenchOptions): Promise<Section> => {
  const here = await start(thisCheckout, assembly);
  const there = against === undefined ? undefined : await start(path.resolve(against));
  const bare = await startBareServer();
  try {
    const runs = new Map<string, Run>();
    for (const [name, load] of loadsOf(here.codes)) {
      runs.set(name, () => visit(here, load));
      if (there) runs.set(`${name}${elsewhere}`, () => visit(there, load));
    }
    runs.set('bare Node 302 server, 16 connections', () =>
      visitAll(bare.base, { paths: ['/'], connections: 16, seconds: 2 }),
    );
    return { title: 'Counted redirects', measurements: measurementsOf(await sample(runs, rounds)) };
  } finally {
    await Promise.all([here.serving.stop(), there?.serving.stop(), bare.stop()]);
  }
};

interface Visited extends Checkout {
  readonly codes: readonly string[];
  readonly used: ProcessorTime | undefined;
}

const start = async (folder: string, assembly?: string): Promise<Visited> => {
  const checkout = await serveCheckout(folder, assembly);
  const codes = await createDemoLinks(checkout.serving, 1000);
  const visited = { ...checkout, codes, used: processorTimeOf(checkout.data) };
  await visit(visited, { paths: codes.map((code) => `/${code}`), connections: 16, amount: warmUpVisits });
  return visited;
};

const loadsOf = (codes: readonly string[]): Map<string, Load> => {
  const evenly = codes.map((code) => `/${code}`);
  const kinds = {
    'one link': evenly.slice(0, 1),
    '1,000 links evenly': evenly,
    "1,000 links by Zipf's law": byZipf(evenly),
  };
  return new Map(
    Object.entries(kinds).flatMap(([name, paths]) =>
      [16, 64].map((connections): [string, Load] => [
        `${name}, ${connections} connections`,
        { paths, connections, seconds },
      ]),
    ),
  );
};

/** Visits of links as people make them: the second link gets half as many as the first, the third a third. */
const byZipf = (paths: readonly string[]): string[] => {
  const shares = paths.map((_, rank) => 1 / (rank + 1));
  const whole = shares.reduce((sum, share) => sum + share, 0);
  const visits = paths.flatMap((one, rank) =>
    Array.from({ length: Math.max(1, Math.round(((shares[rank] ?? 0) / whole) * 4096)) }, () => one),
  );
  // Mixed, and the same in every run: steps of a size that shares no divisor with the length.
  const step = [1009, 1013].find((prime) => visits.length % prime !== 0) ?? 1;
  return visits.map((_, i) => visits[(i * step) % visits.length] ?? '');
};

/** Measures visits, with the work after the last response: a visit's cost includes its analytics and events. */
const visit = async ({ serving, used }: Visited, load: Load): Promise<Sample> => {
  const before = used?.() ?? 0;
  const own = process.cpuUsage();
  const { perSecond, p99, total } = await visitAll(serving.short, load);
  const { user, system } = process.cpuUsage(own);
  if (!used) {
    await delay(3000);
    return { perSecond, p99 };
  }
  await quiet(used);
  return {
    perSecond,
    p99,
    processor: (used() - before) / total,
    generator: (user + system) / 1000 / total,
  };
};

/** Interleaved, so that a slow moment of the machine affects them all. */
const sample = async (runs: ReadonlyMap<string, Run>, rounds: number) => {
  const samples = new Map<string, Sample[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of runs) samples.set(name, [...(samples.get(name) ?? []), await run()]);
  }
  return samples;
};

const measures = {
  perSecond: { name: '', unit: '/s' },
  p99: { name: ': p99', unit: 'ms' },
  processor: { name: ': processor time of a visit', unit: 'ms' },
  generator: { name: ": the load generator's own", unit: 'ms' },
} as const;

const measurementsOf = (samples: ReadonlyMap<string, readonly Sample[]>): Measurement[] =>
  [...samples].flatMap(([name, taken]) => {
    const other = samples.get(`${name}${elsewhere}`);
    return Object.entries(measures).flatMap(([key, measure]): Measurement[] => {
      const values = valuesOf(taken, key as keyof Sample);
      if (values.length === 0) return [];
      const ratios = valuesOf(other ?? [], key as keyof Sample).map((value, i) => (values[i] ?? 0) / value);
      const measurement = { name: name + measure.name, value: median(values), unit: measure.unit };
      if (ratios.length === 0) return [measurement];
      return [
        measurement,
        { name: `${name}${measure.name}, against the other`, value: median(ratios), unit: '×' },
      ];
    });
  });

const valuesOf = (samples: readonly Sample[], key: keyof Sample): number[] =>
  samples.flatMap((one) => one[key] ?? []);

const startBareServer = async () => {
  const worker = new Worker(path.join(import.meta.dirname, 'bare-server.ts'));
  const [base] = (await once(worker, 'message')) as [string];
  return { base, stop: () => worker.terminate() };
};
