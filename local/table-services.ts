import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { Assembly } from './assembly/assembly.ts';
import { startThread } from './base/thread.ts';
import { embeddedFile } from './engine/embedded/embedded-engine.ts';
import { type EngineOptions, isEmbedded, startEngine } from './engine/engine.ts';
import { sharedHold } from './engine/held-records.ts';
import type { Principal } from './iam/policy.ts';
import { accessKeyOf } from './lambda/access-key.ts';
import { startTableGateway, type TableGatewayOptions } from './table-gateway/gateway.ts';
import type { GatewayThreadData } from './table-gateway/gateway-thread.ts';
import { sharedCount } from './table-gateway/write-count.ts';
import { ensureTables } from './tables/tables.ts';

/** Ends one part of a stack. */
export type Stop = () => Promise<unknown>;

/** The data side of a stack: engine, tables and the check of every call against its caller's role. */
export interface Tables {
  /** For functions, and for operators, who may do anything. */
  readonly endpoint: string;
  /** For reading the stream. Everything else goes through the gateway, which refuses calls from web pages. */
  readonly engineEndpoint: string;
  /** The same, where the engine's file can be read. */
  readonly engineFile: string | undefined;
  /** Which of its stream records aren't on disk. */
  readonly held: SharedArrayBuffer;
  readonly streamArns: ReadonlyMap<string, string>;
  /** Counts writes; an engine at another address may have writers that this stack doesn't see. */
  readonly writes: SharedArrayBuffer | undefined;
  readonly died: Promise<string>;
  /** Part of the functions' access keys. */
  readonly secret: string;
  /** For threads that run functions, one each: over it they say whose ports carry table calls. */
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
  /** The endpoint's. @default a free one */
  readonly tablesPort?: number | undefined;
  readonly log: (source: string, text: string) => void;
}

/** Pushes what ends each part to `started`, as soon as it runs. */
export async function startTables(
  { functions, tables }: Assembly,
  {
    engine: kind = 'sqlite',
    data,
    enforceIam = true,
    leadingKeys,
    observe,
    operatorKey,
    tablesPort,
    log,
  }: TableOptions,
  started: Stop[],
): Promise<Tables> {
  if (isEmbedded(kind))
    return startEmbedded(
      { functions, tables },
      { data, enforceIam, leadingKeys, observe, operatorKey, tablesPort, log },
      started,
    );
  const engine = await startEngine({
    engine: kind,
    ...(data && { data: join(data, 'dynamodb'), stackFolder: data }),
  });
  started.push(engine.stop);
  const streamArns = await ensureTables(engine.endpoint, tables);
  const writes = typeof kind === 'string' && kind !== 'dynoxide' ? undefined : sharedCount();
  const held = sharedHold();
  const writesBeside = kind === 'dynoxide' && data !== undefined && process.env.LOCAL_WRITER !== 'engine';
  const secret = randomBytes(8).toString('hex');
  const [main, followers] = [new MessageChannel(), new MessageChannel()];
  const gateway = await startGateway(
    {
      endpoint: engine.endpoint,
      port: tablesPort,
      principals: principalsOf(functions, secret),
      ...(operatorKey !== undefined && { operatorKey }),
      tables,
      enforce: enforceIam,
      ...(leadingKeys && { leadingKeys }),
      sharesCommits: kind === 'dynoxide',
      ...(engine.file !== undefined && { file: engine.file }),
      ...(writesBeside && { writesBeside: { version: engine.version, held } }),
      ...(writes && { writes }),
      ...(enforceIam && observe && { observe }),
    },
    [main.port1, followers.port1],
    (text) => log('tables', text),
  );
  started.push(gateway.stop);
  return {
    endpoint: gateway.endpoint,
    engineEndpoint: engine.endpoint,
    engineFile: engine.file,
    held,
    streamArns,
    writes,
    secret,
    controls: { main: main.port2, followers: followers.port2 },
    died: Promise.race([engine.died, gateway.died]),
  };
}

/** The engine is the gateway's. */
async function startEmbedded(
  { functions, tables }: Pick<Assembly, 'functions' | 'tables'>,
  {
    data,
    enforceIam = true,
    leadingKeys,
    observe,
    operatorKey,
    tablesPort,
    log,
  }: Omit<TableOptions, 'engine'>,
  started: Stop[],
): Promise<Tables> {
  const folder = data ? join(data, 'dynamodb') : mkdtempSync(join(tmpdir(), 'engine-'));
  if (!data) started.push(async () => rmSync(folder, { recursive: true, force: true }));
  const [writes, held] = [sharedCount(), sharedHold()];
  const secret = randomBytes(8).toString('hex');
  const [main, followers] = [new MessageChannel(), new MessageChannel()];
  const gateway = await startGateway(
    {
      endpoint: 'http://127.0.0.1:9',
      embedded: { folder, held },
      port: tablesPort,
      principals: principalsOf(functions, secret),
      ...(operatorKey !== undefined && { operatorKey }),
      tables,
      enforce: enforceIam,
      ...(leadingKeys && { leadingKeys }),
      writes,
      ...(enforceIam && observe && { observe }),
    },
    [main.port1, followers.port1],
    (text) => log('tables', text),
  );
  started.push(gateway.stop);
  const streamArns = await ensureTables(gateway.endpoint, tables, operatorKey);
  return {
    endpoint: gateway.endpoint,
    engineEndpoint: gateway.endpoint,
    engineFile: embeddedFile(folder),
    held,
    streamArns,
    writes,
    secret,
    controls: { main: main.port2, followers: followers.port2 },
    died: gateway.died,
  };
}

/** Functions with their rights, by access key id. */
export function principalsOf(
  functions: Assembly['functions'],
  secret: string,
): ReadonlyMap<string, Principal> {
  return new Map(functions.map(({ id, statements }) => [accessKeyOf(id, secret), { name: id, statements }]));
}

interface Gateway {
  readonly endpoint: string;
  readonly died: Promise<string>;
  readonly stop: Stop;
}

/** Starts the gateway in a thread; in this one if an observer must be called here. */
async function startGateway(
  options: TableGatewayOptions,
  controls: readonly MessagePort[],
  log: (text: string) => void,
): Promise<Gateway> {
  if (options.observe) {
    return {
      ...(await startTableGateway({ ...options, log }, controls)),
      died: new Promise(() => undefined),
    };
  }
  const { started, died, stop } = await startThread<string, string>({
    folder: join(import.meta.dirname, 'table-gateway'),
    module: 'gateway-thread',
    data: { options, controls } satisfies GatewayThreadData,
    transfer: controls,
    onNote: log,
  });
  return { endpoint: started, died, stop };
}
