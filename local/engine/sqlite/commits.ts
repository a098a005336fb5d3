import { closeSync, fdatasync, openSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { isLasting } from './data-folder.ts';
import type { HeldRecords } from './held-records.ts';
import { Rejected } from './rejected.ts';

/** Syncs a file to disk, outside of this thread. */
export type SyncFile = (descriptor: number) => Promise<unknown>;

/** The longest time between two commits under load. */
const paceMs = 2;

/** The writes of one transaction and its sync. */
class Batch {
  readonly items = new Set<string>();
  /** Number of the first stream record. */
  record: bigint | undefined;
  readonly done = Promise.withResolvers<void>();
}

export interface CommitsOptions {
  readonly database: DatabaseSync;
  /** The log (WAL) of its file. */
  readonly log: string;
  readonly held: HeldRecords;
  /** @default fdatasync */
  readonly sync?: SyncFile | undefined;
  /** Called when data can no longer be kept. Returns the error for callers. */
  readonly onFault: (error: unknown) => unknown;
}

/**
 * Commits writes and syncs the log. Writes that come while the disk syncs share the next transaction. A write stays
 * hidden until its batch is synced: from responses, from reads of the item and from readers of the stream.
 */
export class Commits {
  readonly #options: CommitsOptions;
  readonly #sync: SyncFile;
  readonly #log: number;
  readonly #begin;
  readonly #commit;
  #open: Batch | undefined;
  #syncing: Batch | undefined;
  #fault: unknown;
  #last = { items: 0, begun: 0 };

  constructor(options: CommitsOptions) {
    const { database, log, sync = promisify(fdatasync) } = options;
    this.#options = options;
    this.#sync = sync;
    // Windows syncs only files that are open for writing.
    this.#log = openSync(log, 'r+');
    this.#begin = database.prepare('BEGIN IMMEDIATE');
    this.#commit = database.prepare('COMMIT');
  }

  /** Runs a write. It may reject a call before it writes anything; if it fails otherwise, the whole batch is lost. */
  write(work: (batch: Pick<Batch, 'items' | 'record'>) => void): void {
    if (this.#fault !== undefined) throw this.#fault;
    const batch = this.#open ?? this.#start();
    try {
      work(batch);
    } catch (error) {
      if (error instanceof Rejected) throw error;
      if (isLasting(error)) throw this.#end(batch, error);
      this.#lose(batch, error);
      throw error;
    }
  }

  isOnDisk(item: string): boolean {
    return !this.#open?.items.has(item) && !this.#syncing?.items.has(item);
  }

  /** Whether all writes are on disk. */
  get isSettled(): boolean {
    return this.#open === undefined && this.#syncing === undefined && this.#fault === undefined;
  }

  /** Resolves when all writes are on disk. */
  async settled(): Promise<void> {
    if (this.#fault !== undefined) throw this.#fault;
    await (this.#open ?? this.#syncing)?.done.promise;
  }

  async close(): Promise<void> {
    await this.settled().catch(() => undefined);
    closeSync(this.#log);
  }

  #start(): Batch {
    this.#begin.run();
    this.#open = new Batch();
    this.#open.done.promise.catch(() => undefined);
    if (!this.#syncing) this.#schedule();
    return this.#open;
  }

  /** Schedules a commit. Under load it waits longer for more writes: many cost almost the same as one. */
  #schedule(): void {
    const { items, begun } = this.#last;
    const rest = items > 1 ? Math.min(items / 2, paceMs) - (performance.now() - begun) : 0;
    if (rest > 0) setTimeout(() => void this.#run(), rest);
    else setImmediate(() => void this.#run());
  }

  async #run(): Promise<void> {
    const batch = this.#open;
    if (this.#syncing || !batch) return;
    const { held } = this.#options;
    this.#last = { items: batch.items.size, begun: performance.now() };
    held.from = batch.record ?? 0n;
    try {
      this.#commit.run();
      this.#open = undefined;
      this.#syncing = batch;
      await this.#sync(this.#log);
    } catch (error) {
      this.#end(batch, error);
      return;
    }
    this.#syncing = undefined;
    held.from = 0n;
    batch.done.resolve();
    if (this.#open) this.#schedule();
  }

  #lose(batch: Batch, error: unknown): void {
    const { database } = this.#options;
    if (this.#open === batch) this.#open = undefined;
    if (database.isTransaction) database.exec('ROLLBACK');
    batch.done.reject(error);
  }

  /** Ends a batch whose sync failed. Its writes may be lost even if later syncs succeed: records stay held, calls fail. */
  #end(batch: Batch, error: unknown): unknown {
    this.#fault = this.#options.onFault(error);
    this.#open?.done.reject(this.#fault);
    this.#lose(batch, this.#fault);
    return this.#fault;
  }
}
