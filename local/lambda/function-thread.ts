import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { FromWorker, FunctionError, Invocation, WorkerData } from './messages.ts';

export interface ThreadOptions {
  readonly data: WorkerData;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutSeconds: number;
  readonly log: (text: string) => void;
  /** Called once, when the thread takes no more invocations. */
  readonly onRetired: () => void;
  readonly onExited: () => void;
}

/** The JSON that the handler returned, or what went wrong. */
export type Answer = { readonly payload: string } | { readonly error: FunctionError };

interface Pending {
  readonly settle: (answer: Answer) => void;
  timer?: NodeJS.Timeout;
}

export interface FunctionThread {
  invoke(event: string): Promise<Answer>;
  /** Resolves when the bundle is loaded, or has failed to load. */
  readonly loaded: Promise<void>;
  stop(): Promise<void>;
}

const initSeconds = 10;
const sourceFile = join(import.meta.dirname, 'worker.ts');

/**
 * One worker thread that runs one function. Invocations share it, which Lambda never does at the same time: state
 * that leaks from one invocation into another shows sooner here. A thread that has timed out takes no new
 * invocations; the ones beside it may finish.
 */
export function startFunctionThread(options: ThreadOptions): FunctionThread {
  const { data, timeoutSeconds, log } = options;
  const pending = new Map<string, Pending>();
  const worker = new Worker(sourceFile, {
    workerData: data,
    env: { ...options.environment },
    stdout: true,
    stderr: true,
    execArgv: [],
  });
  worker.stdout.setEncoding('utf8').on('data', log);
  worker.stderr.setEncoding('utf8').on('data', log);
  const ready = Promise.withResolvers<void>();
  let retired = false;
  // Loading the bundle has its own limit and isn't the invocation's time, as on Lambda.
  let queue: { id: string; event: string }[] | undefined = [];

  function retire(): void {
    if (retired) return;
    retired = true;
    options.onRetired();
  }

  function settle(id: string, answer: Answer): void {
    const invocation = pending.get(id);
    if (!invocation) return;
    clearTimeout(invocation.timer);
    pending.delete(id);
    invocation.settle(answer);
    if (retired && pending.size === 0) void worker.terminate();
  }

  function fail(error: FunctionError): void {
    retire();
    ready.resolve();
    for (const id of [...pending.keys()]) settle(id, { error });
    void worker.terminate();
  }

  function timeOut(id: string): void {
    const errorMessage = `RequestId: ${id} Error: Task timed out after ${timeoutSeconds.toFixed(2)} seconds`;
    log(`${new Date().toISOString()} ${id} Task timed out after ${timeoutSeconds.toFixed(2)} seconds\n`);
    retire();
    settle(id, { error: { errorType: 'Sandbox.Timedout', errorMessage } });
  }

  function limit(id: string, seconds: number): void {
    const invocation = pending.get(id);
    if (!invocation) return;
    clearTimeout(invocation.timer);
    invocation.timer = setTimeout(timeOut, seconds * 1000, id);
  }

  function send({ id, event }: { id: string; event: string }): void {
    limit(id, timeoutSeconds);
    const message: Invocation = { id, event, deadline: Date.now() + timeoutSeconds * 1000 };
    worker.postMessage(message);
  }

  worker.on('message', (message: FromWorker) => {
    if (message.kind === 'result') return settle(message.id, message);
    if (message.kind === 'failure') {
      log(`${message.error.stack ?? `${message.error.errorType}: ${message.error.errorMessage}`}\n`);
      return settle(message.id, message);
    }
    if (message.kind === 'broken') {
      log(`${message.error.stack ?? message.error.errorMessage}\n`);
      return fail(message.error);
    }
    ready.resolve();
    const waiting = queue ?? [];
    queue = undefined;
    waiting.forEach(send);
  });
  worker.on('error', (error: unknown) => {
    const crash = describeCrash(error);
    log(`${crash.stack ?? crash.errorMessage}\n`);
    fail(crash);
  });
  worker.on('exit', (code) => {
    const errorMessage = `Error: Runtime exited with error: exit status ${code}`;
    fail({ errorType: 'Runtime.ExitError', errorMessage });
    options.onExited();
  });

  return {
    loaded: ready.promise,
    invoke: (event) => {
      const id = randomUUID();
      const { promise, resolve } = Promise.withResolvers<Answer>();
      pending.set(id, { settle: resolve });
      if (queue) {
        limit(id, initSeconds + timeoutSeconds);
        queue.push({ id, event });
      } else {
        send({ id, event });
      }
      return promise;
    },
    stop: async () => {
      retire();
      await worker.terminate();
    },
  };
}

/** What arrives from another thread only looks like an Error: it isn't an instance of this thread's class. */
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
