import { dayIn, momentIn, textIn } from '../../console/format.ts';

test('times are in the viewer’s zone, next to UTC', () => {
  const time = '2026-11-24T05:30:00.000Z';
  expect(momentIn('UTC')(time)).toBe('Nov 24, 2026, 05:30 UTC');
  expect(momentIn('Europe/Berlin')(time)).toBe('Nov 24, 2026, 06:30 (05:30 UTC)');
  expect(momentIn('America/Los_Angeles')(time)).toBe('Nov 23, 2026, 21:30 (Nov 24, 2026, 05:30 UTC)');
});

test("times within texts are in the viewer's zone", () => {
  const text = 'The link expired at 2026-11-24 05:30 UTC: visitors get the 404 page, permanently.';
  const own = 'The link expired at Nov 24, 2026, 06:30 (05:30 UTC): visitors get the 404 page, permanently.';
  expect(textIn('Europe/Berlin')(text)).toBe(own);
});

test('days of times are the viewer’s, and days of analytics UTC’s', () => {
  expect(dayIn('America/Los_Angeles')('2026-11-24T05:30:00.000Z')).toBe('Nov 23, 2026');
  expect(dayIn('America/Los_Angeles')('2026-11-24')).toBe('Nov 24, 2026');
});
