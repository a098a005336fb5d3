import { runThread } from '../thread.ts';
import { startTableGateway, type TableGatewayOptions } from './gateway.ts';

void runThread<TableGatewayOptions, string>(async (options) => {
  const { endpoint, stop } = await startTableGateway(options);
  return { started: endpoint, stop };
});
