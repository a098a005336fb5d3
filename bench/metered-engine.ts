import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** One call of the DynamoDB API. */
export interface MeteredCall {
  readonly action: string;
  /** Access key id of the caller, by which the local stack names its functions. */
  readonly caller: string;
  /** Capacity units as the engine accounts for them. */
  readonly reads: number;
  readonly writes: number;
  /** Milliseconds, on the process's clock. */
  readonly start: number;
  readonly end: number;
}

export interface MeteredEngine {
  readonly endpoint: string;
  /** The calls since the last time they were taken. */
  take(): MeteredCall[];
  stop(): Promise<void>;
}

const metered =
  /^(GetItem|BatchGetItem|Query|PutItem|UpdateItem|DeleteItem|TransactWriteItems|TransactGetItems)$/;
const writing = /^(Put|Update|Delete|TransactWrite)/;

/**
 * Stands in front of an engine, asks it what each call consumed, and keeps the answers. Holds every call back for a
 * while, so that calls made side by side overlap for certain and those that wait for each other don't.
 */
export const startMeteredEngine = async (endpoint: string, delayMs = 0): Promise<MeteredEngine> => {
  let calls: MeteredCall[] = [];
  const { hostname, port } = new URL(endpoint);
  const server = createServer(async (incoming, outgoing) => {
    const action = String(incoming.headers['x-amz-target'] ?? '').split('.')[1] ?? '';
    const sent = await readAll(incoming);
    const isMetered = metered.test(action);
    const body = isMetered
      ? Buffer.from(JSON.stringify({ ...JSON.parse(sent.toString()), ReturnConsumedCapacity: 'TOTAL' }))
      : sent;
    const start = performance.now();
    if (isMetered && delayMs > 0) await delay(delayMs);
    const call = request(
      {
        hostname,
        port,
        method: incoming.method,
        path: incoming.url,
        headers: { ...incoming.headers, 'content-length': body.length },
      },
      async (answer) => {
        const received = await readAll(answer);
        if (isMetered) {
          const units = unitsOf(received.toString());
          const writes = writing.test(action);
          calls.push({
            action,
            caller: /Credential=([^/]+)/.exec(incoming.headers.authorization ?? '')?.[1] ?? '',
            reads: writes ? 0 : units,
            writes: writes ? units : 0,
            start,
            end: performance.now(),
          });
        }
        const { 'x-amz-crc32': _, 'content-length': __, ...headers } = answer.headers;
        outgoing.writeHead(answer.statusCode ?? 500, headers).end(received);
      },
    );
    call.on('error', () => outgoing.destroy());
    call.end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    take: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

/** Calls that had to wait for each other: the longest chain in which each began after the one before had ended. */
export const sequentialTrips = (calls: readonly MeteredCall[]): number => {
  let trips = 0;
  let reached = -1;
  for (const { start, end } of [...calls].sort((a, b) => a.end - b.end)) {
    if (start < reached) continue;
    trips += 1;
    reached = end;
  }
  return trips;
};

const readAll = async (stream: AsyncIterable<unknown>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
};

interface Consumed {
  readonly CapacityUnits?: number;
}

/** A condition that fails consumes as well, but tells nothing of it: it counts as the one unit of a small item. */
const unitsOf = (text: string): number => {
  const answer = JSON.parse(text) as { __type?: string; ConsumedCapacity?: Consumed | Consumed[] };
  if (answer.__type !== undefined) return 1;
  const consumed = [answer.ConsumedCapacity ?? []].flat();
  return consumed.reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0);
};
