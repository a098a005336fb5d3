import type { ServiceAnswer } from '../../base/json-service.ts';
import type { EngineWrites } from '../../engine/writes/engine-writes.ts';
import { directly } from '../../table-gateway/direct-writes.ts';
import { writesOfTransaction } from '../../table-gateway/transaction-parts.ts';

const made: ServiceAnswer = { status: 200, text: '{}' };

test('a transaction that is repeated at once is made once, after however many others', async () => {
  let times = 0;
  const beside: EngineWrites = {
    make: () => [],
    makeAll: () => {
      times += 1;
      return true;
    },
    synced: async () => undefined,
    isOnDisk: () => true,
    forgetTables: () => undefined,
    close: async () => undefined,
  };
  // The engine takes the first of a form.
  const run = directly(beside, async ([call]) => call.settle(made));
  const transact = async (token: number) => {
    const item = { TableName: 'Items', Item: { PK: { S: 'one' } } };
    const input = { TransactItems: [{ Put: item }], ClientRequestToken: String(token) };
    const writes = writesOfTransaction(input) ?? [];
    const { promise, resolve } = Promise.withResolvers<ServiceAnswer>();
    await run([{ operation: 'TransactWriteItems', input, writes, settle: resolve }]);
    expect(await promise).toEqual(made);
  };
  await transact(0);
  const many = 10_010;
  for (let token = 1; token <= many; token += 1) {
    await transact(token);
    if (token > 1) await transact(token - 1);
  }
  expect(times).toBe(many);
});
