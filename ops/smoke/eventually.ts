import { setTimeout as delay } from 'node:timers/promises';

export interface WaitOptions<Value> {
  /** The failure's text for the last value. */
  readonly shown: (value: Value) => string;
  readonly limitMs: number;
  readonly pauseMs?: number;
}

/** Polls until the value satisfies; throws with the last one after the timeout. */
export const eventually = async <Value>(
  ask: () => Promise<Value>,
  satisfies: (value: Value) => boolean,
  { shown, limitMs, pauseMs = 100 }: WaitOptions<Value>,
): Promise<Value> => {
  const end = Date.now() + limitMs;
  for (;;) {
    const value = await ask();
    if (satisfies(value)) return value;
    if (Date.now() > end) throw new Error(`after ${limitMs / 1000} s still ${shown(value)}`);
    await delay(pauseMs);
  }
};
