import type { StreamFile } from './stream-file.ts';

/**
 * Moves what the log has into the file of an engine, in another thread than the engine's: callers would wait for the
 * disk there. While nothing is written, the log gives back its room, for which writers have to wait. `writes` counts the
 * writes. Returns what ends it.
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
      // The engine meets the same fault, and says so.
    }
  }, everyMs).unref();
  return () => {
    clearInterval(timer);
    database.close();
  };
}
