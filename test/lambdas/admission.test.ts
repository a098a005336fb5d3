import type { Contract } from '../../core/api/endpoint.ts';
import type { Table } from '../../core/table/table.ts';
import { admit } from '../../lambdas/admission.ts';
import { captureFunctionLog } from '../support/function-log.ts';

const caller = { project: 'acme', keyId: 'key', scopes: [], user: 'ann' };
const counted = {} as Contract;

test('an unresponsive counter lets the request through, with a metric', async () => {
  jest.useFakeTimers();
  const log = captureFunctionLog();
  const silent = { update: () => new Promise<never>(() => undefined) } as unknown as Table;
  const admitted = admit(counted, silent, caller, { now: new Date(), limit: 1000 });
  await jest.advanceTimersByTimeAsync(3000);
  jest.useRealTimers();
  log.stop();
  expect(await admitted).toBeUndefined();
  expect(log.lines.join('')).toContain('RateCounterUnavailable');
});
