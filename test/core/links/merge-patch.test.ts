import * as fc from 'fast-check';
import { mergePatch } from '../../../core/links/merge-patch.ts';

/** RFC 7396, appendix A. */
test.each([
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
])('%j patched by %j is %j', (target, patch, result) => {
  expect(mergePatch(target, patch)).toEqual(result);
});

test.each([
  [1, { a: { c: { e: 3 } }, f: 1 }],
  [2, { a: { b: 1, c: { e: 3 } }, f: 1 }],
  [3, { a: { b: 1, c: { d: 2, e: 3 } }, f: 1 }],
])('to a depth of %i, deeper values are replaced', (depth, merged) => {
  const target = { a: { b: 1, c: { d: 2 } }, f: 1 };
  expect(mergePatch(target, { a: { c: { e: 3 } } }, depth)).toEqual(merged);
});

const names = fc.constantFrom('a', 'b', 'c', '__proto__');
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, 1, 'x', true),
    fc.array(fc.integer(), { maxLength: 2 }),
    fc.dictionary(names, tie('value'), { maxKeys: 3 }),
  ),
}));

test('a repeated patch changes nothing more, leaves the target unchanged, and comes from no prototype', () =>
  fc.assert(
    fc.property(value, value, (target, patch) => {
      const before = JSON.stringify(target);
      const once = mergePatch(target, patch);
      expect(mergePatch(once, patch)).toEqual(once);
      expect(JSON.stringify(target)).toBe(before);
      expect(({} as Record<string, unknown>).a).toBeUndefined();
    }),
  ));
