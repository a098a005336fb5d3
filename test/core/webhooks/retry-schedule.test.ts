import { isGivenUp, mostAttempts, pauseAfter, retryAfterOf } from '../../../core/webhooks/retry-schedule.ts';

const [second, minute, hour] = [1000, 60_000, 3_600_000];

test('eight attempts are made, with longer and longer pauses', () => {
  const pauses = Array.from({ length: mostAttempts }, (_, i) => pauseAfter(i + 1, { random: () => 0 }));
  expect(pauses).toEqual([
    ...[5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 10 * hour],
    undefined,
  ]);
});

test('a pause is up to a tenth longer', () => {
  expect(pauseAfter(1, { random: () => 0.5 })).toBe(5250);
  expect(pauseAfter(1, { random: () => 0.999_999 })).toBeLessThan(5500);
});

test('a receiver can postpone an attempt, and never hasten it', () => {
  expect(pauseAfter(1, { random: () => 0, retryAfter: 60 })).toBe(minute);
  expect(pauseAfter(2, { random: () => 0, retryAfter: 60 })).toBe(5 * minute);
});

test.each([
  [429, '120', 120],
  [503, '36000', 36_000],
  [503, '99999', 36_000],
  [503, '31536000', 36_000],
  [500, '120', undefined],
  [429, 'Wed, 21 Oct 2026 07:28:00 GMT', undefined],
  [429, '-1', undefined],
  [429, '1.5', undefined],
  [429, undefined, undefined],
])('%s with Retry-After %s postpones by %s', (status, header, seconds) => {
  expect(retryAfterOf(status, header)).toBe(seconds);
});

test('a webhook is given up after 72 hours and twenty attempts', () => {
  expect(isGivenUp(72 * hour, 20)).toBe(true);
  expect(isGivenUp(72 * hour - 1, 20)).toBe(false);
  expect(isGivenUp(72 * hour, 19)).toBe(false);
});
