import { positionOf } from '../../../core/clicks/click.ts';
import { addRecords } from '../../../core/clicks/click-figures.ts';
import { itemsOf } from '../../../core/clicks/figure-items.ts';
import { figuresKey, visitorKey } from '../../../core/table/keys.ts';
import type { Item } from '../../../core/table/table.ts';
import { aClickRecord, unique } from '../../support/builders.ts';
import { startTable, type TestTable } from '../../support/engine.ts';

let db: TestTable;
beforeAll(async () => {
  db = await startTable();
});
afterAll(() => db.stop());

const hours = 96;
/** A shard is open for about four hours, then its children follow. */
const shardHours = 4;
const start = Date.parse('2026-03-01T00:00:00.000Z') / 1000;

/** The shard for a partition key's changes, in a table with this many partitions. */
const shardOf = (PK: string, partitions: number, hour: number): string => {
  const partition = [...PK].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 9973, 7) % partitions;
  return `stream/shard-${Math.floor(hour / shardHours)}-${partition}`;
};

/** An item's size for DynamoDB: names and values in UTF-8, numbers at two digits a byte plus one byte. */
const sizeOf = (item: Item): number =>
  Object.entries(item).reduce((sum, [name, value]) => {
    const bytes = typeof value === 'number' ? Math.ceil(String(value).length / 2) + 1 : String(value).length;
    return sum + name.length + bytes;
  }, 0);

/** Adds clicks of some visitors of one link every hour for four days. */
const clickSteadily = async (code: string, partitions: number) => {
  for (let hour = 0; hour < hours; hour += 1) {
    for (let visitor = 0; visitor < 4; visitor += 1) {
      const { PK } = visitorKey('acme', code, `${hour}-visitor-${visitor}`);
      const number = `4421584500000000${String(hour * 100 + visitor).padStart(12, '0')}`;
      const created = start + hour * 3600;
      const record = aClickRecord({ code, created, at: created, unique: true }, Number(hour * 100 + visitor));
      const records = [{ ...record, sequenceNumber: number, position: positionOf(number) }];
      const [totals] = itemsOf({ shard: shardOf(PK, partitions, hour), records });
      if (totals) await addRecords(db.table, totals, { now: new Date(created * 1000) });
    }
  }
};

test.each([
  [1, 1024],
  [4, 1536],
  [100, 2048],
])(
  'after four days of clicks over %i partitions, the totals of a link take %i bytes at most',
  async (partitions, most) => {
    const code = unique('code');
    await clickSteadily(code, partitions);
    const item = (await db.table.get(figuresKey({ project: 'acme', code }))) ?? {};
    expect(item.n).toBe(hours * 4);
    expect(sizeOf(item)).toBeLessThanOrEqual(most);
  },
);
