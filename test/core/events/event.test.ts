import { eventOf } from '../../../core/events/event.ts';

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
  // What it says of its time is what happened.
  expect(JSON.parse(event.body).timestamp).toBe(new Date(takenIn + happened).toISOString());
});

test('ids sort by time, whatever the events are', () => {
  const ids = [-1000, -900, -1].map((ms) => at(ms).id);
  expect(ids.toSorted()).toEqual(ids);
});
