import { generateApiKey } from '../../../core/api-keys/api-key.ts';

test('a key has forty letters and digits, each of them drawn alike', () => {
  const keys = Array.from({ length: 2000 }, generateApiKey);
  for (const key of keys) expect(key).toMatch(/^dls_[0-9A-Za-z]{40}$/);
  expect(new Set(keys).size).toBe(2000);
  const drawn = Map.groupBy(
    keys.flatMap((key) => [...key.slice('dls_'.length)]),
    (letter) => letter,
  );
  const counts = [...drawn.values()].map(({ length }) => length);
  // Of 80,000 letters each of 62 comes 1,290 times; a quarter more or less is nine standard deviations away.
  expect([counts.length, Math.min(...counts) > 970, Math.max(...counts) < 1610]).toEqual([62, true, true]);
});
