import type { ClickRecord } from '../figures/click.ts';
import { readClick } from '../figures/click-record.ts';
import { isSaid, splitList } from '../figures/splits.ts';
import { eventOf, type ServiceEvent, shortHash, type VisitEventType } from './event.ts';
import { imageOf, nameOfRecord, type StreamRecord, takenInAt } from './stream-change.ts';

/** A counted click or open, as receivers get it. */
export interface ToldVisit {
  readonly type: VisitEventType;
  readonly project: string;
  /** When it happened, in epoch milliseconds. */
  readonly at: number;
  readonly takenIn: number;
  /** The same in every delivery. */
  readonly id: string;
  readonly shown: object;
}

/** The most visits of one event. */
export const visitsTogether = 100;

/** Reads a record of a visitor's item: each click and each open that it added. */
export const visitsOf = (record: StreamRecord): ToldVisit[] => {
  const counted = readClick(record.dynamodb as Parameters<typeof readClick>[0]);
  if (!counted) return [];
  const name = nameOfRecord(record);
  const at = counted.at * 1000 + millisecondsOf(record);
  const { project, code } = counted;
  const common = { project, at, takenIn: takenInAt(record) };
  const time = new Date(at).toISOString();
  const clicks = Array.from({ length: counted.clicks }, (_, i): ToldVisit => {
    const id = i === 0 ? name : `${name}-${i}`;
    const isUnique = counted.unique && i === 0;
    const shown = { id, code, clickedAt: time, unique: isUnique, ...splitsOf(counted) };
    return { ...common, type: 'link.clicked', id, shown };
  });
  const opens = Array.from({ length: counted.opens }, (_, i): ToldVisit => {
    const id = i === 0 ? name : `${name}-${i}`;
    const shown = { id, code, openedAt: time, platform: counted.platform, first: i < counted.firstOpens };
    return { ...common, type: 'app.opened', id, shown };
  });
  return [...clicks, ...opens];
};

const millisecondsOf = ({ dynamodb }: StreamRecord): number => {
  const { visit } = imageOf(dynamodb?.NewImage) ?? {};
  const ms = Number((visit as { readonly ms?: unknown } | undefined)?.ms ?? 0);
  return Number.isInteger(ms) && ms >= 0 && ms < 1000 ? ms : 0;
};

/** A click's splits, without the values that mean "unknown". */
const splitsOf = (click: ClickRecord): object =>
  Object.fromEntries(
    splitList.filter((split) => isSaid(split, click[split.field])).map(({ field }) => [field, click[field]]),
  );

const listNames: Readonly<Record<VisitEventType, string>> = {
  'link.clicked': 'clicks',
  'app.opened': 'opens',
};

/** Visits of one project and one kind as one event; at most `visitsTogether`. */
export const visitEvent = (visits: readonly ToldVisit[]): ServiceEvent => {
  const [first] = visits;
  if (!first) throw new Error('An event needs a visit');
  const { type, project } = first;
  const latest = (times: readonly number[]) => times.reduce((one, other) => Math.max(one, other));
  const shown = visits.map((one) => one.shown);
  return eventOf({
    type,
    project,
    at: latest(visits.map(({ at }) => at)),
    takenIn: latest(visits.map(({ takenIn }) => takenIn)),
    of: [shortHash(...visits.map(({ id }) => id))],
    data: { project, [listNames[type]]: shown },
  });
};
