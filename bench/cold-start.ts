import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { bytesAtStart } from '../lib/bundles.ts';
import { temporaryFolder } from '../ops/base/temporary-folder.ts';
import { atMost, type Measurement, median, type Section } from './report.ts';

const rounds = 15;

/**
 * Time to import each bundle in fresh processes that have loaded HTTP, as Lambda's runtime has, compared with an empty
 * handler; and the size of the modules that it loads.
 */
export const coldStart = async (assembly: string): Promise<Section> => {
  await using folder = await temporaryFolder('cold-start-');
  const empty = path.join(folder.path, 'index.mjs');
  writeFileSync(empty, 'export const handler = async () => ({ statusCode: 200 });');
  const bundles = bundlesOf(assembly);
  const times = new Map([
    ['', [] as number[]],
    ...bundles.map(({ name }) => [name, []] as [string, number[]]),
  ]);
  for (let round = 0; round < rounds; round += 1) {
    times.get('')?.push(await importTime(empty));
    for (const { name, file } of bundles) times.get(name)?.push(await importTime(file));
  }
  const base = median(times.get('') ?? []);
  const measurements = bundles.flatMap(({ name, file }): Measurement[] => {
    const over = median(times.get(name) ?? []) - base;
    const kilobytes = bytesAtStart(path.dirname(file)) / 1000;
    const [mostMs, mostKilobytes] = goalsOf(name);
    return [
      atMost(`${name}: import over empty`, over, 'ms', mostMs),
      atMost(`${name}: bundle`, kilobytes, 'kB', mostKilobytes),
    ];
  });
  return {
    title: 'Cold start',
    measurements: [{ name: 'empty handler: import', value: base, unit: 'ms' }, ...measurements],
  };
};

/** The most milliseconds over the empty handler and kilobytes of a function, if it has goals. */
const goalsOf = (name: string): readonly number[] => {
  if (name === 'redirect') return [10, 60];
  return name.startsWith('api/') ? [90, 400] : [];
};

/** The functions' bundles by entry, according to their descriptions in the template. */
const bundlesOf = (assembly: string): { name: string; file: string }[] => {
  const file = readdirSync(assembly).find((name) => /^DynamicLinks-.*\.template\.json$/.test(name)) ?? '';
  const { Resources }: { Resources: Record<string, { Type: string; Metadata?: Record<string, string> }> } =
    JSON.parse(readFileSync(path.join(assembly, file), 'utf8'));
  return Object.entries(Resources)
    .filter(([, { Type, Metadata }]) => Type === 'AWS::Lambda::Function' && Metadata?.['aws:asset:path'])
    .map(([id, { Metadata }]) => ({
      name: entryOf(id),
      file: path.join(assembly, Metadata?.['aws:asset:path'] ?? '', 'index.mjs'),
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
};

/** `ApiCreateLinkFunction1A2B3C4D` is api/create-link. */
const entryOf = (id: string): string => {
  const [, scope = '', name = id] = /^(Api|ShortLinks|Clicks)?(.*?)Function[0-9A-F]{8}$/.exec(id) ?? [];
  const entry = name.replace(/[A-Z]/g, (letter, at: number) => `${at > 0 ? '-' : ''}${letter.toLowerCase()}`);
  return scope === 'Api' && entry !== 'authorize' ? `api/${entry}` : entry;
};

const importTime = async (file: string): Promise<number> => {
  const script = `await import('node:http');const t=performance.now();await import(${JSON.stringify(file)});console.log(performance.now()-t)`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
    env: { ...process.env, AWS_REGION: 'us-east-1', TABLE_NAME: 'none', UNIQUE_WINDOW_DAYS: '90' },
  });
  return Number(stdout);
};
