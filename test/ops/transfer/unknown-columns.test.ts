import fc from 'fast-check';
import { columns, moreColumns } from '../../../core/links/link-columns.ts';
import { ignoredColumns, nearestName } from '../../../ops/transfer/unknown-columns.ts';

const known = [...columns, ...moreColumns].map(({ name }) => name);

test.each([
  ['desktop_fallback', 'desktopFallback'],
  ['payload.query', undefined],
  ['ios.bundleid', 'iosBundleId'],
  ['utm_source', 'utmSource'],
  ['expires', 'expiresAt'],
  ['created at', 'createdAt'],
  ['interstital', 'interstitial'],
  ['androidminversoin', 'androidMinVersion'],
  ['folder', undefined],
  ['id', undefined],
  ['-', undefined],
])('the known name nearest to %s is %s', (name, nearest) => {
  expect(nearestName(name, known)).toBe(nearest);
});

test('a name with one letter changed is near its column', () => {
  const names = known.filter(({ length }) => length > 8);
  const change = fc.record({
    name: fc.constantFrom(...names),
    place: fc.nat(8),
    letter: fc.constantFrom('', 'x', 'zz'),
  });
  fc.assert(
    fc.property(change, ({ name, place, letter }) => {
      const changed = name.slice(0, place) + letter + name.slice(place + 1);
      expect(nearestName(changed, [name])).toBe(name);
    }),
  );
});

test('columns of an export are known in any case, and so are columns without a name', () => {
  const names = [...known.map((name) => name.toLowerCase()), '', ''];
  expect(ignoredColumns(names, known)).toBeUndefined();
});

test('other columns are named, with the ones that may be meant', () => {
  expect(ignoredColumns(['code', 'desktop_fallback', 'folder'], known)).toBe(
    'Ignored columns: desktop_fallback (did you mean desktopFallback?), folder',
  );
});

test('names of columns neither steer the terminal nor fill it', () => {
  const names = ['a\u001b[2J\u009b', 'x'.repeat(1_000_000)];
  expect(ignoredColumns(names, known)).toBe(`Ignored columns: a\ufffd[2J\ufffd, ${'x'.repeat(60)}…`);
  const many = Array.from({ length: 100_000 }, (_, i) => `column ${i}`);
  const shown = many.slice(0, 20).join(', ');
  expect(ignoredColumns(many, known)).toBe(`Ignored columns: ${shown} and 99980 more`);
});
