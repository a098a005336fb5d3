import { openStreamReads } from '../../event-source-mapping/shard-reader.ts';
import { accept, aStream, engine, isOtherEngine } from './stream.ts';

describe('records', () => {
  test("have the form of Lambda's events", async () => {
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

  test.each(isOtherEngine ? ['its API'] : ['its API', 'its file'])(
    'exist only for writes that change an item, when the engine is read by %s',
    async (way) => {
      const { table, put, start, streamArn } = await aStream();
      for (const n of ['12', '12', '12', '21']) await put('a', { n: { N: n }, s: { S: 'x' }, t: { S: 'y' } });
      const reads = openStreamReads({
        endpoint: engine.endpoint,
        stream: way === 'its file' ? engine.stream : undefined,
        streamArn,
        sourceArn: table.arn,
      });
      const { events, mapping } = start(accept, {}, { reads });
      await mapping.idle();
      await mapping.stop();
      reads.close();
      const records = events.flatMap(({ Records }) => Records);
      expect(records.map(({ dynamodb }) => dynamodb.NewImage?.n)).toEqual([{ N: '12' }, { N: '21' }]);
    },
  );

  test('are the same when they come again', async () => {
    const { start } = await aStream('a');
    const [first, second] = [start(accept), start(accept)];
    await first.mapping.idle();
    await second.mapping.idle();
    expect(second.events).toEqual(first.events);
  });

  const byItself = isOtherEngine ? test.skip : test;
  byItself("of a removal by TTL name the service; those of a user's removal do not", async () => {
    const { put, remove, start } = await aStream();
    const past = { N: String(Math.floor(Date.now() / 1000) - 10) };
    await put('expired', { ttl: past });
    await put('removed', { ttl: past });
    await remove('removed');
    await engine.sweep?.(Date.now());
    const { events, mapping } = start(accept, { filters: [{ eventName: ['REMOVE'] }] });
    await mapping.idle();
    const service = { type: 'Service', principalId: 'dynamodb.amazonaws.com' };
    const removals = events.flatMap(({ Records }) => Records);
    expect(removals.map(({ dynamodb, userIdentity }) => [dynamodb.Keys.id?.S, userIdentity])).toEqual([
      ['removed', undefined],
      ['expired', service],
    ]);
    const filters = [{ userIdentity: { type: ['Service'], principalId: ['dynamodb.amazonaws.com'] } }];
    const filtered = start(accept, { filters });
    await filtered.mapping.idle();
    expect(filtered.ids()).toEqual([['expired']]);
  });
});
