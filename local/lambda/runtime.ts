import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type { FunctionResource } from '../assembly/assembly.ts';
import type { NewCaller } from '../table-gateway/message-ports.ts';
import { FunctionThread } from './function-thread.ts';
import type { WorkerData } from './messages.ts';

export type InvocationResult =
  | { readonly ok: true; readonly payload: unknown }
  | { readonly ok: false; readonly errorType: string; readonly errorMessage: string };

export type Invoke = (functionId: string, event: unknown) => Promise<InvocationResult>;

export interface LambdaRuntime {
  /** Runs the function as a synchronous invocation does; a failing function is a result, not an exception. */
  readonly invoke: Invoke;
  /** Invokes with an event in JSON. */
  readonly invokeWithJson: (functionId: string, event: string) => Promise<InvocationResult>;
  stop(): Promise<void>;
}

export interface LambdaOptions {
  readonly functions: readonly FunctionResource[];
  /** The tables' HTTP endpoint, and the port that registers callers' ports at their gateway. */
  readonly tables: { readonly endpoint: string; readonly control?: MessagePort };
  /** The access key id that identifies a function's calls. */
  readonly principalOf: (functionId: string) => string;
  readonly log: (functionName: string, text: string) => void;
}

/** Bytes of the largest request and response of a synchronous invocation. */
export const payloadLimit = 6 * 1024 * 1024;

export function createLambdaRuntime(options: LambdaOptions): LambdaRuntime {
  const functions = new Map(options.functions.map((resource) => [resource.id, resource]));
  /** The thread that takes a function's next invocation. */
  const threads = new Map<string, FunctionThread>();
  const alive = new Set<FunctionThread>();
  let stopped = false;

  /** Opens a port to the tables. All calls over it count as this function's. */
  const connect = (id: string): WorkerData['tables'] => {
    const { control, endpoint } = options.tables;
    if (!control) return undefined;
    const { port1, port2 } = new MessageChannel();
    control.postMessage({ caller: options.principalOf(id), port: port1 } satisfies NewCaller, [port1]);
    return { endpoint, port: port2 };
  };

  function threadOf(id: string): FunctionThread {
    const running = threads.get(id);
    if (running) return running;
    const resource = functions.get(id);
    if (!resource) throw new Error(`there is no function ${id}`);
    const thread: FunctionThread = new FunctionThread({
      data: {
        functionName: id,
        code: resource.code,
        handler: resource.handler,
        memoryMb: resource.memoryMb,
        tables: connect(id),
      },
      environment: environmentOf(resource, options),
      timeoutSeconds: resource.timeoutSeconds,
      log: (text) => options.log(id, text),
      onRetired: () => threads.delete(id),
      onExited: () => alive.delete(thread),
    });
    threads.set(id, thread);
    alive.add(thread);
    return thread;
  }

  const invokeWithJson: LambdaRuntime['invokeWithJson'] = async (functionId, event) => {
    if (stopped) return { ok: false, errorType: 'ServiceException', errorMessage: 'shutting down' };
    if (exceeds(event, payloadLimit)) {
      return {
        ok: false,
        errorType: 'RequestEntityTooLargeException',
        errorMessage: `Request must be smaller than ${payloadLimit} bytes for the InvokeFunction operation`,
      };
    }
    const answer = await threadOf(functionId).invoke(event);
    if ('error' in answer) {
      return { ok: false, errorType: answer.error.errorType, errorMessage: answer.error.errorMessage };
    }
    if (exceeds(answer.payload, payloadLimit)) {
      return {
        ok: false,
        errorType: 'Function.ResponseSizeTooLarge',
        errorMessage: `Response payload size exceeded maximum allowed payload size (${payloadLimit} bytes).`,
      };
    }
    return { ok: true, payload: JSON.parse(answer.payload) };
  };

  return {
    invoke: (functionId, event) => invokeWithJson(functionId, JSON.stringify(event) ?? 'null'),
    invokeWithJson,
    stop: async () => {
      stopped = true;
      await Promise.all([...alive].map((thread) => thread.stop()));
    },
  };
}

/** Lambda's variables, then the template's, then those of this machine's tables. */
function environmentOf(
  { id, region, code, environment, handler, memoryMb }: FunctionResource,
  { tables, principalOf }: LambdaOptions,
): Record<string, string> {
  return {
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    AWS_EXECUTION_ENV: `AWS_Lambda_nodejs${process.versions.node.split('.')[0]}.x`,
    AWS_LAMBDA_FUNCTION_NAME: id,
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(memoryMb),
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${id}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    _HANDLER: handler,
    LAMBDA_TASK_ROOT: code,
    LANG: 'en_US.UTF-8',
    TZ: ':UTC',
    ...environment,
    AWS_ACCESS_KEY_ID: principalOf(id),
    AWS_SECRET_ACCESS_KEY: 'local',
    AWS_ENDPOINT_URL_DYNAMODB: tables.endpoint,
  };
}

/** Whether a text exceeds this many bytes. Bytes are counted only if the length doesn't decide. */
function exceeds(text: string, limit: number): boolean {
  return text.length * 3 > limit && Buffer.byteLength(text) > limit;
}
