import { lastSecondOf } from '../tables/record-time.ts';
import type { OpenWindow, ShardPosition } from './checkpoint.ts';
import type { MappingContext, Pending } from './context.ts';
import { deliver } from './delivery.ts';
import { restAfter } from './pace.ts';
import { Pauses } from './pauses.ts';
import type { ReadRecord } from './shard-reader.ts';
import { jsonOf } from './stream-record.ts';
import { closeWindow, windowOf } from './window.ts';

export interface ShardConsumer {
  /** Resolves when the shard has ended or the mapping is stopped. */
  readonly finished: Promise<void>;
  /** Resolves when every record now in the shard is finished. No batch waits for more until then. */
  idle(): Promise<void>;
  /** The engine's number of the last finished record; undefined: none yet. */
  readonly after: string | undefined;
}

const maxEventBytes = 6 * 1024 * 1024 - 16 * 1024;

/** Reads one shard in order and delivers its records, one invocation at a time. */
export function consumeShard(shardId: string, context: MappingContext): ShardConsumer {
  const shard = new Shard(shardId, context);
  return {
    finished: shard.run(),
    idle: () => shard.idle(),
    get after() {
      return shard.after;
    },
  };
}

class Shard {
  readonly #id: string;
  readonly #context: MappingContext;
  readonly #reader;
  #position: ShardPosition;
  #queue: Pending[] = [];
  /** Arrival time of the queue's first record. */
  #since = 0;
  #hasEnded = false;
  readonly #pauses: Pauses;
  /** Whether the last read ended before the shard did. */
  #isBehind = false;
  /** When the shard may be read again. */
  #readableAt = 0;
  /** The count of writes when nothing was left to read or deliver. */
  #writesWhenDone: number | undefined;
  #reads = 0;
  /** Waiters for a read that begins after `since` reads. */
  #waiters: { readonly since: number; readonly resolve: () => void }[] = [];
  readonly #passed: ShardPosition[] = [];

  constructor(id: string, context: MappingContext) {
    this.#id = id;
    this.#context = context;
    this.#position = context.checkpoints.get(id) ?? {};
    this.#reader = context.reads.reader(id, this.#position.after);
    this.#pauses = new Pauses(context.stopping);
  }

