import type { MessagePort } from 'node:worker_threads';
import { runThread } from '../base/thread.ts';
import { startTableGateway, type TableGatewayOptions } from './gateway.ts';

export interface GatewayThreadData {
  readonly options: TableGatewayOptions;
  /** Transferred to this thread. */
  readonly controls: readonly MessagePort[];
}

void runThread<GatewayThreadData, string>(async ({ options, controls }) => {
  const { endpoint, stop } = await startTableGateway(options, controls);
  return { started: endpoint, stop };
});
