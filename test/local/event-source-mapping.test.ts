import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import type { EventSourceMapping, TableResource } from '../../local/assembly.ts';
import { type Engine, startEngine } from '../../local/dynamodb/engine.ts';
import { type EngineClient, engineClient } from '../../local/dynamodb/engine-client.ts';
import { openServiceDeletes } from '../../local/dynamodb/service-deletes.ts';
import { ensureTables } from '../../local/dynamodb/tables.ts';
import { startTtlSweeper } from '../../local/dynamodb/ttl.ts';
import type { StreamEvent } from '../../local/event-source-mapping/context.ts';
import type { InvocationRecord } from '../../local/event-source-mapping/destination.ts';
import {
  type EventSourceMappingOptions,
  type RunningMapping,
  startEventSourceMapping,
} from '../../local/event-source-mapping/mapping.ts';
import type { Answer } from '../../local/event-source-mapping/outcome.ts';

const aMapping = (changes: Partial<EventSourceMapping> = {}): EventSourceMapping => ({
  id: 'Mapping',
  functionId: 'Function',
  tableId: 'Table',
  filters: [],
  batchSize: 100,
  batchingWindowSeconds: 0,
  tumblingWindowSeconds: 0,
  startingPosition: 'TRIM_HORIZON',
  bisectBatchOnError: false,
  reportBatchItemFailures: false,
  maximumRetryAttempts: -1,
  maximumRecordAgeSeconds: -1,
  ...changes,
});

let engine: Engine;
let client: EngineClient;
let tables = 0;
const running: RunningMapping[] = [];
const folders: string[] = [];

beforeAll(async () => {
  engine = await startEngine({ engine: 'dynoxide' });
  client = engineClient(engine.endpoint);
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((mapping) => mapping.stop()));
});
afterAll(async () => {
  client.close();
  await engine.stop();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A new table with a stream, and what the tests do with it. */
async function aStream() {
  const name = `Table${++tables}`;
  const table: TableResource = {
    id: 'Table',
    name,
    arn: `arn:aws:dynamodb:eu-central-1:123456789012:table/${name}`,
    ttlAttribute: 'ttl',
    properties: {
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: 'NEW_AND_OLD_IMAGES' },
    },
  };
  const streamArn = (await ensureTables(engine.endpoint, [table])).get('Table') ?? '';
  const put = (id: string, attributes: object = {}) =>
    client.call('PutItem', { TableName: name, Item: { id: { S: id }, ...attributes } });
  const remove = (id: string) => client.call('DeleteItem', { TableName: name, Key: { id: { S: id } } });
  const start = (
    answer: (event: StreamEvent) => Answer | Promise<Answer>,
    changes: Partial<EventSourceMapping> = {},
    options: Partial<EventSourceMappingOptions> = {},
  ) => {
    const events: StreamEvent[] = [];
    const mapping = startEventSourceMapping({
      mapping: aMapping(changes),
      table,
      streamArn,
      endpoint: engine.endpoint,
      pollMs: 20,
      invoke: async (event) => {
        events.push(event);
        return answer(event);
      },
      ...options,
    });
    running.push(mapping);
    return { events, mapping, ids: () => events.map(idsOf) };
  };
  return { table, streamArn, put, remove, start };
}

const accept = (): Answer => ({ ok: true, payload: null });
const failed: Answer = { ok: false, errorType: 'Error', errorMessage: 'no' };
const report = (...identifiers: unknown[]): Answer => ({
  ok: true,
  payload: { batchItemFailures: identifiers.map((itemIdentifier) => ({ itemIdentifier })) },
});
const idsOf = (event: StreamEvent) => event.Records.map(({ dynamodb }) => String(dynamodb.Keys.id?.S));
const numberOf = (event: StreamEvent, id: string) =>
  event.Records[idsOf(event).indexOf(id)]?.dynamodb.SequenceNumber;
const aFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'mapping-test-'));
  folders.push(folder);
  return folder;
};

