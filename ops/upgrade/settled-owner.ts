// Until 1.3.0: part of the upgrade from 1.0.0.
import { type Amounts, Counts, firstPortion } from '../../core/figures/amounts.ts';
import { partOf } from '../../core/figures/days.ts';
import { hourItemKey } from '../../core/figures/figure-items.ts';
import { figureNames } from '../../core/figures/figures.ts';
import { dayExpiry, hourExpiry } from '../../core/figures/figures-retention.ts';
import { staleNames } from '../../core/figures/watermarks.ts';
import type { Owner } from '../../core/table/figure-keys.ts';
import { dayKey, hourKey } from '../../core/table/figure-keys.ts';
import { type Key, tableSchema } from '../../core/table/keys.ts';
import { type Item, met, type Table, wrote } from '../../core/table/table.ts';
import { updateOf } from '../../core/table/update.ts';
import { readAddition } from './recent-additions.ts';

/** What 1.0.0 left in an item of figures: additions that its days and hours lack, how many they have, and that count once settled. */
const left = { recent: 'q', settled: 's', upgraded: 'k' };

/** Whether 1.0.0 has counted in an item of figures, and nobody has settled it since. */
export const isUnsettled = (item: Item): boolean =>
  left.recent in item || (left.settled in item && item[left.upgraded] !== item[left.settled]);

export interface Settling {
  readonly table: Pick<Table, 'get' | 'query' | 'update'>;
  readonly now: Date;
  readonly retentionDays: number | undefined;
}

/**
 * Brings one owner's figures into the form of 1.1.0: adds recent additions to days and hours, each exactly once, copies
 * watermarks into the hours that may meet the same records again, and notes from which day on days are summed from
 * hours. May stop anywhere and be repeated. False if 1.0.0 has counted meanwhile.
 */
export const settleOwner = async (settling: Settling, owner: Owner, item: Item): Promise<boolean> => {
  const texts = (item[left.recent] ?? []) as readonly string[];
  const settled = Number(item[left.settled] ?? 0);
  for (const one of itemsOf(settling, owner, texts, settled)) await addTo(settling, one);
  await copyWatermarks(settling, owner, item);
  // 1.0.0 leaves an empty list behind.
  const hasList = left.recent in item;
  const today = Math.floor(settling.now.getTime() / 86_400_000);
  const last = settled + texts.length;
  const isOwn = (found?: Item) => found !== undefined && !isUnsettled(found) && found[left.settled] === last;
  return wrote(
    settling.table.update({
      Key: { PK: item.PK, SK: item.SK },
      UpdateExpression: `SET #s = :last, #k = :last, #d = if_not_exists(#d, :today) ${hasList ? 'REMOVE #q' : ''}`,
      ConditionExpression: `${hasList ? 'size(#q) = :size' : 'attribute_not_exists(#q)'} AND ${settled > 0 ? '#s = :settled' : 'attribute_not_exists(#s)'}`,
      ExpressionAttributeNames: {
        '#q': left.recent,
        '#s': left.settled,
        '#k': left.upgraded,
        '#d': figureNames.closed,
      },
      ExpressionAttributeValues: {
        ':last': last,
        ':today': today,
        ...(hasList && { ':size': texts.length }),
        ...(settled > 0 && { ':settled': settled }),
      },
    }),
    isOwn,
  );
};

/** A day or an hour, and what each addition adds to it. */
interface SeriesItem {
  readonly key: Key;
  readonly ttl: number | undefined;
  readonly parts: Map<number, Counts>;
}

const itemsOf = (
  { retentionDays }: Settling,
  owner: Owner,
  texts: readonly string[],
  settled: number,
): SeriesItem[] => {
  const items = new Map<string, SeriesItem>();
  const add = (number: number, key: Key, ttl: number | undefined, amounts: Amounts) => {
    if (amounts.size === 0) return;
    const item = items.get(key.SK) ?? { key, ttl, parts: new Map<number, Counts>() };
    items.set(key.SK, item);
    const counts = item.parts.get(number) ?? new Counts();
    item.parts.set(number, counts);
    for (const [name, amount] of amounts) counts.add(name, amount);
  };
  for (const [i, text] of texts.entries()) {
    const number = settled + 1 + i;
    for (const { hour, amounts } of readAddition(text)) {
      const day = Math.floor(hour / 24);
      add(number, hourKey(owner, hour), hourExpiry(hour, retentionDays), amounts);
      for (const unit of ['day', 'dayByLink'] as const)
        add(
          number,
          dayKey(unit, owner, day),
          dayExpiry(unit, day, owner, retentionDays),
          partOf(unit, amounts, owner),
        );
    }
  }
  return [...items.values()];
};

/** Each day and hour has the number of the last addition that it contains. */
const addTo = async ({ table }: Settling, { key, ttl, parts }: SeriesItem): Promise<void> => {
  const has = Number((await table.get(key))?.[left.settled] ?? 0);
  let open = [...parts].filter(([number]) => number > has);
  while (open.length > 0) {
    const portion = firstPortion(open, ([, amounts]) => amounts.keys());
    const wanted = new Counts();
    for (const [, amounts] of portion) for (const [name, amount] of amounts) wanted.add(name, amount);
    const [first, last] = [portion.at(0)?.[0], portion.at(-1)?.[0]];
    // Refused if another run of the command was faster.
    await met(
      table.update(
        updateOf(key, {
          add: Object.fromEntries(wanted),
          set: { [left.settled]: last, [tableSchema.ttl]: ttl },
          when: 'attribute_not_exists(#s) OR #s < :first',
          names: { s: left.settled },
          values: { first },
        }),
      ),
    );
    open = open.slice(portion.length);
  }
};

/** 1.0.0 had one watermark for totals, days and hours. A record that comes again must be refused by its hour, too. */
const copyWatermarks = async ({ table, now }: Settling, owner: Owner, item: Item): Promise<void> => {
  const nowHour = Math.floor(now.getTime() / 3_600_000);
  const stale = staleNames(item, nowHour);
  const marks = Object.entries(item).filter(
    ([name]) => name.startsWith(figureNames.watermarkPrefix) && !stale.includes(name),
  );
  if (marks.length === 0) return;
  const hours = await table.query({
    KeyConditionExpression: 'PK = :series AND SK BETWEEN :first AND :last',
    ExpressionAttributeValues: {
      ':series': hourKey(owner, nowHour).PK,
      ':first': hourKey(owner, nowHour - hoursOfStream).SK,
      ':last': `${hourKey(owner, nowHour + 1).SK}$`,
    },
    ConsistentRead: true,
  });
  for (const hour of new Set(hours.map(({ SK }) => String(SK).slice(2, 15)))) {
    const number = Date.parse(`${hour}:00:00Z`) / 3_600_000;
    for (const [name, mark] of marks) {
      await met(
        table.update({
          Key: hourItemKey(owner, number, name),
          UpdateExpression: 'SET #w = :mark',
          ConditionExpression: 'attribute_not_exists(#w) OR #w < :mark',
          ExpressionAttributeNames: { '#w': name },
          ExpressionAttributeValues: { ':mark': mark },
        }),
      );
    }
  }
};

/** Records come again for a day at most; the rest is for clocks and rounding. */
const hoursOfStream = 27;
