import type { StreamFile } from './stream-file.ts';

/**
 * Moves what the log has into the file of an engine, in another thread than the engine's: callers would wait for the
 * disk there. `writes` counts the writes. Returns what ends it.
 */
export function startCheckpoints({ file }: StreamFile, writes: () => number, everyMs = 1000): () => void {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const database = new DatabaseSync(file, { timeout: 0 });
  const checkpoint = database.prepare('PRAGMA wal_checkpoint(PASSIVE)');
  let before = -1;
  const timer = setInterval(() => {
    const now = writes();
    if (now === before) return;
    before = now;
    try {
      checkpoint.get();
    } catch {
      // The engine meets the same fault, and says so.
    }
  }, everyMs).unref();
  return () => {
    clearInterval(timer);
    database.close();
  };
}
