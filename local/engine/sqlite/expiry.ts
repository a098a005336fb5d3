import { setImmediate as turn } from 'node:timers/promises';
import type { Commits } from './commits.ts';
import type { ExpiredRow, Table, Tables } from './tables.ts';
import type { Writes } from './writes.ts';

/** Items of one step, which blocks all other calls. */
const stepItems = 50;

/**
 * Items that expired longer ago stay.
 * https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ttl-expired-items.html
 */
const fiveYearsSeconds = 5 * 365 * 24 * 60 * 60;

interface Parts {
  readonly tables: Tables;
  readonly writes: Writes;
  readonly commits: Commits;
}

/** Removes items whose time to live has passed, as the service does in the background. Resolves to their number. */
export async function sweep(now: number, { tables, writes, commits }: Parts): Promise<number> {
  let removed = 0;
  for (const name of tables.names) {
    for (let table: Table | undefined = tables.find(name); table; ) {
      const keys = expired(table, Math.floor(now / 1000));
      if (keys.length > 0) writes.expire(table, keys);
      removed += keys.length;
      await commits.settled();
      if (keys.length < stepItems) break;
      await turn();
      table = tables.find(name);
    }
  }
  return removed;
}

function expired({ expired: select }: Table, second: number) {
  // Rows of this query have these columns.
  return select.all(second - fiveYearsSeconds, second, stepItems) as unknown as readonly ExpiredRow[];
}

/** Sweeps repeatedly. Returns a function that stops it. */
export function startSweeps(everyMs: number, sweepAt: (now: number) => Promise<number>): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const next = () => {
    if (!isOver) timer = setTimeout(run, everyMs).unref();
  };
  // The engine reports the fault of a failed sweep.
  const run = () =>
    void sweepAt(Date.now())
      .catch(() => undefined)
      .finally(next);
  next();
  return () => {
    isOver = true;
    clearTimeout(timer);
  };
}
