import * as fc from 'fast-check';
import { fromField, toField } from '../../../console/components/local-time.ts';

const times = fc
  .date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((time) => time.toISOString());

test('a field shows a time, and names it again', () =>
  fc.assert(
    fc.property(times, times, (iso, before) => {
      const field = toField(iso);
      expect(field).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/);
      expect(fromField(field, iso)).toBe(iso);
      expect(toField(fromField(field, before))).toBe(field);
    }),
  ));

test('an empty text is no time, and an invalid one goes to the server as it is', () => {
  expect(toField(undefined)).toBe('');
  expect(fromField('')).toBeUndefined();
  expect(fromField('soon')).toBe('soon');
});
