import { Backoffs } from '../../../core/base/backoffs.ts';
import { Bounded } from '../../../core/base/bounded.ts';
import { eachOf } from '../../../core/base/each-of.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('items are worked on a few at once, each once', async () => {
  let running = 0;
  let most = 0;
  const done: number[] = [];
  await eachOf(Array.from({ length: 20 }).keys(), 3, async (item) => {
    running += 1;
    most = Math.max(most, running);
    await turn();
    running -= 1;
    done.push(item);
  });
  expect(most).toBe(3);
  expect(done.toSorted((a, b) => a - b)).toEqual([...Array(20).keys()]);
});

test('after a failure nothing begins, and work under way ends before it is thrown', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = eachOf([0, 1, 2, 3, 4], 2, async (item) => {
    begun.push(item);
    if (item === 0) throw new Error('first');
    await turn();
    await turn();
    ended.push(item);
  });
  await expect(work).rejects.toThrow('first');
  expect(begun).toEqual([0, 1]);
  expect(ended).toEqual([1]);
});

test('a bounded map drops the entry that was set longest ago', () => {
  const map = new Bounded<number>(2);
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});

test.each([
  [0, 500],
  [0.5, 750],
  [0.999, 999],
])('something backoffs for half of its time or more: %d', (random, ms) => {
  jest.useFakeTimers({ now: 0 });
  try {
    const backoffs = new Backoffs({ random: () => random });
    backoffs.begin('a', 1000);
    jest.setSystemTime(ms - 1);
    expect([backoffs.has('a'), backoffs.has('b')]).toEqual([true, false]);
    jest.setSystemTime(ms + 1);
    expect(backoffs.has('a')).toBe(false);
    backoffs.begin('a', 1000);
    backoffs.end('a');
    expect(backoffs.has('a')).toBe(false);
  } finally {
    jest.useRealTimers();
  }
});
