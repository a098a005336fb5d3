import { planKeyBucket, planKeyBuckets } from '../../../core/keys/plan-key.ts';

test('a project always has the same bucket', () => {
  expect([planKeyBucket('acme'), planKeyBucket('acme')]).toEqual([
    planKeyBucket('acme'),
    planKeyBucket('acme'),
  ]);
});

test.each([
  ['numbered', (i: number) => `project-${i}`],
  ['lettered', (i: number) => `${String.fromCodePoint(97 + (i % 26))}${i}`],
  ['short', (i: number) => i.toString(36).padStart(2, '0')],
])('%s projects spread over all buckets', (_, id) => {
  const sizes = new Array<number>(planKeyBuckets).fill(0);
  for (let i = 0; i < 3200; i += 1) sizes[planKeyBucket(id(i))] = (sizes[planKeyBucket(id(i))] ?? 0) + 1;
  expect(Math.min(...sizes)).toBeGreaterThan(50);
  expect(Math.max(...sizes)).toBeLessThan(200);
});
