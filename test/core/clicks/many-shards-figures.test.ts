import { readFileSync } from 'node:fs';
import path from 'node:path';
import { positionOf } from '../../../core/clicks/click.ts';
import { addRecords } from '../../../core/clicks/click-figures.ts';
import { itemsOf } from '../../../core/clicks/figure-items.ts';
import { figuresKey, visitorKey } from '../../../core/table/keys.ts';
import type { Item } from '../../../core/table/table.ts';
import type { CostInputs } from '../../../ops/cost/page.ts';
import { aClickRecord, unique } from '../../support/builders.ts';
import { startTable, type TestTable } from '../../support/engine.ts';

let db: TestTable;
beforeAll(async () => {
  db = await startTable();
});
afterAll(() => db.stop());

const costInputs: CostInputs = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../docs/cost-inputs.json'), 'utf8'),
);

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
  Object.entries(item).reduce((sum, [name, value]) => sum + name.length + sizeOfValue(value), 0);

const sizeOfValue = (value: unknown): number => {
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  if (Array.isArray(value)) return value.reduce((sum, one) => sum + 1 + String(one).length, 3);
  return String(value).length;
};

interface Load {
  readonly partitions: number;
  readonly codeOf: (hour: number, visitor: number) => string;
}

/**
 * Four visitors click every hour for four days. Resolves to the write units of the items of figures during the last
 * day, on average: of links and of their project.
 */
const unitsOfSteadyClicks = async (project: string, { partitions, codeOf }: Load) => {
  const units = { link: [] as number[], project: [] as number[] };
  for (let hour = 0; hour < hours; hour += 1) {
    for (let visitor = 0; visitor < 4; visitor += 1) {
      const code = codeOf(hour, visitor);
      const { PK } = visitorKey(project, code, `${hour}-visitor-${visitor}`);
      const number = `4421584500000${String(hour * 100 + visitor).padStart(12, '0')}`;
      const created = start + hour * 3600;
      const record = aClickRecord(
        { project, code, created, at: created, unique: true },
        hour * 100 + visitor,
      );
      const records = [{ ...record, sequenceNumber: number, position: positionOf(number) }];
      for (const item of itemsOf({ shard: shardOf(PK, partitions, hour), records })) {
        await addRecords(db.table, item, { now: new Date(created * 1000) });
        if (hour < hours - 24) continue;
        const size = sizeOf((await db.table.get(item.key)) ?? {});
        units[item.owner.code === undefined ? 'project' : 'link'].push(Math.ceil(size / 1024));
      }
    }
  }
  return { link: averageOf(units.link), project: averageOf(units.project) };
};

const averageOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

const medium = costInputs.spreads.find(({ name }) => name === 'medium')?.units ?? { link: 0, project: 0 };

test.each([
  [1, 1],
  // As many as there are: a link's clicks come from two shards at a time.
  [100, medium.link],
])(
  "on %i partitions, a write of a link's figures takes %f units on average after days of clicks",
  async (partitions, most) => {
    const [project, code] = [unique('project'), unique('code')];
    const units = await unitsOfSteadyClicks(project, { partitions, codeOf: () => code });
    expect((await db.table.get(figuresKey({ project, code })))?.n).toBe(hours * 4);
    expect(units.link).toBeLessThanOrEqual(most);
    expect(units.link).toBeGreaterThan(most - 0.1);
  },
);

test("on 4 partitions, a project's figures take as many units as the costs are computed with", async () => {
  const codeOf = (hour: number, visitor: number) => `code-${hour % 25}-${visitor}`;
  const units = await unitsOfSteadyClicks(unique('project'), { partitions: 4, codeOf });
  expect(units.project).toBeLessThanOrEqual(medium.project);
  expect(units.project).toBeGreaterThan(medium.project - 0.1);
});
