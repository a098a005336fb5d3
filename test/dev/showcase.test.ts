import type { LinkPayload } from '../../core/links/payload-fields.ts';
import { linkWarnings } from '../../core/pages/link-warnings.ts';
import { clicksOfDay, showcase, showcaseDays } from '../../dev/showcase/clicks.ts';
import { showcaseRows } from '../../dev/showcase/load.ts';

const today = Date.UTC(2026, 10, 22) / 1000;
const days = Array.from({ length: showcaseDays }, (_, daysIn) => clicksOfDay('showcase', today, daysIn));
const records = days.flat();

test('a year has 20,000 clicks, some on every day, the same at every start', () => {
  expect(records.length).toBeGreaterThanOrEqual(20_000);
  expect(days.filter((day) => day.length === 0)).toEqual([]);
  expect(clicksOfDay('showcase', today, 200)).toEqual(days[200]);
});

test('clicks happen in their day, in the order of their positions, and none is in the future', () => {
  for (const [daysIn, day] of days.entries()) {
    const start = today - (showcaseDays - 1 - daysIn) * 86_400;
    const end = daysIn === showcaseDays - 1 ? start + 1 : start + 86_400;
    expect(day.every(({ at }) => at >= start && at < end)).toBe(true);
  }
  const positions = records.map(({ position }) => position);
  expect(positions).toEqual([...new Set(positions)].sort());
});

test.each([0, 1, 4, 9, 14, 23])('at %i:30 today has clicks in the hours that are over', (hour) => {
  const now = today + hour * 3600 + 1800;
  const clicks = clicksOfDay('showcase', now, showcaseDays - 1);
  const hours = new Set(clicks.map(({ at }) => Math.floor((at - today) / 3600)));
  expect(clicks.length).toBeGreaterThan(0);
  expect(Math.min(...hours)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...hours)).toBeLessThan(Math.max(hour, 1));
  expect(hours.size).toBeGreaterThanOrEqual(Math.ceil(hour * 0.6));
  if (hour === 0) expect(clicks.every(({ at }) => at === today)).toBe(true);
  expect(clicksOfDay('showcase', now, showcaseDays - 1)).toEqual(clicks);
  expect(clicksOfDay('showcase', now, showcaseDays - 2)).toEqual(days[showcaseDays - 2]);
});

test('links have clicks only while they are there and live', () => {
  for (const { code, crowd } of showcase.links) {
    const times = records.filter((record) => record.code === code).map(({ at }) => at);
    expect(Math.min(...times)).toBeGreaterThanOrEqual(today - crowd.from * 86_400);
    expect(Math.max(...times)).toBeLessThan(today - ((crowd.to ?? 0) - 1) * 86_400);
  }
});

test('one campaign has its peak, and weekdays differ', () => {
  const peak = Math.max(...days.map((day) => day.length));
  expect(peak).toBeGreaterThan(3 * (records.length / showcaseDays));
  const on = (weekday: number) =>
    days
      .filter((day) => new Date((day[0]?.at ?? 0) * 1000).getUTCDay() === weekday)
      .reduce((sum, day) => sum + day.length, 0);
  expect(on(0)).toBeLessThan(0.9 * on(2));
});

test('one of 20 links is paused, one has expired and one has a warning', () => {
  const rows = showcaseRows(today * 1000) as { status?: string; expiresAt?: string; payload: LinkPayload }[];
  expect(rows).toHaveLength(20);
  expect(rows.filter(({ status }) => status === 'PAUSED')).toHaveLength(1);
  expect(rows.filter(({ expiresAt }) => expiresAt && Date.parse(expiresAt) < today * 1000)).toHaveLength(1);
  const saved = { ios: { appStoreId: '1', bundleId: 'x' }, android: { packageName: 'x' } };
  const association = { ios: [{ appId: 'x' }], android: [{ package: 'x', fingerprints: [] }] } as never;
  const warned = rows.filter(
    ({ payload }) =>
      linkWarnings({ status: 'ACTIVE', payload }, (payload.iosAppId ? saved : {}) as never, association)
        .length > 0,
  );
  expect(warned.map(({ payload }) => payload.link)).toEqual(['https://shop.example.com/lottery']);
});
