import { parentPort, workerData } from 'node:worker_threads';
import { recordClick } from '../core/store/clicks.ts';
import { findTarget } from '../core/store/short-links.ts';

export interface EngineCalls {
  readonly codes: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

export interface EngineRate {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
}

/*
 * What a redirect asks of the engine and nothing else: one read of the link, one write of the click. The ceiling of
 * every redirect that counts before it answers.
 */
const { codes, connections, seconds } = workerData as EngineCalls;
const started = performance.now();
const until = started + seconds * 1000;
const latencies: number[] = [];
let done = 0;

const visitor = async () => {
  while (performance.now() < until) {
    const begun = performance.now();
    const code = codes[done % codes.length] ?? '';
    done += 1;
    await findTarget({ folder: 'demo', code }, 'bench');
    await recordClick(
      {
        project: 'demo',
        code,
        visitor: `bench-${done % 1024}`,
        clickId: `bench-${done}-${Math.random()}`,
        platform: 'web',
        country: 'DE',
        at: new Date(),
        windowSeconds: 86_400,
      },
      5000,
    );
    latencies.push(performance.now() - begun);
  }
};

const report = async () => {
  await Promise.all(Array.from({ length: connections }, visitor));
  latencies.sort((a, b) => a - b);
  const rate: EngineRate = {
    perSecond: latencies.length / ((performance.now() - started) / 1000),
    p99: latencies[Math.floor(latencies.length * 0.99)] ?? 0,
  };
  parentPort?.postMessage(rate);
  process.exit(0);
};

void report();
