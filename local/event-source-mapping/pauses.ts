import { setTimeout as sleep } from 'node:timers/promises';
import type { WriteCount } from '../table-gateway/write-count.ts';

/** The pauses of one reader, which end early when it is stopped or needed. */
export class Pauses {
  #current = new AbortController();
  readonly #stopping: AbortSignal;

  constructor(stopping: AbortSignal) {
    this.#stopping = stopping;
    stopping.addEventListener('abort', () => this.end());
  }

  end(): void {
    this.#current.abort();
  }

  async pause(ms: number): Promise<void> {
    if (ms <= 0 || this.#stopping.aborted) return;
    this.#current = new AbortController();
    await sleep(ms, undefined, { signal: this.#current.signal }).catch(() => undefined);
  }

  /** Pauses until the count changes, at most for the given time. */
  async pauseUntilWrite(writes: WriteCount, count: number, ms: number): Promise<void> {
    const paused = this.pause(ms);
    const { signal } = this.#current;
    void writes.movedOn(count, signal).then(() => this.#endIf(signal));
    await paused;
    this.#endIf(signal);
  }

  /** Ends the pause of this signal, but no later one. */
  #endIf(signal: AbortSignal): void {
    if (this.#current.signal === signal) this.end();
  }
}
