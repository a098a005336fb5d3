import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { DatabaseSync } from 'node:sqlite';
import type { HeldRecords } from '../held-records.ts';
import { Rejected } from './rejected.ts';

/** Puts what was written to a file on disk, beside this thread. */
export type SyncFile = (descriptor: number) => Promise<unknown>;

/** What one transaction and its sync cover. */
class Batch {
  readonly items = new Set<string>();
  /** Number of the first stream record. */
  record: bigint | undefined;
  readonly done = Promise.withResolvers<void>();
}

/**
 * Commits writes and syncs the log (WAL). Writes that come while the disk syncs share the next transaction. Nobody may hear
 * of a write before its batch is done: no answer, no read of the item, no reader of the stream, which sees what is
 * committed.
 */
export class Commits {
  readonly #database: DatabaseSync;
  readonly #held: HeldRecords;
  readonly #sync: SyncFile;
  readonly #log: number;
  readonly #begin;
  readonly #commit;
  #open: Batch | undefined;
  #syncing: Batch | undefined;

  constructor(database: DatabaseSync, log: string, held: HeldRecords, sync: SyncFile = promisify(fdatasync)) {
    this.#database = database;
    this.#held = held;
    this.#sync = sync;
    // Windows syncs only what may be written.
    this.#log = openSync(log, 'r+');
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
  }

  /** Runs what writes. It rejects a call before it has written anything; if it fails otherwise, the whole batch is lost. */
  write(work: (batch: Pick<Batch, 'items' | 'record'>) => void): void {
    const batch = this.#open ?? this.#start();
    try {
      work(batch);
    } catch (error) {
      if (!(error instanceof Rejected)) this.#lose(batch, error);
      throw error;
    }
  }

  isOnDisk(item: string): boolean {
    return !this.#open?.items.has(item) && !this.#syncing?.items.has(item);
  }

  /** Resolves when all that was written is on disk. */
  async settled(): Promise<void> {
    await (this.#open ?? this.#syncing)?.done.promise;
  }

  async close(): Promise<void> {
    await this.settled();
    closeSync(this.#log);
  }

  #start(): Batch {
    this.#begin.run();
    this.#open = new Batch();
    this.#open.done.promise.catch(() => undefined);
    if (!this.#syncing) setImmediate(() => void this.#run());
    return this.#open;
  }

  /**
   * Rejects if the disk fails, which ends the thread: what a failed sync was to cover may be lost, although the next one
   * succeeds.
   */
  async #run(): Promise<void> {
    if (this.#syncing) return;
    for (let batch = this.#open; batch; batch = this.#open) {
      this.#held.from = batch.record ?? 0n;
      try {
        this.#commit.run();
      } catch (error) {
        this.#lose(batch, error);
        return;
      }
      this.#open = undefined;
      this.#syncing = batch;
      await this.#sync(this.#log);
      this.#syncing = undefined;
      this.#held.from = 0n;
      batch.done.resolve();
    }
  }

  /** Such as by a full disk. */
  #lose(batch: Batch, error: unknown): void {
    if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
    this.#open = undefined;
    batch.done.reject(error);
  }
}
