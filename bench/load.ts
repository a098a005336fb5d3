import autocannon from 'autocannon';
import { desktop, iphone } from './client.ts';

const userAgents = [
  iphone,
  desktop,
  'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
];

export interface Load {
  readonly paths: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

export interface Answered {
  readonly perSecond: number;
  readonly total: number;
  /** Milliseconds. */
  readonly p99: number;
}

/** Visits of people with many addresses and several browsers, evenly over all paths. Throws unless all get `status`. */
export const visitAll = async (
  base: string,
  { paths, connections, seconds }: Load,
  status = '302',
): Promise<Answered> => {
  const requests = Array.from({ length: Math.max(paths.length, 1024) }, (_, i) => ({
    method: 'GET' as const,
    path: paths[i % paths.length] ?? '/',
    headers: {
      'user-agent': userAgents[(i >> 2) % userAgents.length] ?? '',
      'x-sim-viewer-address': `203.0.${i % 113}.${i % 251}`,
    },
  }));
  let begun = 0;
  const result = await autocannon({
    url: base,
    connections,
    duration: seconds,
    requests,
    // Each begins elsewhere: connections that walk the list in step would meet on one link after the other.
    setupClient: (client) => {
      const start = Math.floor((begun++ * requests.length) / connections) % requests.length;
      client.setRequests([...requests.slice(start), ...requests.slice(0, start)]);
    },
  });
  const answered = result.statusCodeStats as Record<string, { count: number }>;
  if (result.errors > 0 || Object.keys(answered).some((one) => one !== status)) {
    throw new Error(`Not every answer was ${status}: ${JSON.stringify(answered)}, ${result.errors} errors`);
  }
  return { perSecond: result.requests.average, total: result.requests.total, p99: result.latency.p99 };
};
