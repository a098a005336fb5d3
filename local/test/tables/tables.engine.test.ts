import { ensureTables } from '../../tables/tables.ts';
import { aTable, client, engine, keys } from './table.ts';

describe('tables', () => {
  test('are created once, as the template states them', async () => {
    const first = await ensureTables(engine.endpoint, [aTable('Created')]);
    const second = await ensureTables(engine.endpoint, [aTable('Created')]);
    expect(first.get('CreatedResource')).toContain(':table/Created/stream/');
    expect(second).toEqual(first);
    const { TimeToLiveDescription } = await client.call<{ TimeToLiveDescription: object }>(
      'DescribeTimeToLive',
      {
        TableName: 'Created',
      },
    );
    expect(TimeToLiveDescription).toMatchObject({ AttributeName: 'ttl', TimeToLiveStatus: 'ENABLED' });
  });

  test('serve all calls under either billing mode, and go on when it changes', async () => {
    const provided = { ReadCapacityUnits: 1, WriteCapacityUnits: 1 };
    const onDemand = aTable('Provided');
    const indexes = onDemand.properties.GlobalSecondaryIndexes as object[];
    const { BillingMode: _, ...rest } = onDemand.properties;
    const properties = {
      ...rest,
      ProvisionedThroughput: provided,
      GlobalSecondaryIndexes: indexes.map((index) => ({ ...index, ProvisionedThroughput: provided })),
    };
    const streams = await ensureTables(engine.endpoint, [{ ...onDemand, properties }]);
    const put = (id: number) =>
      client.call('PutItem', { TableName: 'Provided', Item: { PK: { S: `${id}` }, SK: { S: 'x' } } });
    await Promise.all(Array.from({ length: 20 }, (_, id) => put(id)));
    expect(await ensureTables(engine.endpoint, [onDemand])).toEqual(streams);
  });

  test.each([
    ['keys', { KeySchema: keys.slice(0, 1) }],
    ['indexes', { GlobalSecondaryIndexes: [] }],
    ['stream', { StreamSpecification: undefined }],
    ['stream view', { StreamSpecification: { StreamViewType: 'KEYS_ONLY' } }],
  ])('with other %s than the template are refused', async (_, change) => {
    await ensureTables(engine.endpoint, [aTable('Changed')]);
    await expect(ensureTables(engine.endpoint, [aTable('Changed', change)])).rejects.toThrow(
      'another --data folder',
    );
  });
});
