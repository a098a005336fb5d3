import { closeSync, fdatasync, openSync } from 'node:fs';
import { promisify } from 'node:util';
import type { HeldRecords } from '../held-records.ts';

/** Puts what was written to a file on disk, beside this thread. */
export type SyncFile = (descriptor: number) => Promise<unknown>;

/** What one sync covers. */
class Unsynced {
  readonly items = new Set<string>();
  /** Number of the first stream record. */
  record: bigint | undefined;
  readonly done = Promise.withResolvers<void>();
}

/**
 * Syncs the log of commits that didn't. A sync covers all that was committed before it began; what is committed meanwhile
 * shares the next one.
 */
export class SyncedLog {
  readonly #descriptor: number;
  readonly #held: HeldRecords;
  readonly #sync: SyncFile;
  #fresh = new Unsynced();
  #syncing: Unsynced | undefined;

  constructor(file: string, held: HeldRecords, sync: SyncFile = promisify(fdatasync)) {
    // Windows syncs only what may be written.
    this.#descriptor = openSync(file, 'r+');
    this.#held = held;
    this.#sync = sync;
  }

  /** Notes what the next commit has. */
  willCommit(items: Iterable<string>, record: bigint | undefined): void {
    for (const item of items) this.#fresh.items.add(item);
    this.#fresh.record ??= record;
    this.#hold();
  }

  isOnDisk(item: string): boolean {
    return !this.#fresh.items.has(item) && !this.#syncing?.items.has(item);
  }

  /** Resolves when all that was committed is on disk. */
  async synced(): Promise<void> {
    const { items, done } = this.#fresh;
    if (items.size === 0) return this.#syncing?.done.promise;
    if (!this.#syncing) void this.#run();
    return done.promise;
  }

  close(): void {
    closeSync(this.#descriptor);
  }

  /**
   * Rejects if the disk fails, which ends the thread: what a failed sync was to cover may be lost, although the next one
   * succeeds.
   */
  async #run(): Promise<void> {
    while (this.#fresh.items.size > 0) {
      const covered = this.#fresh;
      this.#syncing = covered;
      this.#fresh = new Unsynced();
      await this.#sync(this.#descriptor);
      this.#syncing = undefined;
      this.#hold();
      covered.done.resolve();
    }
  }

  #hold(): void {
    this.#held.from = this.#syncing?.record ?? this.#fresh.record ?? 0n;
  }
}
