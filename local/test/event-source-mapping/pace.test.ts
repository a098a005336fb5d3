import * as fc from 'fast-check';
import { restAfter } from '../../event-source-mapping/pace.ts';

test.each([
  [0, 50],
  [1, 50],
  [20, 100],
  [1000, 500],
])('after %d records a shard pauses for %d ms', (records, rest) => {
  expect(restAfter(records, { pollMs: 50, busyMs: 500 })).toBe(rest);
});

test('more records never shorten the pause, which is at least a poll', () => {
  fc.assert(
    fc.property(fc.nat(5000), fc.nat(5000), fc.nat(1000), fc.nat(1000), (one, other, pollMs, busyMs) => {
      const [less, more] = [Math.min(one, other), Math.max(one, other)].map((records) =>
        restAfter(records, { pollMs, busyMs }),
      );
      expect(less).toBeLessThanOrEqual(more ?? 0);
      expect(less).toBeGreaterThanOrEqual(pollMs);
      expect(more).toBeLessThanOrEqual(Math.max(pollMs, busyMs));
    }),
  );
});
