import * as fc from 'fast-check';
import { type EngineClient, EngineError } from '../../engine/engine-client.ts';
import {
  openStreamReads,
  type ReadRecord,
  type ShardReader,
} from '../../event-source-mapping/shard-reader.ts';
import { readEngine } from '../../event-source-mapping/shard-records.ts';
import { startFaultyEngine } from '../../testing/faulty-engine.ts';
import { aStream, engine, shardsOf } from './stream.ts';

const idOf = ({ record }: ReadRecord) => String(record?.dynamodb.Keys.id?.S);

/** Reads on to the last record; resolves to the ids. */
const toTheEnd = async (reader: ShardReader): Promise<string[]> => {
  const ids: string[] = [];
  for (;;) {
    const { records } = await reader.next();
    if (records.length === 0) return ids;
    ids.push(...records.map(idOf));
  }
};

test('records read by one reader reach another without a call of the engine', async () => {
  const { table, put, streamArn } = await aStream();
  const [shard = ''] = await shardsOf(streamArn);
  const proxy = await startFaultyEngine(engine.endpoint);
  const calls: string[] = [];
  proxy.fault = (operation) => {
    calls.push(operation);
    return 'none';
  };
  const reads = openStreamReads({ endpoint: proxy.endpoint, streamArn, sourceArn: table.arn });
  for (const id of 'abc') await put(id);
  const [one, other] = [reads.reader(shard, undefined), reads.reader(shard, undefined)];
  expect(await one.next()).toMatchObject({ records: [{}, {}, {}], isFull: false, ended: false });
  expect(calls).toEqual(['GetShardIterator', 'GetRecords']);
  expect(await other.next()).toMatchObject({ records: [{}, {}, {}] });
  expect(calls).toHaveLength(2);
  // The first reader at the end asks for new records.
  await put('d');
  expect(await toTheEnd(other)).toEqual(['d']);
  expect(calls).toEqual(['GetShardIterator', 'GetRecords', 'GetRecords', 'GetRecords']);
  expect((await one.next()).records).toHaveLength(1);
  expect(calls).toHaveLength(4);
  reads.close();
  await proxy.stop();
});

test('a reader whose last record the engine has trimmed reads on at the oldest', async () => {
  const asked: unknown[] = [];
  const call = async (operation: string, { ShardIteratorType: type }: { ShardIteratorType?: string }) => {
    asked.push(type ?? operation);
    if (type === 'AFTER_SEQUENCE_NUMBER') throw new EngineError('TrimmedDataAccessException', '', 400);
    return type ? { ShardIterator: type } : { Records: [] };
  };
  // Only this of a client is used; the engine itself trims nothing that a reader hasn't read.
  const read = readEngine({ call } as unknown as EngineClient, { StreamArn: '', ShardId: '' });
  expect(await read('1', 10)).toEqual({ records: [], ended: true });
  expect(asked).toEqual(['AFTER_SEQUENCE_NUMBER', 'TRIM_HORIZON', 'GetRecords']);
});

test("dropped records are read again, from any reader's position", async () => {
  const { table, put, streamArn } = await aStream();
  const [shard = ''] = await shardsOf(streamArn);
  const reads = openStreamReads({
    endpoint: engine.endpoint,
    streamArn,
    sourceArn: table.arn,
    pageSize: 2,
  });
  for (const id of 'abcdef') await put(id);
  const ahead = reads.reader(shard, undefined);
  const [{ number: first } = { number: '' }] = (await ahead.next()).records;
  expect(await toTheEnd(ahead)).toEqual(['c', 'd', 'e', 'f']);
  expect(await toTheEnd(reads.reader(shard, first))).toEqual(['b', 'c', 'd', 'e', 'f']);
  expect(await toTheEnd(reads.reader(shard, undefined))).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  reads.close();
});

test('readers that start, seek and read in any order miss nothing, despite failures', async () => {
  const { table, put, streamArn } = await aStream();
  const [shard = ''] = await shardsOf(streamArn);
  const proxy = await startFaultyEngine(engine.endpoint);
  // Small pages, so that records are dropped for new ones all the time.
  const source = { endpoint: proxy.endpoint, streamArn, sourceArn: table.arn, pageSize: 3 };
  const reads = openStreamReads(source);
  const written: string[] = [];
  const numbers: (string | undefined)[] = [undefined];
  const write = async () => {
    written.push(String(written.length));
    await put(written.at(-1) ?? '');
  };
  const scout = openStreamReads({ ...source, endpoint: engine.endpoint }).reader(shard, undefined);
  const step = fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('write' as const), who: fc.constant(0) }) },
    { weight: 6, arbitrary: fc.record({ kind: fc.constant('read' as const), who: fc.nat(2) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('fail' as const), who: fc.nat(2) }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('seek' as const), who: fc.nat(2), to: fc.nat(1000) }),
    },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const readers = [0, 1, 2].map(() => ({ reader: reads.reader(shard, undefined), at: 0 }));
      const readOn = async (one: (typeof readers)[number]) => {
        const { records, isFull } = await one.reader.next();
        const ids = records.map(idOf);
        expect(ids).toEqual(written.slice(one.at, one.at + ids.length));
        expect(isFull).toBe(ids.length === source.pageSize);
        one.at += ids.length;
        return ids.length;
      };
      for (const { kind, who, ...rest } of steps) {
        const one = readers[who] as (typeof readers)[number];
        if (kind === 'write') await write();
        else if (kind === 'read') await readOn(one);
        else if (kind === 'fail') {
          proxy.fault = () => 'throttle';
          await one.reader.next().then(
            ({ records }) => {
              // The records had been read already.
              one.at += records.length;
            },
            () => undefined,
          );
          proxy.fault = () => 'none';
        } else {
          const { records } = await scout.next();
          numbers.push(...records.map(({ number }) => number));
          one.at = ('to' in rest ? Number(rest.to) : 0) % numbers.length;
          one.reader.seek(numbers[one.at]);
        }
      }
      // All at once, as mappings do.
      await Promise.all(
        readers.map(async (one) => {
          while ((await readOn(one)) > 0);
        }),
      );
      expect(readers.map(({ at }) => at)).toEqual([written.length, written.length, written.length]);
    }),
    { numRuns: 25 },
  );
  reads.close();
  await proxy.stop();
});
