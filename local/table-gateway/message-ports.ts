import type { MessagePort } from 'node:worker_threads';
import { failureResponse, operationOf, type ServiceResponse } from '../base/json-service.ts';
import { outbox } from '../base/outbox.ts';
import { unsigned } from '../iam/callers.ts';

/** A call in the table gateway's form. */
export interface GatewayCall {
  readonly caller: string;
  readonly operation: string;
  /** The body. */
  readonly text: string;
}

export type Handle = (call: GatewayCall) => Promise<ServiceResponse>;

/** A function's call across threads. It has no caller, because the runtime registered the port's caller. */
export interface TableCall {
  readonly id: number;
  /** The header that names the operation. */
  readonly target: string;
  readonly text: string;
  readonly isSigned: boolean;
}

export interface TableResponse extends ServiceResponse {
  readonly id: number;
}

/** Registers a function's port to its tables. */
export interface NewCaller {
  /** Access key id. */
  readonly caller: string;
  readonly port: MessagePort;
}

/** Lets a thread's functions call their tables without HTTP. The thread registers functions' ports over `control`. */
export function serveMessagePorts(control: MessagePort, handle: Handle): void {
  control.on('message', ({ caller, port }: NewCaller) => {
    const answer = outbox<TableResponse>((answers) => port.postMessage(answers));
    const serve = async ({ id, target, text, isSigned }: TableCall) => {
      const operation = operationOf(target);
      const result = isSigned ? handle({ caller, operation, text }).catch(failureResponse) : unsigned;
      answer({ id, ...(await result) });
    };
    port.on('message', (calls: TableCall[]) => {
      for (const call of calls) void serve(call);
    });
  });
  // The port doesn't keep the thread alive.
  control.unref();
}
