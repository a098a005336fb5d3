import fc from 'fast-check';
import { Failure } from '../../../core/base/failure.ts';
import type { LinkFilter } from '../../../core/links/link-filter.ts';
import { readCursor, writeCursor } from '../../../core/links/list-cursor.ts';

const time = '2026-11-20T09:30:00.000Z';
const positions = [`${time}#${time}#a-Code_1`, `${time}#${time}`, time, `${time}#${time}#code!`];
const owner = { project: 'shop', filter: { tags: ['a', 'b'], search: 'Sale' } };

test.each(positions)('a cursor names the position %s only for its project and filters', (position) => {
  const cursor = writeCursor(owner, position);
  expect(readCursor(owner, cursor)).toBe(position);
  const same: LinkFilter = { tags: ['b', 'a', 'a'], search: 'sALE' };
  expect(readCursor({ ...owner, filter: same }, cursor)).toBe(position);
  const others: LinkFilter[] = [
    {},
    { tags: ['a'], search: 'sale' },
    { tags: ['a', 'b'] },
    { ...owner.filter, status: 'ACTIVE' },
    { ...owner.filter, createdAfter: time },
    { ...owner.filter, createdBefore: time },
  ];
  for (const filter of others) expect(() => readCursor({ ...owner, filter }, cursor)).toThrow(Failure);
  expect(() => readCursor({ ...owner, project: 'other' }, cursor)).toThrow(Failure);
});

test('a cursor in which anything was changed is refused', () => {
  const cursor = writeCursor(owner, positions[0] ?? '');
  fc.assert(
    fc.property(fc.nat(cursor.length - 1), fc.constantFrom(...'aA0_-=é'), (at, letter) => {
      fc.pre(cursor[at] !== letter);
      const changed = cursor.slice(0, at) + letter + cursor.slice(at + 1);
      expect(() => readCursor(owner, changed)).toThrow(Failure);
    }),
  );
});

test('a cursor with a position that the table refuses as a key is refused', () => {
  for (const position of ['x'.repeat(1100), 'ü', `${time} `, '\u0000'])
    expect(() => readCursor(owner, writeCursor(owner, position))).toThrow(Failure);
});
