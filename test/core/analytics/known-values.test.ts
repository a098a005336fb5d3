import { firstPortion } from '../../../core/analytics/amounts.ts';
import { busiestOf, establishedReferrers } from '../../../core/analytics/top-values.ts';

test('the 20 referrers with the most clicks of the seven days before are established', () => {
  const days = new Map([
    [92, new Map([['r#too-old.example', 900]])],
    [
      93,
      new Map([
        ['r#first.example', 30],
        ['r#other', 500],
        ['c#DE', 700],
      ]),
    ],
    [
      99,
      new Map([
        ['r#first.example', 1],
        ['r#second.example', 30],
      ]),
    ],
    [100, new Map([['r#today.example', 900]])],
  ]);
  expect([...establishedReferrers(100, days)]).toEqual(['r#first.example', 'r#second.example']);
  const many = new Map(
    Array.from({ length: 30 }, (_, i) => [`r#${String(i).padStart(2, '0')}.example`, 100 - i]),
  );
  const established = [...establishedReferrers(100, new Map([[99, many]]))];
  expect(established).toHaveLength(20);
  expect(established.at(-1)).toBe('r#19.example');
});

test('a day shows established names and the busiest, and the rest as others', () => {
  const names = Array.from({ length: 45 }, (_, i) => [`r#${i}.example`, i + 2] as const);
  const day = new Map([
    ...names,
    ['r#known.example', 1] as const,
    ['r#other', 7] as const,
    ['c#DE', 9] as const,
  ]);
  const shown = busiestOf(day, new Set(['r#known.example']));
  expect(shown.get('r#known.example')).toBe(1);
  expect([...shown.keys()].filter((name) => name.startsWith('r#'))).toHaveLength(41);
  // Those with 2 to 7 clicks have no room.
  expect(shown.get('r#other')).toBe(7 + 2 + 3 + 4 + 5 + 6 + 7);
  expect(shown.get('r#6.example')).toBe(8);
  expect(shown.get('c#DE')).toBe(9);
});

test('an update adds as many parts as it has room for, and at least one', () => {
  const partOf = (names: number) => Array.from({ length: names }, (_, i) => `${names}-${i}`);
  const portionOf = (...parts: number[]) => firstPortion(parts.map(partOf), (names) => names).length;
  expect([portionOf(100, 99, 50), portionOf(100, 101, 50), portionOf(300, 1)]).toEqual([3, 2, 1]);
});
