import { readClick } from '../../../core/analytics/click-record.ts';
import { eventOf } from '../../../core/events/event.ts';
import { changeOf } from '../../../core/events/stream-change.ts';
import { type EmittedVisit, visitEvents, visitsOf } from '../../../core/events/visit-events.ts';
import { visitorKey } from '../../../core/table/analytics-keys.ts';

const takenIn = Date.parse('2026-11-22T12:00:00.999Z');
const at = (ms: number) =>
  eventOf({
    ...({ type: 'link.deleted', project: 'shop', takenIn, at: takenIn + ms } as const),
    of: ['one'],
    data: {},
  });

test.each([
  ['when it happened', -500, -500],
  ['when it happened, just a minute before', -59_999, -59_999],
  ['when the table took it in, where it waited for a minute', -60_000, 0],
  ['when the table took it in, two weeks late', -14 * 86_400_000, 0],
  ['when the table took it in, where a clock was ahead', 1, 0],
])('an event is of %s', (_, happened, created) => {
  const event = at(happened);
  expect(event.createdAt).toBe(takenIn + created);
  // Its timestamp is the time of the change.
  expect(JSON.parse(event.body).timestamp).toBe(new Date(takenIn + happened).toISOString());
});

test('ids sort by time, whatever the events are', () => {
  const ids = [-1000, -900, -1].map((ms) => at(ms).id);
  expect(ids.toSorted()).toEqual(ids);
});

test('an event of several visits is of the time of the last one', () => {
  const second = 1_764_000_000;
  const visit = (at: number): EmittedVisit => ({
    ...{ type: 'link.clicked', project: 'shop', id: `visit-${at}`, shown: {} },
    at: at * 1000 + 456,
    // The stream has only the second in which it took a record in.
    takenIn: changeOf({ dynamodb: { ApproximateCreationDateTime: at } }).takenIn,
  });
  const [event] = visitEvents([visit(second), visit(second + 20), visit(second + 10)]);
  const last = (second + 20) * 1000 + 456;
  expect(event?.createdAt).toBe(last);
  expect(JSON.parse(event?.body ?? '').timestamp).toBe(new Date(last).toISOString());
});

test('among clicks and opens of one change, one is unique, and as many are first as it counts', () => {
  const image = (numbers: Record<string, string>) => ({
    ...Object.fromEntries(Object.entries(numbers).map(([name, N]) => [name, { N }])),
    visit: { M: { seen: { N: '1764000000' } } },
  });
  const dynamodb = {
    Keys: { PK: { S: visitorKey('shop', 'abc', 'visitor').PK } },
    NewImage: image({ hits: '2', opens: '3', firstOpens: '1' }),
    SequenceNumber: '1',
  };
  const counted = readClick(dynamodb);
  if (!counted) throw new Error('Nothing was counted');
  const visits = visitsOf(counted, changeOf({ dynamodb }));
  const shown = visits.map((visit) => visit.shown as { unique?: boolean; first?: boolean });
  expect(shown.map(({ unique, first }) => unique ?? first)).toEqual([true, false, true, false, false]);
  expect(new Set(visits.map(({ id }) => id)).size).toBe(3);
});
