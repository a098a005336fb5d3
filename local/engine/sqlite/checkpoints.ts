import type { StreamFile } from './stream-file.ts';

/**
 * Moves the log's content into the engine's file, outside of the engine's thread, where callers would wait for the
 * disk. While nothing is written, it truncates the log, which blocks writers. `writes` counts the writes. Returns a
 * function that stops it.
 */
export function startCheckpoints({ file }: StreamFile, writes: () => number, everyMs = 1000): () => void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(file, { timeout: 0 });
  const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  const empty = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  let [before, isEmpty] = [-1, false];
  const timer = setInterval(() => {
    const now = writes();
    const isQuiet = now === before;
    before = now;
    try {
      if (!isQuiet) checkpoint.get();
      isEmpty = isQuiet && (isEmpty || empty.get()?.busy === 0);
    } catch {
      // The engine meets and reports the same fault.
    }
  }, everyMs).unref();
  return () => {
    clearInterval(timer);
    database.close();
  };
}
