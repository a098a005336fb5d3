import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import path from 'node:path';
import { assemble } from '../ops/local/app.ts';
import { measureCapacity } from './capacity.ts';
import { coldStart } from './cold-start.ts';
import { figuresLatency } from './figures.ts';
import { growth } from './growth.ts';
import { hotLink } from './hot-link.ts';
import { killed } from './killed.ts';
import { overhead } from './overhead.ts';
import { profiles } from './profiles.ts';
import { redirects } from './redirects.ts';
import { type Section, table } from './report.ts';
import { testTime } from './test-time.ts';

const capacity = async (assembly: string): Promise<Section> => ({
  title: 'Capacity and sequential table calls of each operation',
  figures: Object.entries(await measureCapacity(assembly)).flatMap(([name, { reads, writes, trips }]) => [
    { name: `${name}: reads`, value: reads, unit: 'RCU' },
    { name: `${name}: writes`, value: writes, unit: 'WCU' },
    { name: `${name}: sequential calls`, value: trips, unit: '' },
  ]),
});

const benchmarks: Readonly<Record<string, (assembly: string) => Promise<Section>>> = {
  redirects,
  'cold-start': coldStart,
  capacity,
  growth,
  figures: figuresLatency,
  'hot-link': hotLink,
  killed,
  overhead,
  profiles,
  'test-time': testTime,
};

const results = path.join(import.meta.dirname, 'results.json');

const main = async (): Promise<void> => {
  const chosen = process.argv.slice(2);
  const unknown = chosen.find((name) => !(name in benchmarks));
  if (unknown !== undefined) {
    console.log(
      `Usage: npm run bench -- [NAME …]\n\nRuns all of these, or those named:\n  ${Object.keys(benchmarks).join('\n  ')}`,
    );
    process.exit(unknown === '--help' ? 0 : 1);
  }
  const assembly = await assemble();
  const machine = `${cpus()[0]?.model.trim()}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}`;
  console.log(`${machine}\n`);
  const kept = JSON.parse(readFileSync(results, 'utf8')) as { sections: Record<string, object> };
  for (const name of chosen.length > 0 ? chosen : Object.keys(benchmarks)) {
    const section = await benchmarks[name]?.(assembly);
    if (!section) continue;
    console.log(`${table(section)}\n`);
    kept.sections[name] = { measuredAt: new Date().toISOString(), machine, ...section };
    writeFileSync(results, `${JSON.stringify(kept, null, 2)}\n`);
  }
};

await main();
process.exit(0);
