import { figuresKey, type SeriesUnit, seriesKey } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { withAmounts } from './amounts.ts';
import { partOf } from './figure-items.ts';
import { figureNames, type Group, groupPrefixes, namesOf, type Owner } from './figures.ts';
import { KnownNames } from './known-names.ts';
import { type RecentAddition, readAdditions, recentOf } from './recent-additions.ts';
import type { Span } from './time-range.ts';

/** The figures of one day or hour. */
export interface SeriesFigures {
  /** Epoch milliseconds. */
  readonly start: number;
  readonly clicks: number;
  readonly uniqueClicks: number;
  readonly opens: number;
  readonly firstOpens: number;
  readonly groups: (group: Group) => Readonly<Record<string, number>>;
}

/** Figures by day and hour. Days and hours in which nothing happened have none. */
export const seriesStore = (table: Pick<Table, 'get' | 'query'>) => ({
  /** In the order of the spans, each from its oldest on. */
  async find(owner: Owner, spans: readonly Span[], now = new Date()): Promise<SeriesFigures[]> {
    if (spans.length === 0) return [];
    // Read first: what is settled meanwhile is found in the days and hours.
    const recent = readAdditions(recentOf(await table.get(figuresKey(owner))));
    const items = await Promise.all(
      spans.flatMap((span) => splitByAge(span, now)).map((span) => itemsOf(table, owner, { span, recent })),
    );
    return items.flat().map(figuresIn);
  },
});

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

interface AgedSpan extends Span {
  /** Clicks are counted, or redriven, within two days. */
  readonly mayChange: boolean;
}

const splitByAge = (span: Span, now: Date): AgedSpan[] => {
  const changingFrom = (Math.floor(now.getTime() / dayMs) - 3) * dayMs;
  return [
    { ...span, end: Math.min(span.end, changingFrom), mayChange: false },
    { ...span, start: Math.max(span.start, changingFrom), mayChange: true },
  ].filter(({ start, end }) => start < end);
};

const itemsOf = async (
  table: Pick<Table, 'query'>,
  owner: Owner,
  { span, recent }: { readonly span: AgedSpan; readonly recent: readonly RecentAddition[] },
): Promise<Item[]> => {
  const items = new Map((await table.query(between(owner, span))).map((item) => [item.SK, item]));
  const names = new KnownNames();
  for (const [SK, item] of items) names.learnItem({ PK: String(item.PK), SK: String(SK) }, item);
  const settled = new Map([...items].map(([SK, item]) => [SK, Number(item[figureNames.settled] ?? 0)]));
  for (const { number, hours } of recent) {
    for (const { hour, amounts } of hours) {
      const time = hour * hourMs;
      const key = keyOf(owner, span.unit, time);
      const { SK } = key;
      if (time < span.start || time >= span.end || (settled.get(SK) ?? 0) >= number) continue;
      // As they will be settled: a name without room would be shown now, and be one of the others later.
      const shown = names.limit(key, partOf(span.unit, amounts, owner));
      names.learn(key, shown.keys());
      items.set(SK, withAmounts(items.get(SK) ?? { SK }, shown));
    }
  }
  return [...items.values()].sort((one, other) => (String(one.SK) < String(other.SK) ? -1 : 1));
};

const keyOf = (owner: Owner, unit: SeriesUnit, time: number) =>
  seriesKey(unit, new Date(time).toISOString(), owner);

const between = (owner: Owner, { unit, start, end, mayChange }: AgedSpan) => {
  const [first, last] = [keyOf(owner, unit, start), keyOf(owner, unit, end - 1)];
  return {
    KeyConditionExpression: 'PK = :series AND SK BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':series': first.PK, ':first': first.SK, ':last': last.SK },
    // A copy may lack what was just settled. Older items are read at half the price.
    ConsistentRead: mayChange,
  };
};

const figuresIn = (item: Item): SeriesFigures => {
  const count = (name: string) => Number(item[name] ?? 0);
  const time = String(item.SK).slice(2);
  return {
    start: Date.parse(time.includes('T') ? `${time}:00:00Z` : `${time}T00:00:00Z`),
    clicks: count(figureNames.clicks),
    uniqueClicks: count(figureNames.uniques),
    opens: count(figureNames.opens),
    firstOpens: count(figureNames.firstOpens),
    groups: (group) => namesOf(item, groupPrefixes[group]),
  };
};
