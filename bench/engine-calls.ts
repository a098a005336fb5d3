import { parentPort, workerData } from 'node:worker_threads';
import { positionOf } from '../core/clicks/click.ts';
import { clickStore } from '../core/clicks/click-store.ts';
import { itemsOf } from '../core/clicks/figure-items.ts';
import { figureStore } from '../core/clicks/figure-store.ts';
import { shortLinkStore } from '../core/short-urls/short-link-store.ts';
import { connect, tableAccess } from '../core/table/connection.ts';
import { forVisitors } from '../core/table/patience.ts';
import { openItems } from '../core/table/port.ts';

export interface EngineCalls {
  readonly codes: readonly string[];
  readonly connections: number;
  readonly seconds: number;
  /** Whether each click is one write of figures, as if each in a batch had another link. */
  readonly figures: boolean;
}

export interface EngineRate {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p99: number;
}

/*
 * Only a redirect's engine calls: one read of the link, one write of the click. The upper limit of
 * redirects that count before they respond.
 */
const { codes, connections, seconds, figures: addsFigures } = workerData as EngineCalls;
const table = openItems(connect(tableAccess(process.env)), {
  name: process.env.TABLE_NAME ?? '',
  patience: { ...forVisitors, deadlineMs: 5000 },
});
const shortLinks = shortLinkStore(table);
const clicks = clickStore(table);
const figures = figureStore(table);
const started = performance.now();
const until = started + seconds * 1000;
const latencies: number[] = [];
let done = 0;
/** Rises with each run on one table: figures skip clicks from before their watermark. */
const firstPosition = Date.now() * 1000;

const visitor = async () => {
  while (performance.now() < until) {
    const begun = performance.now();
    const number = done++;
    const code = codes[number % codes.length] ?? '';
    await shortLinks.find({ folder: 'demo', code }, 'bench');
    await clicks.record({
      project: 'demo',
      code,
      visitor: `bench-${number % 1024}`,
      clickId: `bench-${number}-${Math.random()}`,
      platform: 'web',
      country: 'DE',
      referrer: 'direct',
      browser: 'chrome',
      os: 'windows',
      trigger: 'link',
      at: new Date(),
      windowSeconds: 86_400,
    });
    if (addsFigures) await addToFigures(code, number);
    latencies.push(performance.now() - begun);
  }
};

/** Adds clicks as the aggregator does. */
const addToFigures = async (code: string, number: number): Promise<void> => {
  const position = positionOf(String(firstPosition + number));
  const created = Date.now() / 1000;
  const link = { project: 'demo', code, sequenceNumber: position, position, created, at: created };
  const client = { platform: 'web', country: 'DE', browser: 'chrome', os: 'windows' } as const;
  const click = { clicks: 1, unique: true, referrer: 'direct', trigger: 'link', opens: 0, firstOpens: 0 };
  const items = itemsOf({ shard: 'bench', records: [{ ...link, ...client, ...click }] });
  await Promise.all(items.map((item) => figures.add(item)));
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
