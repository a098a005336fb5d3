import { assemble } from '../dev/app.ts';
import { regions } from '../dev/flags.ts';
import { engineClient } from '../local/testing.ts';
import { serveCheckout, thisCheckout } from './checkout.ts';
import { createDemoLinks } from './links.ts';
import { visitAll } from './load.ts';
import { processorTimeOf, quiet } from './processor-time.ts';
import { type BenchOptions, type Measurement, median, type Section } from './report.ts';

const created = 300;
const visits = 2000;

/** A load's speed, and its processor time in milliseconds, with the work after the last response. */
interface Sample {
  readonly perSecond: number;
  readonly processor: number;
}

/** Visits and creations with one region and with two, and while the second one's table is gone. */
export const standby = async (assembly: string, { rounds }: BenchOptions): Promise<Section> => {
  const both = await assemble(regions);
  const stacks = {
    'one region': await serve(assembly),
    'two regions': await serve(both),
    'without the second table': await serve(both, { losesCopy: true }),
  };
  const samples: Record<string, Sample[]> = {};
  try {
    // Interleaved, so that a slow moment of the machine affects them all.
    for (let round = 0; round < rounds; round += 1)
      for (const [name, { redirects, creations }] of Object.entries(stacks))
        for (const [load, measure] of Object.entries({ redirects, creations })) {
          const key = `${load}, ${name}`;
          samples[key] = [...(samples[key] ?? []), await measure(round)];
        }
  } finally {
    await Promise.all(Object.values(stacks).map(({ stop }) => stop()));
  }
  return { title: 'A second region', measurements: measurementsOf(samples) };
};

const serve = async (assembly: string, { losesCopy = false } = {}) => {
  const { serving, data } = await serveCheckout(thisCheckout, assembly);
  const used = processorTimeOf(data) ?? (() => Number.NaN);
  const paths = (await createDemoLinks(serving, 1000)).map((code) => `/${code}`);
  await visitAll(serving.short, { paths, connections: 16, amount: 200 });
  if (losesCopy) {
    const client = engineClient(serving.tables);
    await client.call('DeleteTable', { TableName: serving.copy });
    client.close();
  }
  const measured = async (count: number, run: () => Promise<unknown>): Promise<Sample> => {
    await quiet(used);
    const [before, begun] = [used(), performance.now()];
    await run();
    const ms = performance.now() - begun;
    await quiet(used);
    return { perSecond: (count / ms) * 1000, processor: (used() - before) / count };
  };
  return {
    redirects: () =>
      measured(visits, () => visitAll(serving.short, { paths, connections: 16, amount: visits })),
    creations: (round: number) =>
      measured(created, () => createDemoLinks(serving, created, `round-${round}`)),
    stop: () => serving.stop(),
  };
};

const measurementsOf = (samples: Readonly<Record<string, readonly Sample[]>>): Measurement[] =>
  Object.entries(samples).flatMap(([name, taken]) => {
    const [load = ''] = name.split(', ');
    const base = samples[`${load}, one region`] ?? [];
    return (['perSecond', 'processor'] as const).flatMap((key) => {
      const of = key === 'perSecond' ? name : `${name}: processor time of one`;
      const ratios = taken.map((one, round) => one[key] / (base[round]?.[key] ?? Number.NaN));
      const measured = {
        name: of,
        value: median(taken.map((one) => one[key])),
        unit: key === 'perSecond' ? '/s' : 'ms',
      };
      return taken === base
        ? [measured]
        : [measured, { name: `${of}, against one region`, value: median(ratios), unit: '×' }];
    });
  });
