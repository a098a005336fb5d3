import { linkRoom } from '../../../core/links/link-room.ts';
import type { Table } from '../../../core/table/table.ts';

/** A project with this many links, and how often they were counted. */
const projectOf = (links: number) => {
  const seen = { links, counted: 0 };
  const query = async () => {
    seen.counted += 1;
    return [{ SK: 'SEGMENT#2026-01-01T00:00:00.000Z#0', n: seen.links }];
  };
  return { seen, room: linkRoom({ query } as unknown as Table) };
};

afterEach(() => jest.useRealTimers());

test('near the limit, each call counts', async () => {
  const { seen, room } = projectOf(95);
  for (const links of [95, 96, 150]) {
    seen.links = links;
    expect(await room('shop', 100)).toBe(Math.max(0, 100 - links));
  }
  expect(seen.counted).toBe(3);
});

test('far from it, a count holds for as long as the limit is out of reach, a minute at most', async () => {
  jest.useFakeTimers();
  const { seen, room } = projectOf(0);
  const counts = async (limit: number, afterMs: number) => {
    jest.advanceTimersByTime(afterMs);
    await room('shop', limit);
    return seen.counted;
  };
  expect(await counts(8100, 0)).toBe(1);
  expect(await counts(8100, 1999)).toBe(1);
  expect(await counts(8100, 1)).toBe(2);
  expect(await counts(1_000_000, 2000)).toBe(3);
  expect(await counts(1_000_000, 59_999)).toBe(3);
  expect(await counts(1_000_000, 1)).toBe(4);
});
