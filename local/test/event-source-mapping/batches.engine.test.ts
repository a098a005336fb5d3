import { setTimeout as sleep } from 'node:timers/promises';
import { openStreamReads } from '../../event-source-mapping/shard-reader.ts';
import { accept, aStream, batchesOf, engine, until } from './stream.ts';

describe('batches', () => {
  test('hold no more than the batch size, in order', async () => {
    const batches = await batchesOf('abcdefg', accept, { batchSize: 3 });
    expect(batches).toEqual([[...'abc'], [...'def'], ['g']]);
  });

  test('are filled after filtering', async () => {
    const filters = [{ dynamodb: { Keys: { id: { S: [{ prefix: 'a' }] } } } }];
    const batches = await batchesOf(['a1', 'b1', 'a2', 'b2', 'a3'], accept, { filters, batchSize: 2 });
    expect(batches).toEqual([['a1', 'a2'], ['a3']]);
  });

  test('include records that remain behind a full page', async () => {
    const { table, start, streamArn } = await aStream('abcdefg');
    const source = { endpoint: engine.endpoint, streamArn, sourceArn: table.arn };
    const reads = openStreamReads({ ...source, pageSize: 2 });
    const { ids, mapping } = start(accept, { batchSize: 5 }, { reads, busyMs: 60_000 });
    await mapping.idle();
    expect(ids()).toEqual([
      ['a', 'b', 'c', 'd', 'e'],
      ['f', 'g'],
    ]);
    await mapping.stop();
    reads.close();
  });

  test('rest after all of their pages', async () => {
    const { table, put, start, streamArn } = await aStream();
    for (let id = 0; id < 300; id++) await put(String(id));
    const source = { endpoint: engine.endpoint, streamArn, sourceArn: table.arn };
    const reads = openStreamReads({ ...source, pageSize: 299 });
    const { ids, mapping } = start(accept, { batchSize: 1000 }, { reads, busyMs: 60_000 });
    await until(() => ids().length === 1);
    for (const id of 'abcdefg') await put(id);
    await until(() => ids().length > 1);
    expect(ids()[1]).toEqual([...'abcdefg']);
    await mapping.stop();
    reads.close();
  });

  test('wait for the batching window', async () => {
    const { put, start } = await aStream();
    const { ids, mapping } = start(accept, { batchingWindowSeconds: 1, batchSize: 10 });
    await mapping.idle();
    for (const id of 'abc') await put(id);
    await until(() => ids().length > 0);
    expect(ids()).toEqual([['a', 'b', 'c']]);
  });

  test('do not wait for the batching window while somebody waits for their end', async () => {
    const { put, start } = await aStream();
    const { ids, mapping } = start(accept, { batchingWindowSeconds: 300, batchSize: 10 });
    for (const id of 'abc') await put(id);
    await mapping.idle();
    expect(ids().flat()).toEqual(['a', 'b', 'c']);
  });

  test('do not wait for the batching window once they are full', async () => {
    const { put, start } = await aStream();
    const { ids } = start(accept, { batchingWindowSeconds: 300, batchSize: 3 });
    for (const id of 'abcd') await put(id);
    await until(() => ids().length === 1);
    expect(ids()).toEqual([['a', 'b', 'c']]);
  });

  test('stay below the size that Lambda accepts', async () => {
    const { put, start } = await aStream();
    const large = { text: { S: 'x'.repeat(390_000) } };
    for (let id = 0; id < 20; id++) await put(String(id), large);
    const { events, ids, mapping } = start(accept);
    await mapping.idle();
    for (const event of events) expect(JSON.stringify(event).length).toBeLessThan(6 * 1024 * 1024);
    expect(ids().flat()).toHaveLength(20);
    expect(events.length).toBe(2);
  });

  test('go one at a time', async () => {
    const { start } = await aStream('abcd');
    let inside = 0;
    const most: number[] = [];
    const { mapping } = start(
      async () => {
        most.push(++inside);
        await sleep(5);
        inside--;
        return accept();
      },
      { batchSize: 1 },
    );
    await mapping.idle();
    expect(most).toEqual([1, 1, 1, 1]);
  });
});
