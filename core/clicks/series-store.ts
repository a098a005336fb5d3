import { seriesKey } from '../table/keys.ts';
import type { Item, Table } from '../table/table.ts';
import { figureNames, type Group, groupPrefixes, namesOf } from './figures.ts';
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

/** The owner of the figures: a link or a project. */
export interface SeriesOwner {
  readonly project: string;
  readonly code?: string | undefined;
}

/** Figures by day and hour. Days and hours in which nothing happened have none. */
export const seriesStore = (table: Pick<Table, 'query'>) => ({
  /** In the order of the spans, each from its oldest on. */
  async find(owner: SeriesOwner, spans: readonly Span[]): Promise<SeriesFigures[]> {
    const items = await Promise.all(spans.map((span) => table.query(between(owner, span))));
    return items.flat().map(figuresIn);
  },
});

const between = ({ project, code }: SeriesOwner, { unit, start, end }: Span) => {
  const [first, last] = [start, end - 1].map((time) =>
    seriesKey(unit, new Date(time).toISOString(), project, code),
  );
  return {
    KeyConditionExpression: 'PK = :series AND SK BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':series': first?.PK, ':first': first?.SK, ':last': last?.SK },
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