describe('records', () => {
  test('have the form that Lambda gives them', async () => {
    const { table, streamArn, put, remove, start } = await aStream();
    await put('id_value');
    await put('id_value', { id2: { S: 'id2_value' } });
    await remove('id_value');
    const { events, mapping } = start(accept);
    await mapping.idle();
    const records = events.flatMap(({ Records }) => Records);
    expect(records).toHaveLength(3);
    const [id, id2] = [{ S: 'id_value' }, { S: 'id2_value' }];
    const changes = [
      { eventName: 'INSERT', dynamodb: { NewImage: { id }, SizeBytes: 20 } },
      { eventName: 'MODIFY', dynamodb: { NewImage: { id, id2 }, OldImage: { id }, SizeBytes: 42 } },
      { eventName: 'REMOVE', dynamodb: { OldImage: { id, id2 }, SizeBytes: 32 } },
    ];
    for (const [index, { eventName, dynamodb }] of changes.entries()) {
      expect(records[index]).toEqual({
        eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
        eventName,
        eventVersion: '1.1',
        eventSource: 'aws:dynamodb',
        awsRegion: 'eu-central-1',
        dynamodb: {
          ApproximateCreationDateTime: expect.any(Number),
          Keys: { id },
          SequenceNumber: expect.stringMatching(/^\d{21,40}$/),
          StreamViewType: 'NEW_AND_OLD_IMAGES',
          ...dynamodb,
        },
        eventSourceARN: `${table.arn}/stream/${streamArn.split('/').at(-1)}`,
      });
    }
    expect(events[0]).toEqual({ Records: expect.any(Array) });
    expect(new Set(records.map(({ eventID }) => eventID)).size).toBe(3);
  });

  test.each([
    ['binary', { binary_key: { B: 'Zm9vYmFy' } }, 16],
    ['a number', { n: { N: '42' } }, 3],
    ['a long number', { n: { N: '12345' } }, 5],
    ['a negative number', { n: { N: '-42' } }, 4],
    ['a boolean', { b: { BOOL: true } }, 2],
    ['a set', { s: { SS: ['ab', 'c'] } }, 4],
    ['a list', { l: { L: [{ S: 'ab' }] } }, 7],
    ['a map', { m: { M: { a: { S: 'b' } } } }, 7],
  ])('count %s as DynamoDB does', async (_, attributes, bytes) => {
    const { put, start } = await aStream();
    await put('x', attributes);
    const { events, mapping } = start(accept);
    await mapping.idle();
    expect(events[0]?.Records[0]?.dynamodb.SizeBytes).toBe(2 * 'idx'.length + bytes);
  });

  test('exist only for writes that change something', async () => {
    const { put, start } = await aStream();
    for (let time = 0; time < 3; time++) await put('same', { n: { N: '1' }, s: { S: 'x' } });
    const { ids, mapping } = start(accept);
    await mapping.idle();
    expect(ids()).toEqual([['same']]);
  });

  test('keep their identity when they come again', async () => {
    const { put, start } = await aStream();
    await put('a');
    const [first, second] = [start(accept), start(accept)];
    await first.mapping.idle();
    await second.mapping.idle();
    expect(second.events).toEqual(first.events);
  });

  test('of a removal by TTL name the service, those of a user do not', async () => {
    const { table, put, remove, start } = await aStream();
    const serviceDeletes = openServiceDeletes();
    const past = { N: String(Math.floor(Date.now() / 1000) - 10) };
    await put('expired', { ttl: past });
    await put('removed', { ttl: past });
    await remove('removed');
    const sweeper = startTtlSweeper({
      endpoint: engine.endpoint,
      tables: [table],
      serviceDeletes,
      intervalMs: 1e6,
    });
    await sweeper.sweepOnce();
    await sweeper.stop();
    const { events, mapping } = start(accept, { filters: [{ eventName: ['REMOVE'] }] }, { serviceDeletes });
    await mapping.idle();
    const service = { type: 'Service', principalId: 'dynamodb.amazonaws.com' };
    const removals = events.flatMap(({ Records }) => Records);
    expect(removals.map(({ dynamodb, userIdentity }) => [dynamodb.Keys.id?.S, userIdentity])).toEqual([
      ['removed', undefined],
      ['expired', service],
    ]);
    const filters = [{ userIdentity: { type: ['Service'], principalId: ['dynamodb.amazonaws.com'] } }];
    const filtered = start(accept, { filters }, { serviceDeletes });
    await filtered.mapping.idle();
    expect(filtered.ids()).toEqual([['expired']]);
  });
});

