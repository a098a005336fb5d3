import type { MessagePort } from 'node:worker_threads';
import { failureAnswer, operationOf, type ServiceAnswer } from '../base/json-service.ts';
import { outbox } from '../base/outbox.ts';
import { unsigned } from '../iam/callers.ts';

/** A call as the table gateway takes it. */
export interface GatewayCall {
  readonly caller: string;
  readonly operation: string;
  /** The body. */
  readonly text: string;
}

export type Handle = (call: GatewayCall) => Promise<ServiceAnswer>;

/** A call of a function as it crosses threads. Callers don't say who they are: the runtime did, with the port. */
export interface TableCall {
  readonly id: number;
  /** The header that names the operation. */
  readonly target: string;
  readonly text: string;
  readonly isSigned: boolean;
}

export interface TableAnswer extends ServiceAnswer {
  readonly id: number;
}

/** Opens a function's way to its tables. */
export interface NewCaller {
  /** Access key id. */
  readonly caller: string;
  readonly port: MessagePort;
}

/** Lets the functions of a thread call their tables without HTTP. The thread says over `control` whose port is whose. */
export function openMessageDoor(control: MessagePort, handle: Handle): void {
  control.on('message', ({ caller, port }: NewCaller) => {
    const answer = outbox<TableAnswer>((answers) => port.postMessage(answers));
    const serve = async ({ id, target, text, isSigned }: TableCall) => {
      const operation = operationOf(target);
      const result = isSigned ? handle({ caller, operation, text }).catch(failureAnswer) : unsigned;
      answer({ id, ...(await result) });
    };
    port.on('message', (calls: TableCall[]) => {
      for (const call of calls) void serve(call);
    });
  });
  // The thread's other work keeps it alive, and the end of that ends it.
  control.unref();
}
