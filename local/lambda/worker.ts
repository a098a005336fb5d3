import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort, workerData } from 'node:worker_threads';
import { outbox } from '../base/outbox.ts';
import type { FromWorker, FunctionError, Invocation, WorkerData } from './messages.ts';
import { callTablesBy } from './table-calls.ts';

/** The thread of one function: loads the bundle once, then handles invocations until it is terminated. */

type Handler = (event: unknown, context: object, callback?: Callback) => unknown;
type Callback = (error: unknown, result?: unknown) => void;

const settings: WorkerData = workerData;
const send = outbox<FromWorker>((messages) => parentPort?.postMessage(messages));

// Node has read it, and it isn't a variable of the function.
delete process.env.NODE_COMPILE_CACHE;

if (settings.tables) callTablesBy(settings.tables.port, settings.tables.endpoint);

try {
  const handler = await loadHandler();
  parentPort?.on('message', (invocations: Invocation[]) => {
    for (const invocation of invocations) void answer(handler, invocation);
  });
  send({ kind: 'ready' });
} catch (error) {
  send({ kind: 'broken', error: describe(error) });
}

async function loadHandler(): Promise<Handler> {
  const dot = settings.handler.lastIndexOf('.');
  const file = settings.handler.slice(0, dot);
  const path = ['.mjs', '.js', '.cjs'].map((ending) => join(settings.code, file + ending)).find(existsSync);
  if (!path) throw named('Runtime.ImportModuleError', `Cannot find module '${file}'`);
  const loaded: Record<string, unknown> = await import(pathToFileURL(path).href);
  const name = settings.handler.slice(dot + 1);
  // A CommonJS bundle's exports may only be visible on its default export.
  const handler = loaded[name] ?? (loaded.default as Record<string, unknown> | undefined)?.[name];
  if (typeof handler !== 'function') {
    throw named('Runtime.HandlerNotFound', `${settings.handler} is undefined or not exported`);
  }
  return handler as Handler;
}

async function answer(handler: Handler, invocation: Invocation): Promise<void> {
  const { id } = invocation;
  try {
    const result = await call(handler, JSON.parse(invocation.event), contextOf(invocation));
    send({ kind: 'result', id, payload: JSON.stringify(result) ?? 'null' });
  } catch (error) {
    send({ kind: 'failure', id, error: describe(error) });
  }
}

function call(handler: Handler, event: unknown, context: object): unknown {
  if (handler.length < 3) return handler(event, context);
  return new Promise((resolve, reject) => {
    const returned = handler(event, context, (error, result) => (error ? reject(error) : resolve(result)));
    if (returned instanceof Promise) returned.then(resolve, reject);
  });
}

function contextOf({ id, deadline }: Invocation): object {
  return {
    awsRequestId: id,
    functionName: settings.functionName,
    functionVersion: '$LATEST',
    invokedFunctionArn: `arn:aws:lambda:us-east-1:000000000000:function:${settings.functionName}`,
    memoryLimitInMB: String(settings.memoryMb),
    logGroupName: `/aws/lambda/${settings.functionName}`,
    logStreamName: 'local',
    callbackWaitsForEmptyEventLoop: true,
    getRemainingTimeInMillis: () => deadline - Date.now(),
  };
}

function describe(error: unknown): FunctionError {
  if (!(error instanceof Error)) {
    return {
      errorType: typeof error,
      errorMessage: typeof error === 'string' ? error : JSON.stringify(error),
    };
  }
  const { name, message, stack } = error;
  return { errorType: name, errorMessage: message, ...(stack !== undefined && { stack }) };
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}
