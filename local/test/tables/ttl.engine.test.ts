import { join } from 'node:path';
import { openServiceDeletes } from '../../tables/service-deletes.ts';
import { ensureTables } from '../../tables/tables.ts';
import { startTtlSweeper } from '../../tables/ttl.ts';
import { aFolder, aTable, client, engine, key, until } from './table.ts';

describe('the TTL sweeper', () => {
  const now = Math.floor(Date.now() / 1000);
  const put = (name: string, id: string, ttl: object) =>
    client.call('PutItem', { TableName: name, Item: { ...key(id), ttl } });
  const idsLeft = async (name: string) => {
    const { Items } = await client.call<{ Items: { PK: { S: string } }[] }>('Scan', { TableName: name });
    return Items.map(({ PK }) => PK.S).sort();
  };

  test('removes only expired items', async () => {
    const table = aTable('Swept');
    await ensureTables(engine.endpoint, [table]);
    await put('Swept', 'past', { N: String(now - 10) });
    await put('Swept', 'future', { N: String(now + 1000) });
    await put('Swept', 'long past', { N: String(now - 6 * 365 * 24 * 3600) });
    await put('Swept', 'milliseconds', { N: String(now * 1000) });
    await put('Swept', 'text', { S: String(now - 10) });
    await put('Swept', 'this second', { N: String(now) });
    const clock = () => now * 1000 + 999;
    const sweeper = startTtlSweeper({
      endpoint: engine.endpoint,
      tables: [table],
      intervalMs: 1e6,
      now: clock,
    });
    expect(await sweeper.sweepOnce()).toBe(1);
    expect(await idsLeft('Swept')).toEqual(['future', 'long past', 'milliseconds', 'text', 'this second']);
    await sweeper.stop();
  });

  test('reaches every item of a table of several pages', async () => {
    const table = aTable('Large');
    await ensureTables(engine.endpoint, [table]);
    const ids = Array.from({ length: 450 }, (_, i) => String(i).padStart(3, '0'));
    const isExpired = (id: string) => Number(id) % 3 === 0;
    await Promise.all(ids.map((id) => put('Large', id, { N: String(now + (isExpired(id) ? -10 : 1000)) })));
    const sweeper = startTtlSweeper({ endpoint: engine.endpoint, tables: [table], intervalMs: 1e6 });
    expect(await sweeper.sweepOnce()).toBe(150);
    expect(await idsLeft('Large')).toEqual(ids.filter((id) => !isExpired(id)));
    await sweeper.stop();
  });

  test('waits for the delay', async () => {
    const table = aTable('Delayed');
    await ensureTables(engine.endpoint, [table]);
    await put('Delayed', 'a', { N: String(now - 10) });
    let clock = now * 1000;
    const options = { tables: [table], intervalMs: 1e6, delayMs: 60_000, now: () => clock };
    const sweeper = startTtlSweeper({ endpoint: engine.endpoint, ...options });
    expect(await sweeper.sweepOnce()).toBe(0);
    clock += 60_000;
    expect(await sweeper.sweepOnce()).toBe(1);
    await sweeper.stop();
  });

  test('spares an item whose time moves during the sweep', async () => {
    const table = aTable('Moved');
    await ensureTables(engine.endpoint, [table]);
    await put('Moved', 'a', { N: String(now - 10) });
    const deletes = openServiceDeletes();
    const sweeper = startTtlSweeper({
      endpoint: engine.endpoint,
      tables: [table],
      intervalMs: 1e6,
      serviceDeletes: {
        ...deletes,
        make: async (removals, remove) => {
          await put('Moved', 'a', { N: String(now + 1000) });
          return deletes.make(removals, remove);
        },
      },
    });
    expect(await sweeper.sweepOnce()).toBe(0);
    expect(await idsLeft('Moved')).toEqual(['a']);
    await sweeper.stop();
  });

  test('sweeps repeatedly', async () => {
    const table = aTable('Background');
    await ensureTables(engine.endpoint, [table]);
    await put('Background', 'a', { N: String(now - 10) });
    const sweeper = startTtlSweeper({ endpoint: engine.endpoint, tables: [table], intervalMs: 5 });
    await until(async () => (await idsLeft('Background')).length === 0);
    await sweeper.stop();
  });
});

describe('the journal of service deletes', () => {
  const removal = { table: 'T', keys: { PK: { S: 'a' } }, ttl: '1' };
  const second = () => Math.floor(Date.now() / 1000);

  test('survives a restart', async () => {
    const file = join(aFolder(), 'journal');
    await openServiceDeletes(file).make([removal], async () => true);
    const reopened = openServiceDeletes(file);
    expect(await reopened.includes(removal, second())).toBe(true);
    expect(await reopened.includes({ ...removal, ttl: '2' }, second())).toBe(false);
    expect(await reopened.includes(removal, second() + 1000)).toBe(false);
  });

  test('remembers removals whose records nobody could read for days', async () => {
    const file = join(aFolder(), 'journal');
    const days = 3 * 24 * 60 * 60;
    const clock = jest.spyOn(Date, 'now').mockReturnValue(Date.now() - days * 1000);
    await openServiceDeletes(file).make([removal], async () => true);
    const made = second();
    clock.mockRestore();
    expect(await openServiceDeletes(file).includes(removal, made)).toBe(true);
  });

  test('includes a removal that was interrupted between delete and response', async () => {
    const file = join(aFolder(), 'journal');
    void openServiceDeletes(file).make([removal], () => new Promise(() => undefined));
    expect(await openServiceDeletes(file).includes(removal, second())).toBe(true);
  });

  test('leaves out an item that somebody else removed first', async () => {
    const file = join(aFolder(), 'journal');
    const journal = openServiceDeletes(file);
    const made = journal.make([removal], async () => false);
    expect(await journal.includes(removal, second())).toBe(false);
    await made;
    expect(await openServiceDeletes(file).includes(removal, second())).toBe(false);
  });
});
