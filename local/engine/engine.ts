import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startJsonService } from '../base/json-service.ts';
import { engineClient } from './engine-client.ts';
import { startProgram } from './engine-process.ts';
import type { EngineProgram } from './engine-program.ts';
import { sharedHold } from './sqlite/held-records.ts';
import { type Input, openSqliteEngine, type StreamFile, streamFileOf } from './sqlite/sqlite-engine.ts';

export interface EngineOptions {
  /** SQLite in this process, another program, or the address of a DynamoDB endpoint that runs already. */
  readonly engine: 'sqlite' | EngineProgram | `http://${string}`;
  /** Folder for the data; without it, nothing is kept. */
  readonly data?: string;
  /** The stack's data folder, which messages name. @default data */
  readonly stackFolder?: string;
  /** Sees every call of `sqlite` before it is made. */
  readonly watch?: (operation: string, input: Input) => void;
}

export interface Engine {
  readonly endpoint: string;
  /** Set by `sqlite`: its stream can be read past the endpoint, also in other threads. */
  readonly stream?: StreamFile;
  /** Set by `sqlite`: removes expired items, as the service does. Resolves to their number. */
  readonly sweep?: (now: number) => Promise<number>;
  /** Resolves with the engine's last output if it ends before it is stopped. */
  readonly died: Promise<string>;
  /** Acknowledged writes are on disk when it resolves. */
  stop(): Promise<void>;
}

/** Starts a DynamoDB engine on a free port and resolves once it responds. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { engine, data, stackFolder } = options;
  if (typeof engine === 'string' && engine !== 'sqlite') return remote(engine);
  const folder = data ?? mkdtempSync(join(tmpdir(), 'engine-'));
  ensureWritable(folder);
  const started =
    engine === 'sqlite'
      ? await startSqlite(folder, options)
      : await startProgram(engine, folder, stackFolder ?? folder);
  const stop = async () => {
    await started.stop();
    if (!data) rmSync(folder, { recursive: true, force: true });
  };
  return { ...started, stop };
}

/** Opens SQLite in this thread, for tables without a stack. In a stack, the table gateway opens it. */
async function startSqlite(folder: string, { stackFolder = folder, watch }: EngineOptions): Promise<Engine> {
  const held = sharedHold();
  const engine = openSqliteEngine({ folder, stackFolder, held });
  const { endpoint, stop } = await startJsonService(({ operation, body }) => {
    const input = JSON.parse(body.toString());
    watch?.(operation, input);
    return engine.call(operation, input);
  });
  return {
    endpoint,
    stream: streamFileOf(folder, held),
    sweep: engine.sweep,
    died: new Promise(() => undefined),
    stop: () => stop().finally(engine.close),
  };
}

async function remote(endpoint: string): Promise<Engine> {
  const client = engineClient(endpoint);
  try {
    await client.call('ListTables', {});
  } catch (cause) {
    throw new Error(`No DynamoDB endpoint answers at ${endpoint}`, { cause });
  } finally {
    client.close();
  }
  return { endpoint, died: new Promise(() => undefined), stop: async () => undefined };
}

function ensureWritable(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (cause) {
    throw new Error(`The data folder can't be written: ${folder}`, { cause });
  }
}