describe('batches', () => {
  test('hold no more than the batch size, in order', async () => {
    const { put, start } = await aStream();
    for (const id of 'abcdefg') await put(id);
    const { ids, mapping } = start(accept, { batchSize: 3 });
    await mapping.idle();
    expect(ids().flat()).toEqual([...'abcdefg']);
    expect(ids().map(({ length }) => length)).toEqual([3, 3, 1]);
  });

  test('are filled after filtering', async () => {
    const { put, start } = await aStream();
    for (const id of ['a1', 'b1', 'a2', 'b2', 'a3']) await put(id);
    const filters = [{ dynamodb: { Keys: { id: { S: [{ prefix: 'a' }] } } } }];
    const { ids, mapping } = start(accept, { filters, batchSize: 2 });
    await mapping.idle();
    expect(ids()).toEqual([['a1', 'a2'], ['a3']]);
  });

  test('wait for the batching window', async () => {
    const { put, start } = await aStream();
    const { ids, mapping } = start(accept, { batchingWindowSeconds: 1, batchSize: 10 });
    for (const id of 'abc') await put(id);
    await mapping.idle();
    expect(ids()).toEqual([['a', 'b', 'c']]);
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
    const { put, start } = await aStream();
    for (const id of 'abcd') await put(id);
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

describe('a failing function', () => {
  test('gets the whole batch again until it succeeds, and later records wait', async () => {
    const { put, start } = await aStream();
    for (const id of 'abc') await put(id);
    let calls = 0;
    const { ids, mapping } = start(() => (++calls < 3 ? failed : accept()), { batchSize: 2 });
    await mapping.idle();
    expect(ids()).toEqual([['a', 'b'], ['a', 'b'], ['a', 'b'], ['c']]);
  });

  test('gets the records from the lowest reported one on again', async () => {
    const { put, start } = await aStream();
    for (const id of 'abcd') await put(id);
    let calls = 0;
    const { ids, mapping } = start(
      (event) => (++calls === 1 ? report(numberOf(event, 'd'), numberOf(event, 'b')) : accept()),
      { reportBatchItemFailures: true },
    );
    await mapping.idle();
    expect(ids()).toEqual([[...'abcd'], [...'bcd']]);
  });

  test.each([
    ['an empty list', { batchItemFailures: [] }],
    ['a null list', { batchItemFailures: null }],
    ['an empty object', {}],
    ['nothing', null],
    ['a list in place of an object', []],
  ])('succeeds with %s', async (_, payload) => {
    const { put, start } = await aStream();
    await put('a');
    const { ids, mapping } = start(() => ({ ok: true, payload }), { reportBatchItemFailures: true });
    await mapping.idle();
    expect(ids()).toEqual([['a']]);
  });

  test.each([
    ['an empty identifier', { itemIdentifier: '' }],
    ['a null identifier', { itemIdentifier: null }],
    ['a misnamed key', { foo: '1' }],
    ['an identifier that is not in the batch', { itemIdentifier: '1' }],
  ])('fails whole with %s', async (_, failure) => {
    const { put, start } = await aStream();
    for (const id of 'ab') await put(id);
    let calls = 0;
    const { ids, mapping } = start(
      () => (++calls === 1 ? { ok: true, payload: { batchItemFailures: [failure] } } : accept()),
      { reportBatchItemFailures: true },
    );
    await mapping.idle();
    expect(ids()).toEqual([
      ['a', 'b'],
      ['a', 'b'],
    ]);
  });

  test('may say anything when the mapping does not ask for reports', async () => {
    const { put, start } = await aStream();
    await put('a');
    const { ids, mapping } = start((event) => report(numberOf(event, 'a')));
    await mapping.idle();
    expect(ids()).toEqual([['a']]);
  });

  test('loses only the record that it chokes on when batches are bisected', async () => {
    const { put, start } = await aStream();
    for (const id of 'abcdefgh') await put(id);
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

  test('leaves the batch to the on-failure destination after the last retry', async () => {
    const { put, start } = await aStream();
    const data = aFolder();
    for (const id of 'abc') await put(id);
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

  test('has no function error in the destination when it only reports failures', async () => {
    const { put, start } = await aStream();
    await put('a');
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

  test('is spared records that are too old', async () => {
    const { put, start } = await aStream();
    await put('old');
    await until(() => false, 2100);
    await put('new');
    const discarded: InvocationRecord[] = [];
    const { ids, mapping } = start(
      accept,
      { maximumRecordAgeSeconds: 1, onFailure: 'arn:aws:s3:::failed' },
      { onDiscard: (record) => discarded.push(record) },
    );
    await mapping.idle();
    expect(ids()).toEqual([['new']]);
    expect(discarded[0]?.body).toMatchObject({ requestContext: { condition: 'RecordAgeExceeded' } });
  });
});

describe('tumbling windows', () => {
  const counting = (event: StreamEvent): Answer => {
    const { n = 0 } = { ...event.state } as { n?: number };
    return { ok: true, payload: { state: { n: n + event.Records.length } } };
  };

  test('carry the state from one invocation to the next and end with a last one', async () => {
    const { put, start } = await aStream();
    const { events } = start(counting, { tumblingWindowSeconds: 2, batchSize: 1 });
    await put('a');
    await put('b');
    await until(() => events.filter(({ isFinalInvokeForWindow }) => isFinalInvokeForWindow).length >= 1);
    const [first] = events;
    const windows = Map.groupBy(events, ({ window }) => window?.start);
    for (const inWindow of windows.values()) {
      const counts = inWindow.map(({ state }) => ({ n: 0, ...state }).n);
      expect(counts).toEqual(counts.map((_, index) => index));
    }
    expect(first).toEqual({
      Records: [expect.anything()],
      window: { start: expect.stringMatching(/^[\d-]+T[\d:]+Z$/), end: expect.any(String) },
      state: {},
      shardId: expect.stringMatching(/^shardId-/),
      eventSourceARN: first?.Records[0]?.eventSourceARN,
      isFinalInvokeForWindow: false,
      isWindowTerminatedEarly: false,
    });
    const { start: from = '', end = '' } = { ...first?.window };
    expect(Date.parse(end) - Date.parse(from)).toBe(2000);
    expect(Date.parse(from) % 2000).toBe(0);
  });

  test('fail a batch whose answer has no state', async () => {
    const { put, start } = await aStream();
    await put('a');
    let calls = 0;
    const { ids, mapping } = start((event) => (++calls === 1 ? accept() : counting(event)), {
      tumblingWindowSeconds: 900,
    });
    await mapping.idle();
    expect(ids()).toEqual([['a'], ['a']]);
  });

  test('carry the state over a restart', async () => {
    const { put, start } = await aStream();
    const data = aFolder();
    await put('a');
    const first = start(counting, { tumblingWindowSeconds: 900 }, { data });
    await first.mapping.idle();
    await first.mapping.stop();
    await put('b');
    const second = start(counting, { tumblingWindowSeconds: 900 }, { data });
    await second.mapping.idle();
    const inOneWindow = first.events[0]?.window?.start === second.events[0]?.window?.start;
    expect(second.events.at(-1)?.state).toEqual(inOneWindow ? { n: 1 } : {});
  });

  test('end early when the state grows too large', async () => {
    const { put, start } = await aStream();
    await put('a');
    const { events, mapping } = start(
      () => ({ ok: true, payload: { state: { text: 'x'.repeat(1024 * 1024) } } }),
      { tumblingWindowSeconds: 900 },
    );
    await mapping.idle();
    expect(events[1]).toMatchObject({
      Records: [],
      isFinalInvokeForWindow: true,
      isWindowTerminatedEarly: true,
    });
  });

  test('begin anew in another shard', async () => {
    const { put, start } = await aStream();
    for (const id of 'abcd') await put(id);
    const { events, mapping } = start(
      counting,
      { tumblingWindowSeconds: 900 },
      { faults: { shardOf: ({ dynamodb }) => (Number(dynamodb.SequenceNumber) <= 2 ? 'parent' : 'child') } },
    );
    await mapping.idle();
    const last = events.filter(({ shardId }) => shardId === 'child');
    expect(last.flatMap(idsOf)).toEqual(['c', 'd']);
    expect(last[0]?.state).toEqual({});
    expect(events.find(({ isFinalInvokeForWindow }) => isFinalInvokeForWindow)?.shardId).toBe('parent');
  });
});

describe('positions', () => {
  test('are kept over a restart', async () => {
    const { put, start } = await aStream();
    const data = aFolder();
    await put('a');
    const first = start(accept, {}, { data });
    await first.mapping.idle();
    await first.mapping.stop();
    await put('b');
    const second = start(accept, {}, { data });
    await second.mapping.idle();
    expect(second.ids()).toEqual([['b']]);
  });

  test('begin again when their file is broken', async () => {
    const { put, start } = await aStream();
    const data = aFolder();
    await put('a');
    const first = start(accept, {}, { data });
    await first.mapping.idle();
    await first.mapping.stop();
    const folder = join(data, 'event-source-mappings');
    for (const file of readdirSync(folder)) writeFileSync(join(folder, file), '{"broken');
    const second = start(accept, {}, { data });
    await second.mapping.idle();
    expect(second.ids()).toEqual([['a']]);
  });

  test('do not pass a record that was not accepted', async () => {
    const { put, start } = await aStream();
    const data = aFolder();
    for (const id of 'abc') await put(id);
    const first = start(
      (event) => (idsOf(event).includes('b') ? failed : accept()),
      { batchSize: 1 },
      { data },
    );
    await until(() => first.ids().some((ids) => ids.includes('b')));
    await first.mapping.stop();
    const second = start(accept, {}, { data });
    await second.mapping.idle();
    expect(second.ids()).toEqual([['b', 'c']]);
  });

  test('begin at the end of the stream with LATEST, also when nothing came before a restart', async () => {
    const { put, start } = await aStream();
    const data = aFolder();
    await put('before');
    await until(() => false, 1100);
    const first = start(accept, { startingPosition: 'LATEST' }, { data });
    await first.mapping.idle();
    await first.mapping.stop();
    await put('between');
    const second = start(accept, { startingPosition: 'LATEST' }, { data });
    await second.mapping.idle();
    expect([first.ids(), second.ids()]).toEqual([[], [['between']]]);
  });
});

describe('under faults', () => {
  test('every record arrives, in order, whatever is cut, lost or delivered again', async () => {
    const { put, start } = await aStream();
    const written = Array.from({ length: 40 }, (_, n) => String(n));
    for (const id of written) await put(id);
    await fc.assert(
      fc.asyncProperty(fc.infiniteStream(fc.nat({ max: 9 })), async (draws) => {
        const draw = () => Number(draws.next().value);
        let rewinds = 3;
        let losses = 3;
        const { ids, mapping } = start(
          accept,
          { batchSize: 10, bisectBatchOnError: true },
          {
            faults: {
              cut: (available) => Math.min(available, 1 + draw()),
              loseAnswer: () => draw() === 0 && losses-- > 0,
              rewind: (passed) =>
                passed.length > 0 && draw() === 0 && rewinds-- > 0
                  ? passed[draw() % passed.length]
                  : undefined,
            },
          },
        );
        await mapping.idle();
        await mapping.stop();
        const firsts = [...new Set(ids().flat())];
        expect(firsts).toEqual(written);
      }),
      { numRuns: 20 },
    );
  });

  test('two readers of one shard deliver everything twice', async () => {
    const { put, start } = await aStream();
    const [one, other] = [start(accept), start(accept)];
    for (const id of 'abcdef') await put(id);
    await Promise.all([one.mapping.idle(), other.mapping.idle()]);
    expect(one.ids().flat()).toEqual([...'abcdef']);
    expect(other.ids().flat()).toEqual([...'abcdef']);
  });

  test('waits for an engine that is away', async () => {
    const data = aFolder();
    const { table, put, start } = await aStream();
    await put('a');
    const { mapping } = start(accept, {}, { endpoint: 'http://127.0.0.1:9', data, table });
    await mapping.stop();
    const back = start(accept, {}, { data });
    await back.mapping.idle();
    expect(back.ids()).toEqual([['a']]);
  });
});

/** Resolves when the condition holds, or after the time that has to pass. */
async function until(condition: () => boolean, ms = Number.POSITIVE_INFINITY): Promise<void> {
  const begun = Date.now();
  while (!condition() && Date.now() - begun < ms) await sleep(5);
}
