import type { MessagePort } from 'node:worker_threads';
import { runThread } from '../base/thread.ts';
import { startTableGateway, type TableGatewayOptions } from './gateway.ts';

export interface GatewayThreadData {
  readonly options: TableGatewayOptions;
  /** Transferred to this thread. */
  readonly controls: readonly MessagePort[];
}

void runThread<GatewayThreadData, string, string>(async ({ options, controls }, log) => {
  const { endpoint, stop } = await startTableGateway({ ...options, log }, controls);
  return { started: endpoint, stop };
});
