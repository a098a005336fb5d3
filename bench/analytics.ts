import { setTimeout as delay } from 'node:timers/promises';
import { createDemoLinks } from './links.ts';
import { visitMeanwhile } from './load.ts';
import { atMost, percentile, type Section } from './report.ts';
import { type Serving, serveStack } from './serving.ts';

const clicks = 100;

/** Milliseconds from a click's response to the first API response that includes it. */
const visibleAfter = async (
  { short, deployment }: Serving,
  code: string,
  before: number,
): Promise<number> => {
  const answer = await fetch(`${short}/${code}`, {
    redirect: 'manual',
    headers: {
      'User-Agent': `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.${before} Safari/537.36`,
    },
  });
  const clicked = performance.now();
  if (answer.status !== 302) throw new Error(`/${code}: ${answer.status}`);
  while ((await deployment.stores.links.get('demo', code)).analytics.clicks <= before) await delay(2);
  return performance.now() - clicked;
};

const sample = async (serving: Serving, code: string): Promise<number[]> => {
  const times: number[] = [];
  for (let n = 0; n < clicks; n += 1) times.push(await visibleAfter(serving, code, n));
  return times;
};

/** The delay until analytics include a click, on an idle stack and under load. */
export const analyticsLatency = async (assembly: string): Promise<Section> => {
  const serving = await serveStack(assembly);
  try {
    const [quiet = '', busy = '', ...others] = await createDemoLinks(serving, 50);
    const idle = await sample(serving, quiet);
    const background = visitMeanwhile(serving.short, {
      paths: others.map((code) => `/${code}`),
      connections: 8,
    });
    const loaded = await sample(serving, busy);
    await background.stop();
    return {
      title: 'From click to analytics',
      measurements: [
        { name: 'idle: p50', value: percentile(idle, 0.5), unit: 'ms' },
        atMost('idle: p99', percentile(idle, 0.99), 'ms', 2000),
        { name: 'under load: p50', value: percentile(loaded, 0.5), unit: 'ms' },
        atMost('under load: p99', percentile(loaded, 0.99), 'ms', 2000),
      ],
    };
  } finally {
    await serving.stop();
  }
};
