import { randomInt } from 'node:crypto';
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startJsonService } from '../base/json-service.ts';
import { dynoxide } from './dynoxide.ts';
import { embeddedFile, openEmbedded } from './embedded/embedded-engine.ts';
import { engineClient } from './engine-client.ts';
import type { EngineProgram } from './engine-program.ts';
import { type GuardedProcess, startGuarded } from './guarded-process.ts';
import { sharedHold } from './held-records.ts';
import { claim, removeOwner, writeOwner } from './owner-file.ts';

export interface EngineOptions {
  /** Dynoxide, another program, or the address of a DynamoDB endpoint that runs already. */
  readonly engine: 'sqlite' | 'dynoxide' | EngineProgram | `http://${string}`;
  /** Folder that the data survives in; nothing is kept without it. */
  readonly data?: string;
  /** The stack's data folder, which messages name. @default data */
  readonly stackFolder?: string;
}

export interface Engine {
  readonly endpoint: string;
  /** Its database, if that can be read beside it. */
  readonly file?: string | undefined;
  /** What it says of its version, if it was asked. */
  readonly version?: string | undefined;
  /** Resolves, with what the engine said last, if it ends before it is stopped. */
  readonly died: Promise<string>;
  /** Acknowledged writes are on disk when it resolves. */
  stop(): Promise<void>;
}

/** Starts a DynamoDB engine on a free port and resolves once it responds. */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { engine } = options;
  if (isEmbedded(engine)) return embedded(options);
  if (typeof engine === 'string' && engine !== 'dynoxide') return remote(engine as string);
  const program = engine === 'dynoxide' ? dynoxide() : engine;
  const folder = options.data ?? mkdtempSync(join(tmpdir(), 'engine-'));
  ensureWritable(folder);
  const ownerFile = join(folder, 'engine.json');
  await claim(ownerFile, program.name, options.stackFolder ?? folder);
  const [{ child, endpoint }, version] = await Promise.all([launch(program, folder), program.version?.()]);
  writeOwner(ownerFile, child.pid);
  program.tend(folder);

  let stopping = false;
  const died = new Promise<string>((resolve) => {
    child.exited.then((output) => {
      if (!stopping) resolve(`The DynamoDB engine (${program.name}) ended unexpectedly. ${output}`.trim());
    });
  });
  const stop = async () => {
    stopping = true;
    await child.stop();
    removeOwner(ownerFile);
    if (!options.data) rmSync(folder, { recursive: true, force: true });
  };
  return { endpoint, file: program.file?.(folder), version, died, stop };
}

/** PROTOTYPE: LOCAL_ENGINE=dynoxide brings the old one back. */
export const isEmbedded = (engine: EngineOptions['engine']): boolean =>
  engine === 'sqlite' || (engine === 'dynoxide' && process.env.LOCAL_ENGINE !== 'dynoxide');

/** In this thread, for tables without a stack. */
async function embedded({ data }: EngineOptions): Promise<Engine> {
  const folder = data ?? mkdtempSync(join(tmpdir(), 'engine-'));
  ensureWritable(folder);
  const opened = openEmbedded({ folder, held: sharedHold() });
  const { endpoint, stop } = await startJsonService(({ operation, body }) =>
    opened.call(operation, JSON.parse(body.toString())),
  );
  return {
    endpoint,
    file: embeddedFile(folder),
    died: new Promise(() => undefined),
    stop: async () => {
      await stop();
      await opened.close();
      if (!data) rmSync(folder, { recursive: true, force: true });
    },
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

async function launch(program: EngineProgram, folder: string) {
  for (let attempt = 1; ; attempt++) {
    const host = program.takesHost ? quietHost() : '127.0.0.1';
    const port = await freePort(host);
    const endpoint = `http://${host}:${port}`;
    const child = await startGuarded(program.command({ host, port }, folder));
    const problem = await ready(child, endpoint);
    if (problem === undefined) return { child, endpoint };
    await child.stop();
    if (!isPortTaken(problem) || attempt === 5) {
      const isCorrupt = /not a (valid SQLite )?database|malformed|corrupt/i.test(problem);
      const cure = isCorrupt ? `. Delete ${folder} or move it away to start empty` : '';
      throw new Error(
        `The DynamoDB engine (${program.name}) can't work in ${folder}: ${oneLine(problem)}${cure}`,
      );
    }
  }
}

/**
 * Whether an engine ended because another program listens at its port. Dynoxide looks for one on all addresses;
 * DynamoDB Local and the system say so in other words.
 */
export const isPortTaken = (problem: string): boolean =>
  /port \d+ is already in use|address.*in use|EADDRINUSE|AddrInUse/i.test(problem);

/** Undefined once a real request succeeds, else why none does. */
async function ready(child: GuardedProcess, endpoint: string): Promise<string | undefined> {
  const client = engineClient(endpoint);
  let ended: string | undefined;
  child.exited.then((output) => {
    ended = output || 'it ended at once';
  });
  let last = 'no answer';
  try {
    for (const start = Date.now(); Date.now() - start < 20_000; await sleep(10)) {
      if (ended !== undefined) return ended;
      try {
        await client.call('ListTables', {});
        return undefined;
      } catch (error) {
        last = error instanceof Error ? error.message : String(error);
      }
    }
    return last;
  } finally {
    client.close();
  }
}

const oneLine = (text: string) => text.trim().split('\n').slice(-3).join(' ').slice(0, 300);

/**
 * An address of this machine that a web page would have to guess: engines serve everybody, and only the gateway before
 * them refuses web pages. Other systems than Linux have 127.0.0.1 alone.
 */
const quietHost = (): string =>
  process.platform === 'linux'
    ? `127.${randomInt(1, 255)}.${randomInt(256)}.${randomInt(1, 255)}`
    : '127.0.0.1';

function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, host, () => {
      const address = server.address();
      server.close(() => (address && typeof address === 'object' ? resolve(address.port) : reject()));
    });
  });
}
