import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Assembly, TableResource } from './assembly/assembly.ts';
import { startThread } from './base/thread.ts';
import { type EngineOptions, startEngine } from './engine/engine.ts';
import { sharedHold } from './engine/sqlite/held-records.ts';
import { type StreamFile, streamFileOf } from './engine/sqlite/sqlite-engine.ts';
import type { Principal } from './iam/policy.ts';
import { accessKeyOf } from './lambda/access-key.ts';
import { startTableGateway, type TableGatewayOptions } from './table-gateway/gateway.ts';
import type { GatewayThreadData } from './table-gateway/gateway-thread.ts';
import { sharedCount } from './table-gateway/write-count.ts';
import { ensureTables } from './tables/tables.ts';

/** Ends one part of a stack. */
export type StopPart = () => Promise<unknown>;

/** The data side of a stack: engine, tables and the check of every call against its caller's role. */
export interface TableServices {
  /** The endpoint for functions, and for operators, who may do anything. */
  readonly endpoint: string;
  /** The stream file, to read without the endpoint. */
  readonly stream: StreamFile | undefined;
  readonly streamArns: ReadonlyMap<string, string>;
  /** Counts writes; an engine at another address may have writers that this stack doesn't see. */
  readonly writes: SharedArrayBuffer | undefined;
  readonly died: Promise<string>;
  /** Part of the functions' access keys. */
  readonly secret: string;
  /** Ports of the threads that run functions, to register ports for table calls. */
  readonly controls: { readonly main: MessagePort; readonly followers: MessagePort };
}

export interface TableOptions {
  readonly engine?: EngineOptions['engine'];
  readonly data?: string | undefined;
  /** @default true */
  readonly enforceIam?: boolean;
  readonly leadingKeys?: TableGatewayOptions['leadingKeys'];
  readonly observe?: TableGatewayOptions['observe'];
  readonly operatorKey?: string | undefined;
  /** The endpoint's port. @default a free one */
  readonly tablesPort?: number | undefined;
}

/** Starts the tables. Pushes the stop function of each part to `started` as soon as the part runs. */
export async function startTables(
  { functions, tables }: Assembly,
  { engine: kind = 'sqlite', data, enforceIam = true, ...options }: TableOptions,
  started: StopPart[],
): Promise<TableServices> {
  const { leadingKeys, observe, operatorKey, tablesPort } = options;
  const { engine, stream, died } = await openEngine(kind, data, started);
  // The followed table's region has the given engine.
  const home = regionOf(tables.find(({ streamArn }) => streamArn) ?? tables[0]);
  const elsewhere = Map.groupBy(
    tables.filter((table) => regionOf(table) !== home),
    regionOf,
  );
  const others = [...elsewhere].map(([region, found]) => ({
    tables: found.map(({ name }) => name),
    engine: openSqlite(`dynamodb-${region}`, data, started).engine,
  }));
  // Others may write to an engine at another address.
  const writes = typeof kind === 'string' && kind !== 'sqlite' ? undefined : sharedCount();
  const secret = randomBytes(8).toString('hex');
  const [main, followers] = [new MessageChannel(), new MessageChannel()];
  const gateway = await startGateway(
    {
      engine,
      others,
      port: tablesPort,
      principals: principalsOf(functions, secret),
      ...(operatorKey !== undefined && { operatorKey }),
      tables,
      enforce: enforceIam,
      ...(leadingKeys && { leadingKeys }),
      ...(writes && { writes }),
      ...(enforceIam && observe && { observe }),
    },
    [main.port1, followers.port1],
  );
  started.push(gateway.stop);
  const { endpoint } = gateway;
  return {
    endpoint,
    stream,
    streamArns: await ensureTables(endpoint, tables, operatorKey),
    writes,
    secret,
    controls: { main: main.port2, followers: followers.port2 },
    died: Promise.race([died, gateway.died]),
  };
}

const regionOf = (table: TableResource | undefined) => table?.arn.split(':')[3] ?? '';

interface OpenEngine {
  readonly engine: TableGatewayOptions['engine'];
  readonly stream: StreamFile | undefined;
  readonly died: Promise<string>;
}

/** Opens an engine. The gateway opens SQLite in its own thread. */
async function openEngine(
  kind: EngineOptions['engine'],
  data: string | undefined,
  started: StopPart[],
): Promise<OpenEngine> {
  if (kind === 'sqlite')
    return { ...openSqlite('dynamodb', data, started), died: new Promise(() => undefined) };
  const named = data && { data: join(data, 'dynamodb'), stackFolder: data };
  const { endpoint, died, stop } = await startEngine({ engine: kind, ...(named || {}) });
  started.push(stop);
  return { engine: endpoint, stream: undefined, died };
}

/** Options to open SQLite in a folder of the data, or in a temporary one. */
function openSqlite(name: string, data: string | undefined, started: StopPart[]) {
  const folder = data ? join(data, name) : mkdtempSync(join(tmpdir(), 'engine-'));
  if (!data) started.push(async () => rmSync(folder, { recursive: true, force: true }));
  const held = sharedHold();
  const engine = { folder, stackFolder: data ?? folder, held, sweepMs: 2000 };
  return { engine, stream: streamFileOf(folder, held) };
}

/** Functions with their policies, by access key id. */
export function principalsOf(
  functions: Assembly['functions'],
  secret: string,
): ReadonlyMap<string, Principal> {
  return new Map(functions.map(({ id, statements }) => [accessKeyOf(id, secret), { name: id, statements }]));
}

interface Gateway {
  readonly endpoint: string;
  readonly died: Promise<string>;
  readonly stop: StopPart;
}

/** Starts the gateway in a thread, or in this one if an observer must be called here. */
async function startGateway(
  options: TableGatewayOptions,
  controls: readonly MessagePort[],
): Promise<Gateway> {
  if (options.observe) {
    return { ...(await startTableGateway(options, controls)), died: new Promise(() => undefined) };
  }
  const { started, died, stop } = await startThread<string>({
    folder: join(import.meta.dirname, 'table-gateway'),
    module: 'gateway-thread',
    data: { options, controls } satisfies GatewayThreadData,
    transfer: controls,
  });
  return { endpoint: started, died, stop };
}
