import fc from 'fast-check';
import {
  activeMs,
  type InactivePeriod,
  inactivePeriod,
  inactivePeriodsOf,
  isInactiveAt,
} from '../../../core/webhooks/inactive-periods.ts';
import { restoredState } from '../../../core/webhooks/webhook.ts';

const at = (time: string) => Date.parse(`2026-11-22T${time}Z`);
const iso = (time: string) => `2026-11-22T${time}Z`;
const webhook = { createdAt: iso('10:00:00.000') };
const stops = [{ from: iso('11:00:00.000'), to: iso('12:00:00.000') }];

test.each([
  ['09:59:59.999', true],
  ['10:00:00.000', false],
  ['10:59:59.999', false],
  ['11:00:00.000', true],
  ['11:59:59.999', true],
  ['12:00:00.000', false],
])('an active webhook that was paused for an hour is silent at %s: %s', (time, isSo) => {
  expect(isInactiveAt(inactivePeriodsOf(webhook, { status: 'ACTIVE', stops }), at(time))).toBe(isSo);
});

test('a stopped webhook still gets earlier events', () => {
  const inactive = inactivePeriodsOf(webhook, { status: 'PAUSED', stoppedAt: iso('13:00:00.000'), stops });
  expect(isInactiveAt(inactive, at('12:59:59.999'))).toBe(false);
  expect(isInactiveAt(inactive, at('13:00:00.000'))).toBe(true);
});

test('a webhook from a backup gets no events', () => {
  expect(isInactiveAt(inactivePeriodsOf(webhook, restoredState), at('13:00:00.000'))).toBe(true);
});

test('active time excludes inactive periods, also overlapping ones', () => {
  const time = fc.integer({ min: 0, max: 40 });
  const anySilence = fc.oneof(
    fc.tuple(time, time).map(([one, other]) => ({ from: Math.min(one, other), to: Math.max(one, other) })),
    time.map((from): InactivePeriod => ({ from, to: Number.POSITIVE_INFINITY })),
    time.map((to): InactivePeriod => ({ from: Number.NEGATIVE_INFINITY, to })),
  );
  fc.assert(
    fc.property(fc.array(anySilence, { maxLength: 5 }), time, time, (inactive, since, now) => {
      const all = Array.from({ length: Math.max(0, now - since) }, (_, i) => since + i);
      expect(activeMs(inactive, since, now)).toBe(all.filter((ms) => !isInactiveAt(inactive, ms)).length);
    }),
  );
});

test('an open period has no end', () => {
  expect(inactivePeriod({ from: iso('10:00:00.000') })).toEqual({ from: at('10:00:00.000'), to: Infinity });
});
