import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { InvocationRecord } from '../../event-source-mapping/destination.ts';
import type { InvocationResult } from '../../lambda/runtime.ts';
import { lastSecondOf } from '../../tables/record-time.ts';
import { ageRecords } from '../aged-records.ts';
import {
  accept,
  aStream,
  batchesOf,
  engine,
  failed,
  idsOf,
  isOtherEngine,
  newFolder,
  numberOf,
  report,
  until,
} from './stream.ts';

describe('a failing function', () => {
  test('gets the whole batch again until it succeeds, and later records wait', async () => {
    let calls = 0;
    const batches = await batchesOf('abc', () => (++calls < 3 ? failed : accept()), { batchSize: 2 });
    expect(batches).toEqual([['a', 'b'], ['a', 'b'], ['a', 'b'], ['c']]);
  });

  test('gets the records again from the lowest reported one on', async () => {
    let calls = 0;
    const batches = await batchesOf(
      'abcd',
      (event) => (++calls === 1 ? report(numberOf(event, 'd'), numberOf(event, 'b')) : accept()),
      { reportBatchItemFailures: true },
    );
    expect(batches).toEqual([[...'abcd'], [...'bcd']]);
  });

  test.each([
    ['an empty list', { batchItemFailures: [] }, 1],
    ['a null list', { batchItemFailures: null }, 1],
    ['an empty object', {}, 1],
    ['nothing', null, 1],
    ['a list in place of an object', [], 1],
    ['an empty identifier', { batchItemFailures: [{ itemIdentifier: '' }] }, 2],
    ['a null identifier', { batchItemFailures: [{ itemIdentifier: null }] }, 2],
    ['a misnamed key', { batchItemFailures: [{ foo: '1' }] }, 2],
    ['an identifier that is not in the batch', { batchItemFailures: [{ itemIdentifier: '1' }] }, 2],
  ])('that reports %s (%j) gets its whole batch, in %i calls', async (_, payload, times) => {
    let calls = 0;
    const batches = await batchesOf('ab', () => (++calls === 1 ? { ok: true, payload } : accept()), {
      reportBatchItemFailures: true,
    });
    expect(batches).toEqual(Array(times).fill(['a', 'b']));
  });

  test('may return anything if the mapping does not ask for reports', async () => {
    const batches = await batchesOf('a', (event) => report(numberOf(event, 'a')));
    expect(batches).toEqual([['a']]);
  });

  test('loses only the failing record when batches are bisected', async () => {
    const { start } = await aStream('abcdefgh');
    const discarded: InvocationRecord[] = [];
    const { ids, mapping } = start(
      (event) => (idsOf(event).includes('f') ? failed : accept()),
      { bisectBatchOnError: true, maximumRetryAttempts: 1, onFailure: 'arn:aws:s3:::failed' },
      { onDiscard: (record) => discarded.push(record) },
    );
    await mapping.idle();
    const accepted = ids().filter((batch) => !batch.includes('f'));
    expect(accepted.flat()).toEqual([...'abcdegh']);
    expect(ids().filter((batch) => batch.join() === 'f')).toHaveLength(2);
    expect(discarded).toHaveLength(1);
  });

  test('has its batch sent to the on-failure destination after the last retry', async () => {
    const { start } = await aStream('abc');
    const data = newFolder();
    const { events, ids, mapping } = start(
      (event) => (idsOf(event).includes('a') ? failed : accept()),
      { batchSize: 2, maximumRetryAttempts: 1, onFailure: 'arn:aws:s3:::failed-batches' },
      { data },
    );
    await mapping.idle();
    expect(ids()).toEqual([['a', 'b'], ['a', 'b'], ['c']]);
    const bucket = join(data, 'failed-batches');
    const [file = ''] = readdirSync(bucket, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.json'),
    );
    expect(file).toMatch(
      /^aws\/lambda\/Mapping\/[^/]+\/\d{4}\/\d\d\/\d\d\/\d{4}-\d\d-\d\dT\d\d\.\d\d\.\d\d-[0-9a-f-]{36}\.json$/,
    );
    const body = JSON.parse(readFileSync(join(bucket, file), 'utf8'));
    const [first, second] = events[0]?.Records ?? [];
    expect(body).toEqual({
      requestContext: {
        requestId: expect.any(String),
        functionArn: 'arn:aws:lambda:eu-central-1:123456789012:function:Function',
        condition: 'RetryAttemptsExhausted',
        approximateInvokeCount: 2,
      },
      responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
      version: '1.0',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      DDBStreamBatchInfo: {
        shardId: expect.any(String),
        startSequenceNumber: first?.dynamodb.SequenceNumber,
        endSequenceNumber: second?.dynamodb.SequenceNumber,
        approximateArrivalOfFirstRecord: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
        approximateArrivalOfLastRecord: expect.any(String),
        batchSize: 2,
        streamArn: first?.eventSourceARN,
      },
      payload: JSON.stringify(events[0]),
    });
  });

  test('that reports failures has no function error in the destination', async () => {
    const { start } = await aStream('a');
    const discarded: InvocationRecord[] = [];
    const { mapping } = start(
      (event) => report(numberOf(event, 'a')),
      { reportBatchItemFailures: true, maximumRetryAttempts: 1, onFailure: 'arn:aws:s3:::failed' },
      { onDiscard: (record) => discarded.push(record) },
    );
    await mapping.idle();
    expect(discarded[0]?.body).toMatchObject({
      requestContext: { approximateInvokeCount: 2 },
      responseContext: { functionError: null },
    });
  });

  test('begins to count its failures again after each record that it accepts', async () => {
    const { start } = await aStream('abc');
    const discarded: InvocationRecord[] = [];
    const tries = new Map<string, number>();
    const { mapping } = start(
      (event) => {
        const [first = ''] = idsOf(event);
        const count = (tries.get(first) ?? 0) + 1;
        tries.set(first, count);
        // Each record fails twice, which is one time less than the limit, and goes on to its neighbour.
        if (count < 3) return failed;
        const second = idsOf(event)[1];
        return second === undefined ? accept() : report(numberOf(event, second));
      },
      { maximumRetryAttempts: 2, reportBatchItemFailures: true, onFailure: 'arn:aws:s3:::failed' },
      { onDiscard: (record) => discarded.push(record), retryMs: 1 },
    );
    await mapping.idle();
    expect(discarded).toEqual([]);
    expect(Object.fromEntries(tries)).toEqual({ a: 3, b: 3, c: 3 });
  });

  test('gets a record that is exactly as old as the limit', async () => {
    const { put, start } = await aStream();
    await put('old');
    const first = start(accept);
    await first.mapping.idle();
    const created = first.events[0]?.Records[0]?.dynamodb.ApproximateCreationDateTime ?? 0;
    const clock = jest.spyOn(Date, 'now').mockReturnValue((created - 100) * 1000);
    const sinceThen = jest.spyOn(performance, 'now').mockReturnValue(0);
    const { ids, mapping } = start(accept, { maximumRecordAgeSeconds: 600 });
    clock.mockRestore();
    sinceThen.mockReturnValue((100 + lastSecondOf(created) - created + 600) * 1000);
    await mapping.idle();
    sinceThen.mockRestore();
    expect(ids()).toEqual([['old']]);
  });

  test('does not get records that are too old', async () => {
    const { put, start } = await aStream();
    const discarded: InvocationRecord[] = [];
    const { ids, mapping } = start(
      accept,
      { maximumRecordAgeSeconds: 600, onFailure: 'arn:aws:s3:::failed' },
      { onDiscard: (record) => discarded.push(record) },
    );
    const sinceThen = jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 3600 * 1000);
    await put('old');
    await mapping.idle();
    expect(mapping.done()).toBeGreaterThan(0);
    sinceThen.mockRestore();
    await put('new');
    await mapping.idle();
    expect(ids()).toEqual([['new']]);
    expect(discarded[0]?.body).toMatchObject({
      requestContext: { condition: 'RecordAgeExceeded', approximateInvokeCount: 0 },
    });
  });

  const inFile = isOtherEngine ? test.skip : test;
  inFile('gets a record that was written days before it could be read', async () => {
    const { table, put, start } = await aStream();
    await put('old');
    ageRecords(engine.stream?.file ?? '', table.name, 3 * 24 * 60 * 60);
    const { ids, mapping } = start(accept, { maximumRecordAgeSeconds: 600 });
    await mapping.idle();
    expect(ids()).toEqual([['old']]);
  });

  test('that is cut off by a stop gets its batch again, even if it was the last attempt', async () => {
    const { start } = await aStream('a');
    const data = newFolder();
    const cutOff = Promise.withResolvers<InvocationResult>();
    const first = start(() => cutOff.promise, { maximumRetryAttempts: 0 }, { data });
    await until(() => first.ids().length > 0);
    const stopped = first.mapping.stop();
    cutOff.resolve(failed);
    await stopped;
    const second = start(accept, {}, { data });
    await second.mapping.idle();
    expect(second.ids()).toEqual([['a']]);
  });
});
