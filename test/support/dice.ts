/** A seeded source of chance: the same seed gives the same draws. */
export interface Dice {
  /** A whole number from 0 to `sides` (exclusive). */
  below(sides: number): number;
  /** True once in `times`. */
  once(times: number): boolean;
  pick<Value>(values: readonly Value[]): Value;
}

export const diceOf = (seed: number): Dice => {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (sides: number) => Math.floor(next() * sides);
  return {
    below,
    once: (times) => below(times) === 0,
    pick: (values) => {
      const value = values[below(values.length)];
      if (value === undefined) throw new Error('There is nothing to pick from');
      return value;
    },
  };
};
