import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Checkout, elsewhere, serveCheckout, thisCheckout } from './checkout.ts';
import { createDemoLinks } from './links.ts';
import { visitEach } from './load.ts';
import { processesOf, processorTimeOf, quiet } from './processor-time.ts';
import type { BenchOptions, Measurement, Section } from './report.ts';

const visits = 100_000;

/** A stack's start time, memory and disk space. */
export const footprint = async (assembly: string, { against }: BenchOptions): Promise<Section> => {
  const here = await measured(await serveCheckout(thisCheckout, assembly));
  const there = against === undefined ? [] : await measured(await serveCheckout(path.resolve(against)));
  const others = there.map(({ name, ...measurement }) => ({ name: `${name}${elsewhere}`, ...measurement }));
  return { title: 'Start, memory and folder of a stack', measurements: [...here, ...others] };
};

const measured = async ({ serving, data, startedIn }: Checkout): Promise<Measurement[]> => {
  const folder = () => ({ value: bytesIn(data) / 2 ** 20, unit: 'MiB' });
  const memory = (name: string) =>
    process.platform === 'linux' ? [{ name, value: residentBytes(data) / 2 ** 20, unit: 'MiB' }] : [];
  try {
    const paths = (await createDemoLinks(serving, 1000)).map((code) => `/${code}`);
    const measurements = [
      { name: 'a start', value: startedIn, unit: 'ms' },
      ...memory('memory with 1,000 links'),
      { name: 'folder with 1,000 links', ...folder() },
    ];
    await visitEach(serving.short, { paths, connections: 16, visits, visitors: 10_000 });
    const used = processorTimeOf(data);
    if (used) await quiet(used);
    return [
      ...measurements,
      ...memory('memory after 100,000 visits'),
      { name: 'folder after 100,000 visits', ...folder() },
    ];
  } finally {
    await serving.stop();
  }
};

/** Resident memory of the stack and its engine, as Linux counts it. */
const residentBytes = (data: string): number =>
  processesOf(data).reduce((sum, pid) => {
    const [, kilobytes] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return sum + Number(kilobytes) * 1024;
  }, 0);

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce(
    (sum, name) => sum + lstatSync(path.join(folder, name)).size,
    0,
  );
