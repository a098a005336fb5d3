import * as fc from 'fast-check';
import { readTime } from '../../../core/base/time.ts';

test.each([
  ['2027-01-01', '2027-01-01T00:00:00.000Z'],
  ['2028-02-29', '2028-02-29T00:00:00.000Z'],
  ['2027-01-01T12:30Z', '2027-01-01T12:30:00.000Z'],
  ['2027-01-01T12:30+05:30', '2027-01-01T07:00:00.000Z'],
  ['2027-01-01T00:00:00Z', '2027-01-01T00:00:00.000Z'],
  ['2027-01-01T12:30:15.5-12:00', '2027-01-02T00:30:15.500Z'],
  ['2027-01-01T12:30:15.123456+14:00', '2026-12-31T22:30:15.123Z'],
])('%s is %s', (text, time) => {
  expect(readTime(text)).toEqual({ time });
});

test.each<readonly [string, RegExp]>([
  ['2027-01-01T00:00:00', /Z or an offset.*2030-01-31T12:00:00Z/],
  ['2027-01-01T12:30', /Z or an offset/],
  ['2027-01-01T12:30:15.123456', /Z or an offset/],
  ['2027-02-30', /day/],
  ['2027-02-29T00:00:00Z', /day/],
  ['2027-13-01T00:00:00Z', /day/],
  ['2027-01-01T24:00:00Z', /time of day/],
  ['2027-01-01T23:60Z', /time of day/],
  ['2027-01-01T23:59:60Z', /time of day/],
  ['2027-01-01T00:00:00+14:01', /offset/],
  ['2027-01-01T00:00:00-12:30', /offset/],
  ['2027-01-01T00:00:00+05:60', /offset/],
  ['2027-01-01T12:30:00 01:00', /%2B/],
  ['9999-12-31T23:59:59-12:00', /years/],
  ['0000-01-01T00:00:00+14:00', /years/],
  ...[
    'tomorrow',
    '',
    '2027-1-1',
    '2027-01-01Z',
    '2027-01-01 12:30Z',
    '2027-01-01t12:30z',
    '2027-01-01T12Z',
    '2027-01-01T12:30+0530',
    '20270101T123000Z',
    '+002027-01-01T00:00:00Z',
    ' 2027-01-01',
    `2027-01-01T00:00:00.${'0'.repeat(100)}Z`,
  ].map((text) => [text, /must be a time like 2030-01-31T12:00:00Z/] as const),
])('%s is refused', (text, fault) => {
  expect(readTime(text)).toEqual({ fault: expect.stringMatching(fault) });
});

test('any moment in any offset is read as that moment', () => {
  const moments = fc.date({
    min: new Date('0001-01-01'),
    max: new Date('9998-12-31'),
    noInvalidDate: true,
  });
  fc.assert(
    fc.property(moments, fc.integer({ min: -12 * 60, max: 14 * 60 }), (moment, offset) => {
      const local = new Date(moment.getTime() + offset * 60_000).toISOString().slice(0, -1);
      const [hours, minutes] = [Math.trunc(Math.abs(offset) / 60), Math.abs(offset) % 60];
      const two = (n: number) => String(n).padStart(2, '0');
      const zone = `${offset < 0 ? '-' : '+'}${two(hours)}:${two(minutes)}`;
      expect(readTime(`${local}${zone}`)).toEqual({ time: moment.toISOString() });
    }),
  );
});

test('no text throws, and accepted times sort as text', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d([+-]\d\d:\d\d|Z)$/)),
      (text) => {
        const reading = readTime(text);
        if ('time' in reading) expect(reading.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        else expect(reading.fault).toMatch(/\S/);
      },
    ),
  );
});
