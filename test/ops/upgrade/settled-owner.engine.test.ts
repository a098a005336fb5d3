import { dayMs } from '../../../core/base/durations.ts';
import { hourItemKey } from '../../../core/figures/figure-items.ts';
import { writeWatermark } from '../../../core/figures/watermarks.ts';
import { dayKey, figuresKey, hourKey } from '../../../core/table/figure-keys.ts';
import type { Key } from '../../../core/table/keys.ts';
import type { Table } from '../../../core/table/table.ts';
import { settleFigures } from '../../../ops/upgrade/settle.ts';
import { settleOwner } from '../../../ops/upgrade/settled-owner.ts';
import { unique } from '../../support/builders.ts';
import { fileTable, tableName } from '../../support/engine.ts';

/* Additions that 1.0.0 left to be settled, over interruptions and beside other runs. */

const db = fileTable();
let owner: { readonly project: string; readonly code: string };
beforeEach(() => {
  owner = { project: unique('shop'), code: 'launch' };
});

const now = new Date('2026-11-21T10:00:00.000Z');
const hour = Math.floor(now.getTime() / 3_600_000);
const day = Math.floor(now.getTime() / dayMs);

/** One click by link on Android, as 1.0.0 noted it. */
const addition = `${hour.toString(36)} 1 nal`;

const leave = (additions: number, more: object = {}) =>
  db.table.put({ Item: { ...figuresKey(owner), q: Array(additions).fill(addition), ...more } });

const settleBy = async (table: Pick<Table, 'get' | 'query' | 'update'>) => {
  const item = await db.table.get(figuresKey(owner));
  return settleOwner({ table, now, retentionDays: undefined }, owner, item ?? {});
};

/** What the day and the hour have of the additions. */
const counted = () =>
  Promise.all(
    [dayKey('day', owner, day), hourKey(owner, hour)].map(async (key: Key) => (await db.table.get(key))?.n),
  );

test('a day that has some additions gets those alone that came since', async () => {
  await leave(3);
  const dying: Table = {
    ...db.table,
    update: async (input) => {
      if (input.Key?.SK === figuresKey(owner).SK) throw new Error('Killed');
      return db.table.update(input);
    },
  };
  await expect(settleBy(dying)).rejects.toThrow('Killed');
  expect(await counted()).toEqual([3, 3]);
  // Before it is repeated, 1.0.0 counts once more.
  await leave(4);
  expect(await settleBy(db.table)).toBe(true);
  expect(await counted()).toEqual([4, 4]);
});

test.each([1, 3])('%i additions are added once, although two runs settle at once', async (additions) => {
  await leave(additions);
  const outpaced = {
    ...db.table,
    get: async (key: Key) => {
      const item = await db.table.get(key);
      // The other run is faster, after this one has looked.
      await settleBy(db.table);
      return item;
    },
  };
  expect(await settleBy(outpaced)).toBe(false);
  expect(await counted()).toEqual([additions, additions]);
});

test("an hour's own mark stays where it is newer than the totals'", async () => {
  const [older, newer] = ['100', '200'].map((position) => writeWatermark(position, hour));
  await leave(1, { wabcdef: older, wghijkl: newer });
  const keys = ['wabcdef', 'wghijkl'].map((name) => ({ name, key: hourItemKey(owner, hour, name) }));
  await db.table.put({ Item: { ...hourKey(owner, hour), n: 1 } });
  for (const { name, key } of keys)
    await db.table.update({
      Key: key,
      UpdateExpression: 'SET #w = :mark',
      ExpressionAttributeNames: { '#w': name },
      ExpressionAttributeValues: { ':mark': name === 'wabcdef' ? newer : older },
    });
  expect(await settleBy(db.table)).toBe(true);
  for (const { name, key } of keys) expect((await db.table.get(key))?.[name]).toBe(newer);
});

test('a look after the last item finds that 1.0.0 still counts', async () => {
  await leave(1);
  const watch = 123_456;
  const { setTimeout: start } = globalThis;
  // While the command watches, another click is counted.
  const timers = jest.spyOn(globalThis, 'setTimeout').mockImplementation(((go: () => void, ms: number) => {
    if (ms !== watch) return start(go, ms);
    return leave(1, { s: 1, k: 1 }).then(go);
  }) as typeof setTimeout);
  const access = {
    endpoint: db.endpoint,
    region: 'us-east-1',
    credentials: { accessKeyId: 'x', secretAccessKey: 'x' },
  };
  const settled = settleFigures({ access, tableName }, () => undefined, { now, watch });
  await expect(settled).rejects.toThrow('Clicks are still counted');
  timers.mockRestore();
});
