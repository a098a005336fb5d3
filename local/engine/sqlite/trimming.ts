import type { DatabaseSync } from 'node:sqlite';
import { keptSeconds } from '../../tables/record-time.ts';
import type { Commits } from './commits.ts';
import type { HeldRecords } from './held-records.ts';

/** Records of one step, which blocks all other calls. */
const stepRecords = 500;
const stepPauseMs = 20;

interface Parts {
  readonly database: DatabaseSync;
  readonly commits: Commits;
  readonly held: HeldRecords;
}

/**
 * Drops stream records that DynamoDB would no longer keep. A record that a reader hasn't finished stays at any age,
 * because the stack may have been off. Returns a function that stops it.
 */
export function startTrimming({ database, commits, held }: Parts, pauseMs = 10_000): () => void {
  const oldest = database.prepare(
    `SELECT second FROM changes WHERE number <= ? AND number < (SELECT max(number) FROM changes) ORDER BY number LIMIT 1`,
  );
  const drop = database.prepare(
    // The newest record stays, because numbers continue from it.
    `DELETE FROM changes WHERE second < ? AND number < (SELECT max(number) FROM changes) AND number IN
       (SELECT number FROM changes WHERE number <= ? ORDER BY number LIMIT ?)`,
  );
  const step = (second: number): number => {
    const { done } = held;
    const first = oldest.get(done);
    if (!first || Number(first.second) >= second) return 0;
    let dropped = 0;
    commits.write(() => {
      dropped = Number(drop.run(second, done, stepRecords).changes);
    });
    return dropped;
  };
  const turn = () => {
    let dropped = 0;
    try {
      dropped = step(Math.floor(Date.now() / 1000) - keptSeconds);
    } catch {
      // The engine has reported the reason.
    }
    timer = setTimeout(turn, dropped > 0 ? stepPauseMs : pauseMs).unref();
  };
  let timer = setTimeout(turn, pauseMs).unref();
  return () => clearTimeout(timer);
}
