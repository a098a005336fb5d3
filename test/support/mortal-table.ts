import type { DaysTable } from '../../core/analytics/closed-days.ts';

/**
 * The table of a function that is killed at one of its calls: before the call is sent or before its response arrives. A
 * killed function makes no further call; calls in progress may or may not arrive.
 */
export const mortal = (
  table: DaysTable,
  diesAtCall: number,
): { table: DaysTable; death: Promise<'died'> } => {
  let calls = 0;
  let die: (value: 'died') => void = () => undefined;
  const death = new Promise<'died'>((resolve) => {
    die = resolve;
  });
  const doomed = async <Value>(call: () => Promise<Value>): Promise<Value> => {
    const number = calls;
    calls += 1;
    const isLast = number === Math.floor(diesAtCall / 2);
    if (number > diesAtCall / 2 || (isLast && diesAtCall % 2 === 0)) return gone(die);
    const value = await call();
    return isLast ? gone(die) : value;
  };
  return {
    table: {
      get: (key) => doomed(() => table.get(key)),
      query: (input) => doomed(() => table.query(input)),
      update: (input) => doomed(() => table.update(input)),
      put: (input) => doomed(() => table.put(input)),
    },
    death,
  };
};

const gone = (die: (value: 'died') => void): Promise<never> => {
  die('died');
  return new Promise(() => undefined);
};
