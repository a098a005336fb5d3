import { analyticsKey, excludedKey } from '../table/analytics-keys.ts';
import { tableSchema } from '../table/keys.ts';
import { itemsFrom } from '../table/ranges.ts';
import { ConditionFailed, type Item } from '../table/table.ts';
import { updateOf } from '../table/update.ts';
import { firstPortion } from './amounts.ts';
import { analyticsOf, excludedOf } from './analytics.ts';
import { amountsOf, type ItemRecords } from './analytics-items.ts';
import { hourExpiry } from './analytics-retention.ts';
import type { ClickRecord } from './click-record.ts';
import { closeDays, type DaysTable, sumLateDay } from './closed-days.ts';
import { KnownNames, type NamedAmounts } from './known-values.ts';
import { hourOf, reachedIn, staleNames, watermarkOf, writeWatermark } from './watermarks.ts';

/** Writes analytics, and reads a link's totals with its excluded visits. */
export const analyticsStore = (table: DaysTable, { clock = () => new Date() } = {}) => {
  const names = new KnownNames();
  return {
    /** A link's totals, and its excluded visits by reason. */
    async find(project: string, code: string) {
      const [items, excluded] = await Promise.all([
        table.query(itemsFrom(analyticsKey({ project, code }))),
        table.get(excludedKey(project, code)),
      ]);
      // 1.0.0 counted excluded visits in the item of totals, and they cover a link's whole life.
      return { analytics: analyticsOf(...items), excluded: excludedOf(...items, excluded) };
    },

    /**
     * Adds a shard's records to an item exactly once: the same update moves the shard's watermark in the item, and
     * records at or below it are skipped. This is safe under repetition, overlap and interruption, if a shard's records
     * come in order.
     */
    async add(added: ItemRecords): Promise<void> {
      const { key, shard } = added;
      let fresh = inOrder(added.records);
      let begins = false;
      while (fresh.length > 0) {
        const portion = firstPortion(fresh, (record) => amountsOf(added, [record]).keys());
        const placed = await names.place(table, added, amountsOf(added, portion));
        try {
          const before = await table.update(addition(added, portion, placed));
          fresh = fresh.slice(portion.length);
          begins ||= Object.keys(before).every((name) => name in key);
          names.learn(key, before, placed);
          await dropStale(table, added, before, hourOf(clock().getTime() / 1000));
        } catch (error) {
          if (!(error instanceof ConditionFailed)) throw error;
          names.learn(key, error.item ?? {});
          const reached = reachedIn(error.item, shard);
          fresh = fresh.filter(({ position }) => position > reached);
        }
      }
      // Even if all were added before, because an earlier attempt may have stopped before it summed the day.
      await sumLateDay(table, added, clock);
      if (begins) await closeDays(table, added, clock);
    },
  };
};

/** Records in the shard's order, each once: a poller that moves may deliver older ones after newer ones. */
const inOrder = (records: readonly ClickRecord[]): ClickRecord[] =>
  records
    .toSorted((one, other) => (one.position < other.position ? -1 : 1))
    .filter(({ position }, i, all) => position !== all[i - 1]?.position);

const addition = (item: ItemRecords, portion: readonly ClickRecord[], { amounts, leaving }: NamedAmounts) => {
  const [first, last] = [portion[0], portion.at(-1)] as [ClickRecord, ClickRecord];
  // A project's hour gets its expiry later, after its day is closed (`expireHours`).
  const expires = item.hour !== undefined && item.owner.code !== undefined;
  const left = [...leaving];
  const update = updateOf(item.key, {
    add: Object.fromEntries(amounts),
    set: {
      [watermarkOf(item.shard)]: writeWatermark(last.position, hourOf(last.created)),
      [tableSchema.ttl]: expires ? hourExpiry(item.hour, item.retentionDays) : undefined,
    },
    remove: [...leaving.keys()],
    when: ['(attribute_not_exists(#w) OR #w < :first)', ...left.map((_, i) => `#left${i} = :left${i}`)].join(
      ' AND ',
    ),
    names: { w: watermarkOf(item.shard), ...Object.fromEntries(left.map(([name], i) => [`left${i}`, name])) },
    values: { first: first.position, ...Object.fromEntries(left.map(([, n], i) => [`left${i}`, n])) },
  });
  return { ...update, ReturnValues: 'ALL_OLD' as const };
};

/** Removes stale watermarks if that saves a unit of every later write. */
const dropStale = async (table: DaysTable, { key, shard }: ItemRecords, before: Item, nowHour: number) => {
  const stale = staleNames(before, nowHour).filter((name) => name !== watermarkOf(shard));
  const kept = Object.entries(before).filter(([name]) => !stale.includes(name));
  if (unitsOf(kept) < unitsOf(Object.entries(before))) await table.update(updateOf(key, { remove: stale }));
};

/** An upper estimate of write units: DynamoDB stores two digits in a byte. */
const unitsOf = (attributes: readonly (readonly [string, unknown])[]): number =>
  Math.ceil(
    attributes.reduce((bytes, [name, value]) => bytes + name.length + String(value).length, 0) / 1024,
  );
