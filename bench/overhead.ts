import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { app, assembleInto } from '../ops/start/app.ts';
import { createLinks } from './links.ts';
import { type Answered, callAll, visitAll } from './load.ts';
import { type Figure, median, type Section } from './report.ts';
import { type Serving, serve } from './serving.ts';

const rounds = 3;
const load = { connections: 16, seconds: 3 };

interface Cost {
  readonly perSecond: number;
  /** CPU milliseconds per response. */
  readonly mainThread: number;
  readonly process: number;
}

/** The local stack's own cost: gateways, checks of table calls, start. */
export const overhead = async (assembly: string): Promise<Section> => {
  const [open, checked] = [await serve(assembly), await serve(assembly, { enforceIam: true })];
  try {
    const [[code = ''] = []] = [await createLinks(open, 1), await createLinks(checked, 1)];
    const redirect = { ...load, paths: [`/${code}`] };
    const runs: Readonly<Record<string, () => Promise<Cost>>> = {
      'redirect, roles not checked': () => costOf(open, () => visitAll(open.short, redirect)),
      'redirect, roles checked': () => costOf(checked, () => visitAll(checked.short, redirect)),
      // An unknown path, for which the function makes no lookup.
      'CloudFront and function URL': () =>
        costOf(open, () => visitAll(open.short, { ...load, paths: ['/a.b'] }, '404')),
      'API Gateway, key and usage': () => costOf(open, () => callUsage(open)),
    };
    const costs = new Map<string, Cost[]>();
    for (let round = 0; round < rounds; round += 1) {
      for (const [name, run] of Object.entries(runs))
        costs.set(name, [...(costs.get(name) ?? []), await run()]);
    }
    return {
      title: 'The local stack itself',
      figures: [...[...costs].flatMap(figuresOf), ...(await starts())],
    };
  } finally {
    await Promise.all([open.stop(), checked.stop()]);
  }
};

const costOf = async ({ cpu }: Serving, run: () => Promise<Answered>): Promise<Cost> => {
  const before = await cpu();
  const { perSecond, total } = await run();
  const after = await cpu();
  return {
    perSecond,
    mainThread: ((after.mainThread - before.mainThread) * 1000) / total,
    process: ((after.process - before.process) * 1000) / total,
  };
};

const callUsage = ({ api, apiKey }: Serving): Promise<Answered> =>
  callAll(`${api}/1.0/usage`, { ...load, headers: { 'X-API-KEY': apiKey } });

const figuresOf = ([name, costs]: readonly [string, readonly Cost[]]): Figure[] => [
  { name, value: median(costs.map(({ perSecond }) => perSecond)), unit: '/s' },
  { name: `${name}: main thread`, value: median(costs.map(({ mainThread }) => mainThread)), unit: 'ms CPU' },
  { name: `${name}: process`, value: median(costs.map((cost) => cost.process)), unit: 'ms CPU' },
];

const starts = async (): Promise<Figure[]> => {
  const [synthesis, start]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round += 1) {
    synthesis.push(await synthesisTime());
    start.push(await startTime());
  }
  return [
    { name: 'synthesis, when nothing is at hand', value: median(synthesis), unit: 'ms' },
    { name: 'start, assembly at hand', value: median(start), unit: 'ms' },
  ];
};

const synthesisTime = async (): Promise<number> => {
  const output = mkdtempSync(path.join(tmpdir(), 'synthesis-'));
  const begun = performance.now();
  await assembleInto(output);
  const taken = performance.now() - begun;
  rmSync(output, { recursive: true, force: true });
  return taken;
};

/** The time from the command to stack.json, which appears once requests succeed. */
const startTime = async (): Promise<number> => {
  const data = mkdtempSync(path.join(tmpdir(), 'start-'));
  const watcher = watch(data);
  const begun = performance.now();
  const flags = ['--data', data, '--api-port', '0', '--short-port', '0'];
  const child = spawn(process.execPath, ['ops/dls.js', 'start', ...flags], { cwd: app, stdio: 'ignore' });
  while (!isServed(data)) await once(watcher, 'change');
  const taken = performance.now() - begun;
  watcher.close();
  const ended = once(child, 'exit');
  child.kill();
  await ended;
  rmSync(data, { recursive: true, force: true });
  return taken;
};

const isServed = (data: string): boolean => {
  try {
    return readFileSync(path.join(data, 'stack.json')).length > 0;
  } catch {
    return false;
  }
};
