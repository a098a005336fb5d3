import { setImmediate as turn } from 'node:timers/promises';
import { ensureTables } from '../../tables/tables.ts';
import { openEngine } from '../engine/open-engine.ts';
import { until } from '../until.ts';
import { aTable, client, engine, key } from './table.ts';

describe('the sweep of expired items', () => {
  const now = Math.floor(Date.now() / 1000);
  const put = (name: string, id: string, ttl: object) =>
    client.call('PutItem', { TableName: name, Item: { ...key(id), ttl } });
  const idsLeft = async (name: string) => {
    const { Items } = await client.call<{ Items: { PK: { S: string } }[] }>('Scan', { TableName: name });
    return Items.map(({ PK }) => PK.S).sort();
  };
  const sweep = async (at: number) => engine.sweep?.(at);

  test('removes only expired items', async () => {
    await ensureTables(engine.endpoint, [aTable('Swept')]);
    await put('Swept', 'past', { N: String(now - 10) });
    await put('Swept', 'future', { N: String(now + 1000) });
    await put('Swept', 'long past', { N: String(now - 6 * 365 * 24 * 3600) });
    await put('Swept', 'milliseconds', { N: String(now * 1000) });
    await put('Swept', 'text', { S: String(now - 10) });
    await put('Swept', 'this second', { N: String(now) });
    expect(await sweep(now * 1000 + 999)).toBe(1);
    expect(await idsLeft('Swept')).toEqual(['future', 'long past', 'milliseconds', 'text', 'this second']);
  });

  test('reaches every item of a large table, and others are served between its steps', async () => {
    await ensureTables(engine.endpoint, [aTable('Large')]);
    const ids = Array.from({ length: 450 }, (_, i) => String(i).padStart(3, '0'));
    const isExpired = (id: string) => Number(id) % 3 === 0;
    await Promise.all(ids.map((id) => put('Large', id, { N: String(now + (isExpired(id) ? -10 : 1000)) })));
    let isOver = false;
    let turns = 0;
    const swept = sweep(now * 1000).finally(() => {
      isOver = true;
    });
    for (; !isOver; turns += 1) await turn();
    expect(await swept).toBe(150);
    expect(turns).toBeGreaterThan(2);
    expect(await idsLeft('Large')).toEqual(ids.filter((id) => !isExpired(id)));
  });

  test('knows items that were there before the time to live was enabled, or disabled', async () => {
    const { ttlAttribute: _, ...untimed } = aTable('Late');
    await ensureTables(engine.endpoint, [untimed]);
    await put('Late', 'a', { N: String(now - 10) });
    await put('Late', 'b', { S: 'never' });
    const enable = (Enabled: boolean) =>
      client.call('UpdateTimeToLive', {
        TableName: 'Late',
        TimeToLiveSpecification: { AttributeName: 'ttl', Enabled },
      });
    expect(await sweep(now * 1000)).toBe(0);
    await enable(true);
    await enable(false);
    expect(await sweep(now * 1000)).toBe(0);
    await enable(true);
    expect(await sweep(now * 1000)).toBe(1);
    expect(await idsLeft('Late')).toEqual(['b']);
  });

  test('happens again and again in a stack', async () => {
    const swept = openEngine({ sweepMs: 5 });
    const TableName = 'Background';
    await swept.createTable(TableName);
    const TimeToLiveSpecification = { AttributeName: 'ttl', Enabled: true };
    await swept.call('UpdateTimeToLive', { TableName, TimeToLiveSpecification });
    for (const id of ['a', 'b']) {
      await swept.call('PutItem', { TableName, Item: { ...key(id), ttl: { N: String(now - 10) } } });
      await until(async () => (await swept.call<{ Count: number }>('Scan', { TableName })).Count === 0);
    }
    await swept.close();
  });
});
