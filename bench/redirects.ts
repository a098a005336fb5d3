import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import autocannon from 'autocannon';
import { buildSync } from 'esbuild';
import { createLinks } from './links.ts';
import { atLeast, atMost, type Figure, median, type Section } from './report.ts';
import { type Serving, serve } from './serving.ts';

const seconds = 4;
const rounds = 3;

const userAgents = [
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
];

interface Load {
  readonly perSecond: number;
  readonly p99: number;
}

/** Visits by people from many addresses, each counted; the stream is consumed at the same time. */
const load = async (base: string, paths: readonly string[], connections: number): Promise<Load> => {
  const requests = Array.from({ length: Math.max(paths.length, 256) }, (_, i) => ({
    method: 'GET' as const,
    path: paths[i % paths.length] ?? '/',
    headers: {
      'user-agent': userAgents[i % userAgents.length] ?? '',
      'x-sim-viewer-address': `203.0.${113 + (i % 100)}.${i % 251}`,
    },
  }));
  const result = await autocannon({ url: base, connections, duration: seconds, requests });
  const answered = result.statusCodeStats as Record<string, { count: number }>;
  const others = Object.entries(answered).filter(([status]) => status !== '302');
  if (others.length > 0 || result.errors > 0) {
    throw new Error(`Not every visit was redirected: ${JSON.stringify(answered)}, ${result.errors} errors`);
  }
  return { perSecond: result.requests.average, p99: result.latency.p99 };
};

/** Counted redirects per second, beside a bare server and the two engine calls of a redirect alone. */
export const redirects = async (assembly: string): Promise<Section> => {
  const serving = await serve(assembly);
  const bare = await bareServer();
  try {
    const codes = await createLinks(serving, 1000);
    const one = [`/${codes[0]}`];
    const many = codes.map((code) => `/${code}`);
    const samples: Record<string, Load[]> = {};
    const sample = async (name: string, measured: Promise<Load>) => {
      samples[name] = [...(samples[name] ?? []), await measured];
    };
    // Interleaved, so that a slow moment of the machine meets them all.
    for (let round = 0; round < rounds; round += 1) {
      await sample('one link, 16 connections', load(serving.short, one, 16));
      await sample('one link, 64 connections', load(serving.short, one, 64));
      await sample('1,000 links, 16 connections', load(serving.short, many, 16));
      await sample('1,000 links, 64 connections', load(serving.short, many, 64));
      await sample('bare Node 302 server, 16 connections', load(bare.base, one, 16));
      await sample('the two engine calls alone, 16 at once', engineAlone(serving, codes, 16));
    }
    return { title: 'Counted redirects', figures: figuresOf(samples) };
  } finally {
    await Promise.all([serving.stop(), bare.stop()]);
  }
};

const figuresOf = (samples: Readonly<Record<string, readonly Load[]>>): Figure[] =>
  Object.entries(samples).flatMap(([name, loads]) => {
    const perSecond = median(loads.map((one) => one.perSecond));
    const p99 = median(loads.map((one) => one.p99));
    const isOurs = name.includes('link');
    return [
      isOurs ? atLeast(name, perSecond, '/s', 1200) : { name, value: perSecond, unit: '/s' },
      ...(isOurs && name.includes('16') ? [atMost(`${name}: p99`, p99, 'ms', 30)] : []),
    ];
  });

const bareServer = async () => {
  const worker = new Worker(import.meta.filename, { workerData: 'bare' });
  const [base] = (await once(worker, 'message')) as [string];
  return { base, stop: () => worker.terminate() };
};

/** Bundled as the redirect is, whose client it calls. */
const engineCalls = (): string => {
  const [bundle] = buildSync({
    entryPoints: [path.join(import.meta.dirname, 'engine-calls.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    target: 'node24',
    format: 'cjs',
  }).outputFiles;
  return bundle?.text ?? '';
};

const engineAlone = async (
  serving: Serving,
  codes: readonly string[],
  connections: number,
): Promise<Load> => {
  const worker = new Worker(engineCalls(), {
    eval: true,
    workerData: { codes, connections, seconds },
    env: {
      ...process.env,
      AWS_REGION: 'us-east-1',
      AWS_ACCESS_KEY_ID: 'bench',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_DYNAMODB: serving.endpoint,
      TABLE_NAME: serving.tableName,
    },
  });
  const [measured] = (await once(worker, 'message')) as [Load];
  return measured;
};

const { workerData } = await import('node:worker_threads');
if (workerData === 'bare') {
  const { parentPort } = await import('node:worker_threads');
  const server = createServer((_, response) => {
    response.writeHead(302, { Location: 'https://example.com/landing' }).end();
  }).listen(0, '127.0.0.1', () => {
    parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
}
