import fc from 'fast-check';
import { groupsFor } from '../../../core/links/visitor-groups.ts';

test.each([
  [1, 1],
  [700, 1],
  [701, 8],
  [3000, 32],
  [10_000, 128],
  [50_000, 512],
  [100_000, 1024],
])('%i visits a second need %i groups', (visits, groups) => expect(groupsFor(visits)).toBe(groups));

test('more visits never need fewer groups, and a partition of the table always has several', () =>
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000 }), fc.integer({ min: 1, max: 100_000 }), (one, other) => {
      const [few, many] = [Math.min(one, other), Math.max(one, other)];
      expect(groupsFor(few)).toBeLessThanOrEqual(groupsFor(many));
      if (many > 1000) expect(groupsFor(many) / Math.ceil(many / 1000)).toBeGreaterThanOrEqual(4);
    }),
  ));
