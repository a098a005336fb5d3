import { randomUUID } from 'node:crypto';
import { url as inspectorUrl } from 'node:inspector';
import nodeModule from 'node:module';
import { dirname, extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { outbox } from '../base/outbox.ts';
import { resourceLimits } from '../base/thread.ts';
import type { FromWorker, FunctionError, Invocation, WorkerData } from './messages.ts';

export interface FunctionThreadOptions {
  readonly data: WorkerData;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly log: (text: string) => void;
  /** Called once, when the thread takes no more invocations. */
  readonly onRetired: () => void;
  readonly onExited: () => void;
}

/** The JSON that the handler returned, or the error. */
export type HandlerResult = { readonly payload: string } | { readonly error: FunctionError };

interface Pending {
  readonly settle: (answer: HandlerResult) => void;
  timer?: NodeJS.Timeout;
}

const initSeconds = 10;
/** The compile cache in use. Not imported by name, which Node 20 lacks: it would fail before node-version.js. */
const compiled = nodeModule.getCompileCacheDir();
/** The thread's environment is separate, so it needs this variable to reuse compiled bundles. */
const compileCache = compiled === undefined ? {} : { NODE_COMPILE_CACHE: dirname(compiled) };
/** The worker next to this file: TypeScript in the sources, JavaScript in the published package. */
const sourceFile = join(import.meta.dirname, `worker${extname(import.meta.filename)}`);

/**
 * A worker thread that runs one function. Unlike on Lambda, concurrent invocations share it, so that state leaking
 * between invocations shows sooner. A thread that has timed out takes no new invocations; running ones may finish.
 */
export class FunctionThread {
  readonly #options: FunctionThreadOptions;
  readonly #worker: Worker;
  readonly #post = outbox<Invocation>((invocations) => this.#worker.postMessage(invocations));
  readonly #pending = new Map<string, Pending>();
  /** Invocations that wait for the bundle. */
  #queue: { id: string; event: string }[] | undefined = [];
  #retired = false;

  constructor(options: FunctionThreadOptions) {
    this.#options = options;
    this.#worker = new Worker(sourceFile, {
      workerData: options.data,
      transferList: options.data.tables ? [options.data.tables.port] : [],
      env: { ...options.environment, ...compileCache },
      stdout: true,
      stderr: true,
      execArgv: [],
      resourceLimits,
      // The name in the system's list of threads.
      name: options.data.functionName,
    });
    this.#listen();
  }

  invoke(event: string): Promise<HandlerResult> {
    const id = randomUUID();
    const { promise, resolve } = Promise.withResolvers<HandlerResult>();
    this.#pending.set(id, { settle: resolve });
    if (this.#queue) {
      // Loading the bundle has its own limit and doesn't count as the invocation's time, as on Lambda.
      this.#limit(id, initSeconds + this.#options.timeoutSeconds);
      this.#queue.push({ id, event });
    } else {
      this.#send(id, event);
    }
    return promise;
  }

  async stop(): Promise<void> {
    this.#retire();
    await this.#worker.terminate();
  }

  #listen(): void {
    const { log, onExited } = this.#options;
    this.#worker.stdout.setEncoding('utf8').on('data', log);
    this.#worker.stderr.setEncoding('utf8').on('data', log);
    this.#worker.on('message', (messages: FromWorker[]) => {
      for (const message of messages) this.#receive(message);
    });
    this.#worker.on('error', (error: unknown) => this.#fail(describeCrash(error)));
    this.#worker.on('exit', (code) => {
      const errorMessage = `Error: Runtime exited with error: exit status ${code}`;
      this.#fail({ errorType: 'Runtime.ExitError', errorMessage });
      onExited();
    });
  }

  #receive(message: FromWorker): void {
    if (message.kind === 'result') {
      this.#settle(message.id, message);
    } else if (message.kind === 'failure') {
      this.#report(message.error);
      this.#settle(message.id, message);
    } else if (message.kind === 'broken') {
      this.#options.log(
        `INIT_REPORT Phase: init\tStatus: error\tError Type: ${message.error.errorType}\n${textOf(message.error)}\n`,
      );
      this.#retire();
      this.#fail(message.error);
    } else {
      const waiting = this.#queue ?? [];
      this.#queue = undefined;
      for (const { id, event } of waiting) this.#send(id, event);
    }
  }

  #send(id: string, event: string): void {
    const { timeoutSeconds } = this.#options;
    this.#limit(id, timeoutSeconds);
    this.#post({ id, event, deadline: Date.now() + timeoutSeconds * 1000 });
  }

  #limit(id: string, seconds: number): void {
    const invocation = this.#pending.get(id);
    // No timeout while a debugger is attached.
    if (!invocation || inspectorUrl() !== undefined) return;
    clearTimeout(invocation.timer);
    invocation.timer = setTimeout(() => this.#timeOut(id), seconds * 1000);
  }

  #timeOut(id: string): void {
    const reason = `Task timed out after ${this.#options.timeoutSeconds.toFixed(2)} seconds`;
    this.#options.log(`${new Date().toISOString()} ${id} ${reason}\n`);
    this.#retire();
    const errorMessage = `RequestId: ${id} Error: ${reason}`;
    this.#settle(id, { error: { errorType: 'Sandbox.Timedout', errorMessage } });
  }

  #settle(id: string, answer: HandlerResult): void {
    const invocation = this.#pending.get(id);
    if (!invocation) return;
    clearTimeout(invocation.timer);
    this.#pending.delete(id);
    invocation.settle(answer);
    if (this.#retired && this.#pending.size === 0) void this.#worker.terminate();
  }

  #fail(error: FunctionError): void {
    // An exit follows every crash and stop; only the first is reported.
    if (!this.#retired) this.#report(error);
    this.#retire();
    for (const id of [...this.#pending.keys()]) this.#settle(id, { error });
    void this.#worker.terminate();
  }

  #retire(): void {
    if (this.#retired) return;
    this.#retired = true;
    this.#options.onRetired();
  }

  #report(error: FunctionError): void {
    this.#options.log(`${textOf(error)}\n`);
  }
}

const textOf = ({ errorType, errorMessage, stack }: FunctionError): string =>
  stack ?? `${errorType}: ${errorMessage}`;

/** Describes an error of another thread, which isn't an instance of this thread's Error. */
function describeCrash(error: unknown): FunctionError {
  if (error === null || typeof error !== 'object' || !('message' in error)) {
    return { errorType: 'Runtime.ExitError', errorMessage: String(error) };
  }
  return {
    errorType: 'name' in error ? String(error.name) : 'Error',
    errorMessage: String(error.message),
    ...('stack' in error && { stack: String(error.stack) }),
  };
}
