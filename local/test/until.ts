import { setTimeout as sleep } from 'node:timers/promises';

/** Resolves when the condition holds, or after the given time. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  ms = Number.POSITIVE_INFINITY,
): Promise<void> {
  const begun = Date.now();
  while (!(await condition()) && Date.now() - begun < ms) await sleep(5);
}
