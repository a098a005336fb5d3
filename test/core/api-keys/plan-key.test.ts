import { planKeyBucket, planKeyBuckets } from '../../../core/api-keys/plan-key.ts';

test('a project has the bucket that it had among twice as many, or the one that many before it', () => {
  // As 1.1.0 chose among 32.
  expect(['acme', 'beta', 'project-1', 'a0'].map(planKeyBucket)).toEqual(
    [21, 4, 29, 29].map((bucket) => bucket % planKeyBuckets),
  );
});

test.each([
  ['numbered', (i: number) => `project-${i}`],
  ['lettered', (i: number) => `${String.fromCodePoint(97 + (i % 26))}${i}`],
  ['short', (i: number) => i.toString(36).padStart(2, '0')],
])('%s projects spread over all buckets', (_, id) => {
  const sizes = new Array<number>(planKeyBuckets).fill(0);
  for (let i = 0; i < 3200; i += 1) sizes[planKeyBucket(id(i))] = (sizes[planKeyBucket(id(i))] ?? 0) + 1;
  expect(Math.min(...sizes)).toBeGreaterThan(100);
  expect(Math.max(...sizes)).toBeLessThan(300);
});
