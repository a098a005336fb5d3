import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, watch } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import autocannon from 'autocannon';
import { app } from '../bin/local/app.ts';
import { createLinks } from './links.ts';
import { median, type Section } from './report.ts';
import { serve } from './serving.ts';

const rounds = 3;
const userAgent =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15';

/** What the local stack itself takes: its check of every table call, its gateways, its start. */
export const overhead = async (assembly: string): Promise<Section> => {
  const [open, checked] = [await serve(assembly), await serve(assembly, { enforceIam: true })];
  try {
    const [code = ''] = await createLinks(open, 1);
    await createLinks(checked, 1);
    const rates: Record<string, number[]> = { open: [], checked: [], page: [] };
    for (let round = 0; round < rounds; round += 1) {
      rates.open?.push(await perSecond(open.short, `/${code}`));
      rates.checked?.push(await perSecond(checked.short, `/${code}`));
      // Answered by the function without a call of the table.
      rates.page?.push(await perSecond(open.short, '/robots.txt'));
    }
    const starts = [];
    for (let round = 0; round < rounds; round += 1) starts.push(await startTime());
    const [without, withCheck, noTable] = [rates.open, rates.checked, rates.page].map((all) =>
      median(all ?? []),
    );
    return {
      title: 'The local stack itself',
      figures: [
        { name: 'redirects without the check of roles', value: without ?? 0, unit: '/s' },
        { name: 'redirects with it', value: withCheck ?? 0, unit: '/s' },
        { name: 'answers without a table call', value: noTable ?? 0, unit: '/s' },
        { name: 'npm start, assembly at hand', value: median(starts), unit: 'ms' },
      ],
    };
  } finally {
    await Promise.all([open.stop(), checked.stop()]);
  }
};

const perSecond = async (url: string, where: string): Promise<number> => {
  const requests = [{ path: where, headers: { 'user-agent': userAgent } }];
  return (await autocannon({ url, connections: 16, duration: 3, requests })).requests.average;
};

/** From the command to stack.json, which appears when requests succeed. */
const startTime = async (): Promise<number> => {
  const data = mkdtempSync(path.join(tmpdir(), 'start-'));
  const watcher = watch(data);
  const begun = performance.now();
  const child = spawn(
    process.execPath,
    ['bin/local.ts', '--data', data, '--api-port', '0', '--short-port', '0'],
    {
      cwd: app,
      stdio: 'ignore',
    },
  );
  const served = () => {
    try {
      return readFileSync(path.join(data, 'stack.json')).length > 0;
    } catch {
      return false;
    }
  };
  while (!served()) await once(watcher, 'change');
  const taken = performance.now() - begun;
  watcher.close();
  const ended = once(child, 'exit');
  child.kill();
  await ended;
  rmSync(data, { recursive: true, force: true });
  return taken;
};
