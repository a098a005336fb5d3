import { once } from 'node:events';
import { extname, join } from 'node:path';
import { type MessagePort, parentPort, Worker, workerData } from 'node:worker_threads';

/** A part of the stack that runs in a thread, so that its work keeps no viewer waiting. */
export interface Thread<Started> {
  readonly started: Started;
  /** Resolves, with the reason, if it ends before it is stopped. */
  readonly died: Promise<string>;
  stop(): Promise<void>;
}

export interface ThreadOptions<Note> {
  /** Folder and name of the thread's module, without its ending: `.ts` in the sources, `.js` in the package. */
  readonly folder: string;
  readonly module: string;
  /** Data for the thread, which must survive a structured clone. */
  readonly data: object;
  /** Ports within the data, which the thread gets for its own. */
  readonly transfer?: readonly MessagePort[] | undefined;
  /** Receives the thread's messages while it runs. */
  readonly onNote?: (note: Note) => void;
}

type FromThread =
  | { readonly kind: 'started'; readonly started: unknown }
  | { readonly kind: 'note'; readonly note: unknown }
  | { readonly kind: 'stopped' };

/** Limits of every thread. A visit's objects die in milliseconds; V8's smaller default would copy most of them. */
export const resourceLimits = { maxYoungGenerationSizeMb: 96 };

/** Starts a thread. Resolves once it runs; rejects with the cause if it can't start. */
export async function startThread<Started, Note = never>({
  folder,
  module,
  data,
  transfer = [],
  onNote,
}: ThreadOptions<Note>): Promise<Thread<Started>> {
  const file = join(folder, `${module}${extname(import.meta.filename)}`);
  const worker = new Worker(file, {
    workerData: data,
    transferList: [...transfer],
    execArgv: [],
    resourceLimits,
    name: module,
  });
  const started = Promise.withResolvers<Started>();
  const stopped = Promise.withResolvers<void>();
  const died = Promise.withResolvers<string>();
  let isStopping = false;
  worker.on('message', (message: FromThread) => {
    if (message.kind === 'started') started.resolve(message.started as Started);
    else if (message.kind === 'note') onNote?.(message.note as Note);
    else stopped.resolve();
  });
  worker.on('error', (error) => {
    started.reject(error);
    died.resolve(`${module} failed: ${error}`);
  });
  worker.on('exit', () => {
    started.reject(new Error(`${module} ended before it had started`));
    if (!isStopping) died.resolve(`${module} ended`);
    stopped.resolve();
  });
  const stop = async () => {
    isStopping = true;
    worker.postMessage('stop');
    await stopped.promise;
    await worker.terminate();
  };
  return { started: await started.promise, died: died.promise, stop };
}

export interface Running<Started> {
  readonly started: Started;
  stop(): Promise<unknown>;
}

/** Runs in the thread: starts the part with the thread's data, and stops it on request. */
export async function runThread<Data, Started, Note = never>(
  start: (data: Data, tell: (note: Note) => void) => Promise<Running<Started>>,
): Promise<void> {
  const send = (message: FromThread) => parentPort?.postMessage(message);
  const { started, stop } = await start(workerData as Data, (note) => send({ kind: 'note', note }));
  send({ kind: 'started', started });
  if (parentPort) await once(parentPort, 'message');
  await stop();
  send({ kind: 'stopped' });
}
