import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { assemble } from '../dev/app.ts';
import { errorText } from '../ops/base/error-text.ts';
import { analyticsLatency } from './analytics.ts';
import { measureCapacity } from './capacity.ts';
import { coldStart } from './cold-start.ts';
import { footprint } from './footprint.ts';
import { redirects } from './redirects.ts';
import { type BenchOptions, type Section, table } from './report.ts';
import { standby } from './standby.ts';

const capacity = async (assembly: string): Promise<Section> => ({
  title: 'Capacity and sequential table calls of each operation',
  measurements: Object.entries(await measureCapacity(assembly)).flatMap(
    ([name, { reads, writes, trips }]) => [
      { name: `${name}: reads`, value: reads, unit: 'RCU' },
      { name: `${name}: writes`, value: writes, unit: 'WCU' },
      { name: `${name}: sequential calls`, value: trips, unit: '' },
    ],
  ),
});

type Benchmark = (assembly: string, options: BenchOptions) => Promise<Section>;

/** Benchmarks that compare with another checkout. */
const comparing = ['redirects', 'footprint'];

const benchmarks: Readonly<Record<string, Benchmark>> = {
  redirects,
  'cold-start': coldStart,
  capacity,
  analytics: analyticsLatency,
  footprint,
  standby,
};

const results = path.join(import.meta.dirname, 'results.json');

const usage = `Usage: npm run bench -- [NAME …] [--rounds N] [--against DIR]

Runs all of these, or those named:
  ${Object.keys(benchmarks).join('\n  ')}

  --rounds N     how often 'redirects' and 'standby' measure each load
                 (default: 3)
  --against DIR  another checkout for 'redirects' and 'footprint'`;

const refuse = (why: string): never => {
  console.error(`${why}\n\n${usage}`);
  process.exit(2);
};

const asked = () => {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        against: { type: 'string' },
        rounds: { type: 'string', default: '3' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    return refuse(errorText(error));
  }
};

const main = async (): Promise<void> => {
  const { values, positionals: chosen } = asked();
  if (values.help) return console.log(usage);
  const options = { against: values.against, rounds: Number(values.rounds) };
  if (!(options.rounds >= 1)) refuse(`--rounds takes a number, not '${values.rounds}'`);
  const unknown = chosen.find((name) => !Object.hasOwn(benchmarks, name));
  if (unknown !== undefined) refuse(`There is no benchmark '${unknown}'`);
  const parts = chosen.length > 0 ? chosen : Object.keys(benchmarks);
  const assembly = await assemble();
  const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  console.log(`${machine}\n`);
  const against = options.against === undefined ? undefined : versionOf(options.against);
  const kept = JSON.parse(readFileSync(results, 'utf8')) as { sections: Record<string, object> };
  for (const name of parts) {
    const section = await benchmarks[name]?.(assembly, options);
    if (!section) continue;
    console.log(`${table(section)}\n`);
    const compared = comparing.includes(name) && against !== undefined ? { against } : {};
    kept.sections[name] = { measuredAt: new Date().toISOString(), machine, ...compared, ...section };
    writeFileSync(results, inLines(kept));
  }
};

const versionOf = (folder: string): string =>
  JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')).version;

/** JSON with one measurement a line, so that differences can be read. */
const inLines = (kept: object): string => {
  const text = JSON.stringify(kept, null, 2);
  return `${text.replaceAll(/\{\s+"name": [^{}]+\}/g, (measurement) => JSON.stringify(JSON.parse(measurement)))}\n`;
};

await main();
process.exit();
