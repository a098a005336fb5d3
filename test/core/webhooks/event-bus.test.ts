import { AwsError } from '../../../core/table/errors.ts';
import { openBuses } from '../../../core/webhooks/event-bus.ts';

const body = JSON.stringify({ type: 'link.created', timestamp: '2026-03-01T12:00:00.000Z' });

const outcomeOf = (answer: () => Promise<Record<string, unknown>>) =>
  openBuses(async () => await answer(), 1000)('orders', body);

test('an event that the bus took is delivered', async () => {
  expect(await outcomeOf(async () => ({ FailedEntryCount: 0, Entries: [{ EventId: '1' }] }))).toMatchObject({
    status: 200,
  });
});

test('an entry that failed in a call that succeeded is not delivered', async () => {
  const outcome = await outcomeOf(async () => ({
    FailedEntryCount: 1,
    Entries: [{ ErrorCode: 'ThrottlingException', ErrorMessage: 'Rate exceeded' }],
  }));
  expect(outcome).toEqual({ error: 'ThrottlingException: Rate exceeded', ms: expect.any(Number) });
});

test('a call that fails is an attempt that failed', async () => {
  const outcome = await outcomeOf(() => Promise.reject(new AwsError({ name: 'InternalException' })));
  expect(outcome).toEqual({ error: expect.stringContaining('InternalException'), ms: expect.any(Number) });
});