  async run(): Promise<void> {
    const { mapping, stopping } = this.#context;
    while (!stopping.aborted && !this.#position.ended) {
      this.#rewind();
      const isFilling = mapping.batchingWindowSeconds > 0 || this.#hasMore();
      if (this.#queue.length === 0 || (isFilling && this.#queue.length < mapping.batchSize)) {
        await this.#fetch();
      }
      if (this.#isDue()) await this.#deliver();
      else if (this.#hasEnded && this.#queue.length === 0) await this.#end();
    }
    for (const { resolve } of this.#waiters) resolve();
  }

  get after(): string | undefined {
    return this.#position.after;
  }

  idle(): Promise<void> {
    if (this.#context.stopping.aborted || this.#position.ended) return Promise.resolve();
    this.#readableAt = 0;
    this.#pauses.end();
    return new Promise((resolve) => this.#waiters.push({ since: this.#reads, resolve }));
  }

  async #fetch(): Promise<void> {
    if (this.#hasEnded) return;
    await this.#rest();
    if (this.#context.stopping.aborted) return;
    const begun = Date.now();
    const read = ++this.#reads;
    const writes = this.#context.writes?.value;
    const page = await this.#reader.next().catch(() => undefined);
    // More records follow a full page at once, and callers may wait for the end.
    const isUrgent = page?.isFull || (page && this.#waiters.length > 0 && this.#queue.length === 0);
    this.#isBehind = page?.isFull ?? false;
    if (this.#queue.length === 0) this.#since = begun;
    for (const one of page?.records ?? []) this.#take(one);
    this.#readableAt = isUrgent ? 0 : begun + restAfter(this.#queue.length, this.#context);
    this.#writesWhenDone = undefined;
    if (!page) return;
    this.#hasEnded = page.ended;
    if (page.records.length === 0 && this.#queue.length === 0) {
      await this.#quiet(read, begun);
      if (!this.#position.window) this.#writesWhenDone = writes;
    }
    const last = page.records.at(-1)?.number;
    if (last !== undefined && this.#queue.length === 0) this.#commit({ ...this.#position, after: last });
  }

  #take({ number, record }: ReadRecord): void {
    const { passes, faults } = this.#context;
    const created = lastSecondOf(record.dynamodb.ApproximateCreationDateTime);
    if (created < (this.#position.since ?? 0) || !passes(record)) return;
    const shardId = faults.shardOf?.(record, this.#id) ?? this.#id;
    this.#queue.push({ record, shardId, number });
  }

  #isDue(): boolean {
    const { batchSize, batchingWindowSeconds } = this.#context.mapping;
    if (this.#queue.length === 0) return false;
    if (this.#hasMore() && this.#queue.length < batchSize) return false;
    return (
      batchingWindowSeconds === 0 ||
      this.#waiters.length > 0 ||
      this.#queue.length >= batchSize ||
      this.#hasEnded ||
      Date.now() - this.#since >= batchingWindowSeconds * 1000
    );
  }

  /**
   * Whether more records can be read at once. A batch waits for them at most `busyMs`, so that a reader that falls
   * behind still delivers.
   */
  #hasMore(): boolean {
    return this.#isBehind && Date.now() - this.#since < this.#context.busyMs;
  }

  async #deliver(): Promise<void> {
    const { mapping } = this.#context;
    const first = this.#queue[0];
    if (!first) return;
    const seconds = mapping.tumblingWindowSeconds;
    const open = this.#position.window;
    const window = seconds > 0 ? windowOf(first, open, seconds) : undefined;
    if (open && open !== window && !(await this.#close(open))) return;
    const batch = this.#queue.splice(0, this.#cut(window, seconds));
    this.#since = Date.now();
    const after = await deliver(batch, window, this.#context, (position) => this.#commit(position));
    if (seconds > 0 && !this.#context.stopping.aborted) this.#commit(this.#with(after));
  }

  /** The number of records in the next batch: within one window, one shard and Lambda's limits. */
  #cut(window: OpenWindow | undefined, seconds: number): number {
    const { mapping, faults } = this.#context;
    const most = Math.min(this.#queue.length, mapping.batchSize);
    const limit = Math.max(1, Math.min(most, faults.cut?.(most) ?? most));
    let bytes = 0;
    for (let count = 0; count < limit; count++) {
      const pending = this.#queue[count];
      if (!pending) return count;
      bytes += Buffer.byteLength(jsonOf(pending.record));
      const isOther =
        pending.shardId !== this.#queue[0]?.shardId ||
        (window !== undefined && windowOf(pending, window, seconds) !== window);
      if (count > 0 && (isOther || bytes > maxEventBytes)) return count;
    }
    return limit;
  }

  /** Handles an empty shard: windows end, and waiting callers continue. */
  async #quiet(read: number, readAt: number): Promise<void> {
    this.#waiters = this.#waiters.filter(({ since, resolve }) => {
      if (since < read) resolve();
      return since >= read;
    });
    const open = this.#position.window;
    // A second of grace, because records are dated in whole seconds.
    const end = open && (open.start + this.#context.mapping.tumblingWindowSeconds + 1) * 1000;
    if (open && end && readAt >= end) await this.#close(open);
  }

  async #close(window: OpenWindow): Promise<boolean> {
    if (!(await closeWindow(window, this.#context))) return false;
    this.#commit(this.#with(undefined));
    return true;
  }

  async #end(): Promise<void> {
    const open = this.#position.window;
    if (open && !(await this.#close(open))) return;
    this.#commit({ ...this.#position, ended: true });
  }

  #with(window: OpenWindow | undefined): ShardPosition {
    const { window: _, ...rest } = this.#position;
    return { ...rest, ...(window && { window }) };
  }

  #commit(position: ShardPosition): void {
    const { since } = this.#position;
    this.#position = { ...(since !== undefined && { since }), ...position };
    if (this.#context.faults.rewind) this.#passed.push(this.#position);
    this.#context.checkpoints.save(this.#id, this.#position);
  }

  #rewind(): void {
    const earlier = this.#context.faults.rewind?.(this.#passed);
    if (!earlier) return;
    this.#queue = [];
    this.#hasEnded = false;
    this.#isBehind = false;
    this.#position = earlier;
    this.#reader.seek(earlier.after);
  }

  /** Paces reads, as Lambda does, so that changes of a busy shard arrive in batches. */
  async #rest(): Promise<void> {
    const { pollMs, busyMs, writes, unseenMs } = this.#context;
    // Never longer, even if the clock changes.
    await this.#pauses.pause(Math.min(this.#readableAt - Date.now(), Math.max(pollMs, busyMs)));
    const done = this.#writesWhenDone;
    if (!writes || done === undefined || this.#waiters.length > 0) return;
    await this.#pauses.pauseUntilWrite(writes, done, unseenMs);
    // Half of the time between two reads: a write's average wait.
    if (this.#waiters.length === 0) await this.#pauses.pause(pollMs / 2);
  }
}
