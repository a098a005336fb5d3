import type { ClickRecord } from '../analytics/click-record.ts';
import { dimensionList, isIncluded } from '../analytics/dimensions.ts';
import type { Item } from '../table/table.ts';
import { eventOf, type Happening, type ServiceEvent, shortHash, type VisitEventType } from './event.ts';
import type { StreamChange } from './stream-change.ts';

/** A counted click or open to emit. */
export interface EmittedVisit extends Omit<Happening, 'data' | 'of'> {
  readonly type: VisitEventType;
  /** The visit's id, the same in every delivery. */
  readonly id: string;
  readonly shown: object;
}

/** The most visits of one event. */
const visitsTogether = 100;

/** The clicks and opens that a change of a visitor's item added. */
export const visitsOf = (counted: ClickRecord, { name, takenIn, after }: StreamChange): EmittedVisit[] => {
  const { project, code, platform } = counted;
  const at = counted.at * 1000 + millisecondsOf(after);
  const time = new Date(at).toISOString();
  const each = (type: VisitEventType, times: number, show: (i: number) => object) =>
    Array.from({ length: times }, (_, i): EmittedVisit => {
      const id = i === 0 ? name : `${name}-${i}`;
      return { project, at, takenIn, type, id, shown: { id, code, ...show(i) } };
    });
  const dimensions = dimensionsOf(counted);
  return [
    ...each('link.clicked', counted.clicks, (i) => ({
      clickedAt: time,
      unique: counted.unique && i === 0,
      ...dimensions,
    })),
    ...each('app.opened', counted.opens, (i) => ({
      openedAt: time,
      platform,
      first: i < counted.firstOpens,
    })),
  ];
};

const millisecondsOf = (after: Item | undefined): number => {
  const ms = Number((after?.visit as { readonly ms?: unknown } | undefined)?.ms ?? 0);
  return Number.isInteger(ms) && ms >= 0 && ms < 1000 ? ms : 0;
};

/** A click's dimensions: without its rule if none decided. */
const dimensionsOf = (click: ClickRecord): object =>
  Object.fromEntries(
    dimensionList
      .filter((dimension) => dimension.field !== 'rule' || isIncluded(dimension, click[dimension.field]))
      .map(({ field }) => [field, click[field]]),
  );

const listNames: Readonly<Record<VisitEventType, string>> = {
  'link.clicked': 'clicks',
  'app.opened': 'opens',
};

/** Events for visits of one project and type, with up to a hundred visits each. */
export const visitEvents = (visits: readonly EmittedVisit[]): ServiceEvent[] => {
  const together = visits.slice(0, visitsTogether);
  const [first] = together;
  if (!first) return [];
  const { type, project } = first;
  const event = eventOf({
    type,
    project,
    at: Math.max(...together.map(({ at }) => at)),
    takenIn: Math.max(...together.map(({ takenIn }) => takenIn)),
    of: [shortHash(...together.map(({ id }) => id))],
    data: { project, [listNames[type]]: together.map(({ shown }) => shown) },
  });
  return [event, ...visitEvents(visits.slice(visitsTogether))];
};
