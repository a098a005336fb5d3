import { analyticsItemsOf, type ItemRecords } from '../../../core/analytics/analytics-items.ts';
import { analyticsStore } from '../../../core/analytics/analytics-store.ts';
import type { ClickRecord } from '../../../core/analytics/click-record.ts';
import { packedPosition } from '../../../core/analytics/positions.ts';
import { hourOf, watermarkOf, writeWatermark } from '../../../core/analytics/watermarks.ts';
import type { Owner } from '../../../core/table/analytics-keys.ts';
import { aClickRecord, unique } from '../../support/builders.ts';
import { fileTable } from '../../support/engine.ts';
import { openLeanTable } from '../../support/lean-table.ts';
import { startMeteredEngine } from '../../support/metered-engine.ts';
import { isNightly } from '../../support/nightly.ts';
import { ofFile } from '../../support/of-file.ts';

const db = fileTable();
const meter = ofFile(() => startMeteredEngine(db.endpoint));
const analytics = ofFile(() =>
  analyticsStore(openLeanTable(meter.endpoint), { clock: () => new Date(at * 1000) }),
);

const at = Date.parse('2026-03-01T10:00:00Z') / 1000;
/** A shard is open for about four hours, then its children follow. */
const shardHours = 4;
const letters = [...'ABCDEFGHIJ'];

/** As long as DynamoDB's own. */
let counted = 0n;
const nextPosition = () => {
  counted += 1n;
  return packedPosition(String(10n ** 27n + counted));
};

/** So many clicks on each of these links, from many places. */
const clicksOn = (
  project: string,
  codes: readonly string[],
  { referrers, isGrouped = true }: { readonly referrers: number; readonly isGrouped?: boolean },
): ClickRecord[] =>
  codes.flatMap((code) =>
    Array.from({ length: Math.max(1, Math.ceil(60 / codes.length)) }, (_, i) =>
      aClickRecord(
        {
          project,
          code,
          isGrouped,
          at,
          created: at,
          clicks: 45,
          unique: true,
          position: nextPosition(),
          platform: (['ios', 'android', 'web'] as const)[i % 3] ?? 'web',
          country: `${letters[i % 10]}${letters[Math.floor(i / 10) % 6]}`,
          referrer: `referrer-${i % referrers}.example`,
          browser: `browser-${i % 8}`,
          os: `os-${i % 5}`,
          trigger: i % 2 ? 'link' : 'qr',
        },
        i,
      ),
    ),
  );

/** Shards that leave their watermarks in an item, newest last; those before the last ones are closed. */
const shardsOf = (partitions: number, generations: number): string[] =>
  Array.from({ length: Math.round(partitions * generations) }, (_, i) => `stream/shard-${i}`);

const isOf = (item: ItemRecords, { owner, isTotals }: Kind) =>
  item.owner.code === owner.code && (item.hour === undefined) === isTotals;

interface Kind {
  readonly owner: Owner;
  readonly isTotals: boolean;
}

/**
 * Write units a second of the busiest item of a kind, if each shard that is open adds to it once a second: measured with
 * the watermarks of all shards that have added to it before.
 */
const unitsASecond = async (kind: Kind, codes: readonly string[], partitions: number): Promise<number> => {
  const { project } = kind.owner;
  const shards = shardsOf(partitions, kind.isTotals ? 26 / shardHours + 1 : 1 + 1 / shardHours);
  const open = new Set(shards.slice(-partitions));
  const byItem = Map.groupBy(shards, (shard) => {
    const items = analyticsItemsOf({ shard, records: clicksOn(project, [codes[0] ?? ''], { referrers: 1 }) });
    return items.find((item) => isOf(item, kind))?.key.SK ?? '';
  });
  let most = 0;
  for (const some of byItem.values()) {
    const shard = some.findLast((one) => open.has(one)) ?? '';
    const marks = some.filter((one) => one !== shard).map((one) => [watermarkOf(one), aWatermark()]);
    const items = analyticsItemsOf({ shard, records: clicksOn(project, codes, { referrers: 40 }) });
    const item = items.find((one) => isOf(one, kind));
    if (!item) throw new Error('Nothing adds to such an item');
    await db.table.put({ Item: { ...item.key, ...Object.fromEntries(marks) } });
    most = Math.max(most, (await unitsOf(item)) * some.filter((one) => open.has(one)).length);
  }
  return most;
};

/** Write units of adding records to an item, however many updates that takes. */
const unitsOf = async (item: ItemRecords): Promise<number> => {
  meter.take();
  await analytics.add(item);
  return meter.take().reduce((total, { writes }) => total + writes, 0);
};

const aWatermark = () => writeWatermark(nextPosition(), hourOf(at));

const codesOf = (links: number) => Array.from({ length: links }, (_, i) => `code-${i}`);

/** Partitions; units of a project's hour, and of hour and totals of a link that every shard writes. As in docs/performance.md. */
const measured = [
  [4, 7, 2, 1],
  [20, 40, 10, 5],
  [46, 64, 16, 12],
  [64, 88, 22, 22],
  [100, 128, 48, 26],
] as const;

test.each(measured.filter(([partitions]) => isNightly || partitions === 20))(
  'on %i partitions, no item of analytics takes 300 write units a second',
  async (partitions, ...units) => {
    const project = unique('project');
    const owner = { project: unique('project'), code: 'code-0' };
    expect([
      await unitsASecond({ owner: { project }, isTotals: false }, codesOf(250), partitions),
      await unitsASecond({ owner, isTotals: false }, ['code-0'], partitions),
      await unitsASecond({ owner, isTotals: true }, ['code-0'], partitions),
    ]).toEqual(units);
  },
);
