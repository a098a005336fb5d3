import type { InjectedFaults, StreamEvent } from '../../event-source-mapping/context.ts';
import type { InvocationResult } from '../../lambda/runtime.ts';
import { accept, aStream, batchesOf, failed, idsOf, newFolder, until } from './stream.ts';

describe('tumbling windows', () => {
  const counting = (event: StreamEvent): InvocationResult => {
    const { n = 0 } = { ...event.state } as { n?: number };
    return { ok: true, payload: { state: { n: n + event.Records.length } } };
  };

  test('pass the state from one invocation to the next, and end with a final one', async () => {
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

  test('repeat a batch whose response has no state', async () => {
    let calls = 0;
    const batches = await batchesOf('a', (event) => (++calls === 1 ? accept() : counting(event)), {
      tumblingWindowSeconds: 900,
    });
    expect(batches).toEqual([['a'], ['a']]);
  });

  test('keep the state over a restart', async () => {
    const { put, start } = await aStream('a');
    const data = newFolder();
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
    const { start } = await aStream('a');
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

  const faults: InjectedFaults = {
    shardOf: ({ dynamodb }) => ('ab'.includes(String(dynamodb.Keys.id?.S)) ? 'parent' : 'child'),
  };

  test('start anew in another shard, once the final invocation has succeeded', async () => {
    const { start } = await aStream('abcd');
    let finals = 0;
    const { events, mapping } = start(
      (event) => (event.isFinalInvokeForWindow && ++finals === 1 ? failed : counting(event)),
      { tumblingWindowSeconds: 900 },
      { faults, retryMs: 1 },
    );
    await mapping.idle();
    expect(finals).toBe(2);
    const last = events.filter(({ shardId }) => shardId === 'child');
    expect(last.flatMap(idsOf)).toEqual(['c', 'd']);
    expect(last[0]?.state).toEqual({});
    expect(events.find(({ isFinalInvokeForWindow }) => isFinalInvokeForWindow)?.shardId).toBe('parent');
  });
});
