import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { type EngineAlone, startEngineAlone } from './engine-alone.ts';
import { createLinks } from './links.ts';
import { type Answered, visitAll } from './load.ts';
import { atLeast, atMost, type Figure, median, type Section } from './report.ts';
import { type Serving, serve } from './serving.ts';
import { figuresOf as clicksOf } from './table-counts.ts';

const seconds = 4;
const rounds = 3;

type Rate = Pick<Answered, 'perSecond' | 'p99'>;

/** Counted redirects per second, compared with a bare server and with a redirect's table calls alone. */
export const redirects = async (assembly: string): Promise<Section> => {
  const serving = await serve(assembly);
  const codes = await createLinks(serving, 1000);
  const alone = await startEngineAlone(serving, codes);
  const bare = await startBareServer();
  try {
    return { title: 'Counted redirects', figures: figuresOf(await sample(serving, codes, alone, bare.base)) };
  } finally {
    await Promise.all([serving.stop(), alone.stop(), bare.stop()]);
  }
};

/** Interleaved, so that a slow moment of the machine affects them all. */
const sample = async (serving: Serving, codes: readonly string[], alone: EngineAlone, bare: string) => {
  const { short } = serving;
  const many = codes.map((code) => `/${code}`);
  const one = many.slice(0, 1);
  const runs: Readonly<Record<string, () => Promise<Rate>>> = {
    'one link, 16 connections': () => visitAll(short, { paths: one, connections: 16, seconds }),
    'one link, 64 connections': () => visitAll(short, { paths: one, connections: 64, seconds }),
    '1,000 links, 16 connections': () => visitAll(short, { paths: many, connections: 16, seconds }),
    '1,000 links, 64 connections': () => visitAll(short, { paths: many, connections: 64, seconds }),
    'bare Node 302 server, 16 connections': () =>
      visitAll(bare, { paths: many, connections: 16, seconds: 2 }),
    'read and click alone, 16 at once': () => alone.run({ connections: 16, seconds, figures: false }),
    'read, click and figures alone, 16 at once': () => alone.run({ connections: 16, seconds, figures: true }),
  };
  // Compiles the code that the measured runs share.
  await visitAll(short, { paths: many, connections: 16, seconds });
  await settle(serving, codes);
  const samples = new Map<string, Rate[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(runs)) {
      samples.set(name, [...(samples.get(name) ?? []), await run()]);
      await settle(serving, codes);
    }
  }
  return samples;
};

/** Resolves when the figures have caught up, so that one load doesn't disturb the next measurement. */
const settle = async (serving: Serving, codes: readonly string[]): Promise<void> => {
  let last = -1;
  for (let now = 0; now !== last; await delay(1000)) {
    last = now;
    now = (await clicksOf(serving, codes)).clicks;
  }
};

const figuresOf = (samples: ReadonlyMap<string, readonly Rate[]>): Figure[] => {
  const rateOf = (name: string) => median((samples.get(name) ?? []).map(({ perSecond }) => perSecond));
  const figures = [...samples].flatMap(([name, rates]): Figure[] => {
    const isOurs = name.includes('link');
    const p99 = median(rates.map((one) => one.p99));
    return [
      isOurs ? atLeast(name, rateOf(name), '/s', 1200) : { name, value: rateOf(name), unit: '/s' },
      ...(isOurs && name.includes('16') ? [atMost(`${name}: p99`, p99, 'ms', 30)] : []),
    ];
  });
  const over = (name: string, ceiling: string): Figure => ({
    name: `${name} over ${ceiling} alone`,
    value: rateOf(`${name}, 16 connections`) / rateOf(`${ceiling} alone, 16 at once`),
    unit: '×',
  });
  return [...figures, over('one link', 'read and click'), over('1,000 links', 'read, click and figures')];
};

const startBareServer = async () => {
  const worker = new Worker(path.join(import.meta.dirname, 'bare-server.ts'));
  const [base] = (await once(worker, 'message')) as [string];
  return { base, stop: () => worker.terminate() };
};
