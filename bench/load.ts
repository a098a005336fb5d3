import autocannon from 'autocannon';
import { userAgents } from '../ops/base/user-agents.ts';

const browsers = [
  ...Object.values(userAgents),
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
];

/** Visitors, each with its own address. */
const visitors = 10_000;

const addressOf = (visitor: number) => `203.0.${visitor >> 8}.${visitor & 255}`;

export interface Load {
  readonly paths: readonly string[];
  readonly connections: number;
  /** Duration; or `amount`, the number of visits. */
  readonly seconds?: number;
  readonly amount?: number;
}

export interface Answered {
  readonly perSecond: number;
  readonly total: number;
  /** Milliseconds. */
  readonly p99: number;
}

/** Exactly `visits` visits, round-robin over all paths and visitors. */
export interface CountedLoad extends Pick<Load, 'paths' | 'connections'> {
  readonly visits: number;
  readonly visitors: number;
}

/** Visits from 10,000 addresses and several browsers, evenly over all paths. Throws unless all are redirects. */
export const visitAll = async (
  base: string,
  { paths, connections, seconds, amount }: Load,
): Promise<Answered> => {
  const rounds = Math.ceil(visitors / paths.length);
  const requests = Array.from({ length: rounds * paths.length }, (_, i) =>
    visit(paths[i % paths.length], browsers[(i >> 2) % browsers.length], addressOf(i % visitors)),
  );
  // Interleaved, so that connections visit different links at a time.
  const share = (connection: number) => requests.filter((_, i) => i % connections === connection);
  const length = amount === undefined ? { duration: seconds } : { amount };
  const result = await send({ url: base, connections, ...length }, share);
  refuseOthers(result);
  return { perSecond: result.requests.average, total: result.requests.total, p99: result.latency.p99 };
};

/** Visits all paths round-robin until stopped. */
export const visitMeanwhile = (
  base: string,
  { paths, connections }: Pick<Load, 'paths' | 'connections'>,
): { readonly stop: () => Promise<unknown> } => {
  const running = autocannon({
    url: base,
    connections,
    duration: 3600,
    requests: paths.map((path) => visit(path)),
  });
  return {
    stop: () => {
      // The promise is also the running load, which its type lacks.
      (running as unknown as { stop(): void }).stop();
      return running;
    },
  };
};

/** Makes each visit once and resolves after the last response. Throws unless all are redirects. */
export const visitEach = async (
  base: string,
  { paths, connections, visits, visitors }: CountedLoad,
): Promise<void> => {
  const nth = (i: number) => {
    const visitor = i % visitors;
    return visit(paths[i % paths.length], browsers[visitor % browsers.length], addressOf(visitor));
  };
  // The connection's share: an equal part; the first connections take the remainder.
  const share = (connection: number) =>
    Array.from({ length: Math.ceil((visits - connection) / connections) }, (_, i) =>
      nth(connection + i * connections),
    );
  // Milliseconds between checks for the end; autocannon's second would exceed the measured time.
  const result = await send({ url: base, connections, amount: visits, sampleInt: 10 }, share);
  refuseOthers(result);
};

const visit = (path = '/', userAgent = userAgents.desktop, address = ''): autocannon.Request => ({
  method: 'GET',
  path,
  headers: { 'user-agent': userAgent, 'x-sim-viewer-address': address },
});

/** `share`: the requests of each connection, by its number. */
const send = (
  options: autocannon.Options & { readonly sampleInt?: number },
  share: (connection: number) => autocannon.Request[],
): Promise<autocannon.Result> => {
  let begun = 0;
  // A busy machine is slow, and its slowness is measured.
  return autocannon({ timeout: 60, ...options, setupClient: (client) => client.setRequests(share(begun++)) });
};

const refuseOthers = ({ statusCodeStats, errors }: autocannon.Result): void => {
  const answered = statusCodeStats as Record<string, { count: number }>;
  if (errors === 0 && Object.keys(answered).every((one) => one === '302')) return;
  throw new Error(`Not every answer was 302: ${JSON.stringify(answered)}, ${errors} errors`);
};
