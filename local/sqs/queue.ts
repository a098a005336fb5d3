import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueResource } from '../assembly/assembly.ts';
import { type Message, noFile, type QueueFile } from './queue-file.ts';

export interface QueueOptions {
  readonly resource: QueueResource;
  /** @default the messages are kept in memory */
  readonly file?: QueueFile;
  /** The queue for messages that were received too often. */
  readonly deadLetters?: () => Queue | undefined;
  /** Whether a deleted message is delivered once more. @default never */
  readonly comesAgain?: () => boolean;
  readonly now?: () => number;
}

/** A snapshot of a message for a receiver. */
export interface Received extends Readonly<Message> {
  /** Deletes this delivery of the message; a later one has another. */
  readonly receipt: string;
  readonly firstReceived: number;
}

export interface QueueCounts {
  readonly available: number;
  readonly inFlight: number;
  readonly delayed: number;
}

interface Entry {
  readonly message: Message;
  /** Time from which it can be received, in epoch milliseconds. */
  visibleAt: number;
  hasComeAgain: boolean;
}

/** The longest pause, because timers have no infinite time. */
const longestPauseMs = 60_000;
/** Milliseconds from a deletion to a repeated delivery. */
const againMs = 500;

/**
 * A standard queue: messages are delivered at least once, mostly in order. A received message is hidden for the
 * visibility timeout, and comes again unless it is deleted within it.
 */
export class Queue {
  readonly resource: QueueResource;
  readonly #file: QueueFile;
  readonly #options: QueueOptions;
  readonly #now: () => number;
  readonly #openedAt: number;
  readonly #entries = new Map<string, Entry>();
  /** Messages that can be received. */
  readonly #ready = new Set<Entry>();
  /** Messages that are delayed or received. */
  readonly #hidden = new Set<Entry>();
  /** No hidden message becomes ready before this time. */
  #nextReady = Number.POSITIVE_INFINITY;
  #changed = new AbortController();

  constructor(options: QueueOptions) {
    const { resource, file = noFile, now = Date.now } = options;
    this.resource = resource;
    this.#options = options;
    this.#file = file;
    this.#now = now;
    this.#openedAt = now();
    // Receipts of an earlier run are invalid, so messages received then are ready again.
    for (const message of file.messages) this.#add(message);
  }

  /** Resolves when the message is on disk. */
  async send(body: string, sender: string, delaySeconds = this.resource.delaySeconds): Promise<Message> {
    const sent = this.#now();
    const message = { id: randomUUID(), body, sender, sent, due: sent + delaySeconds * 1000, receives: 0 };
    await this.#take(message);
    return message;
  }

  /** Receives at most `most` messages that are ready. */
  receive(most: number, visibilitySeconds = this.resource.visibilitySeconds): Received[] {
    const now = this.#now();
    this.#refresh(now);
    const received: Received[] = [];
    for (const entry of this.#ready) {
      if (received.length === most) break;
      const { message } = entry;
      if (this.#isDead(message)) {
        void this.#bury(entry);
        continue;
      }
      message.receives++;
      message.firstReceived ??= now;
      void this.#file.write({ received: message.id, times: message.receives, at: now });
      this.#hide(entry, now + visibilitySeconds * 1000);
      received.push({ ...message, firstReceived: message.firstReceived, receipt: receiptOf(message) });
    }
    return received;
  }

  /** Deletes the message unless it has been received again since. */
  async remove(receipt: string): Promise<void> {
    const entry = this.#entries.get(receipt.slice(receipt.indexOf('.') + 1));
    if (!entry || receiptOf(entry.message) !== receipt) return;
    if (!entry.hasComeAgain && this.#options.comesAgain?.()) {
      entry.hasComeAgain = true;
      this.#hide(entry, this.#now() + againMs);
      return;
    }
    await this.#drop(entry);
  }

  /** Moves the messages to another queue. Resolves to their number. */
  async moveTo(other: Queue): Promise<number> {
    const entries = [...this.#entries.values()];
    for (const entry of entries) {
      await other.#take({ ...entry.message, receives: 0 });
      await this.#drop(entry);
    }
    return entries.length;
  }

  counts(): QueueCounts {
    const now = this.#now();
    this.#refresh(now);
    const delayed = [...this.#hidden].filter(({ message }) => message.due > now).length;
    return { available: this.#ready.size, inFlight: this.#hidden.size - delayed, delayed };
  }

  /** The age of the oldest message, in milliseconds; 0 if there is none. */
  get oldestMs(): number {
    this.#refresh(this.#now());
    const [oldest] = this.#entries.values();
    return oldest ? this.#now() - oldest.message.sent : 0;
  }

  /** Resolves when a message may be ready: at the latest after this time or a minute, or when the signal aborts. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    if (this.#ready.size > 0) return;
    const pause = Math.max(0, Math.min(ms, this.#nextReady - this.#now(), longestPauseMs));
    const either = AbortSignal.any([signal, this.#changed.signal]);
    await sleep(pause, undefined, { signal: either }).catch(() => undefined);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #take(message: Message): Promise<void> {
    await this.#file.write({ put: message });
    this.#add(message);
    this.#wake();
  }

  /** Wakes waiting receivers. */
  #wake(): void {
    this.#changed.abort();
    this.#changed = new AbortController();
  }

  #add(message: Message): void {
    const entry = { message: { ...message }, visibleAt: message.due, hasComeAgain: false };
    this.#entries.set(message.id, entry);
    if (message.due > this.#now()) this.#hide(entry, message.due);
    else this.#ready.add(entry);
  }

  #hide(entry: Entry, visibleAt: number): void {
    entry.visibleAt = visibleAt;
    this.#ready.delete(entry);
    this.#hidden.add(entry);
    if (visibleAt >= this.#nextReady) return;
    this.#nextReady = visibleAt;
    // Receivers wait for the message that was due first.
    this.#wake();
  }

  /**
   * Drops expired messages and shows those that are no longer hidden. Messages don't age while the stack is off.
   */
  #refresh(now: number): void {
    const horizon = now - this.resource.retentionSeconds * 1000;
    for (const entry of this.#entries.values()) {
      if (Math.max(entry.message.sent, this.#openedAt) >= horizon) break;
      void this.#drop(entry);
    }
    if (now < this.#nextReady) return;
    this.#nextReady = Number.POSITIVE_INFINITY;
    for (const entry of this.#hidden) {
      if (entry.visibleAt <= now) {
        this.#hidden.delete(entry);
        this.#ready.add(entry);
      } else this.#nextReady = Math.min(this.#nextReady, entry.visibleAt);
    }
  }

  #isDead({ receives }: Message): boolean {
    const { deadLetters } = this.resource;
    return deadLetters !== undefined && receives >= deadLetters.maxReceiveCount;
  }

  /** Moves a message to the dead letters, then out of this queue. It keeps its id, so a crash can't double it there. */
  async #bury(entry: Entry): Promise<void> {
    this.#hide(entry, this.#now() + this.resource.visibilitySeconds * 1000);
    const other = this.#options.deadLetters?.();
    if (other) await other.#take({ ...entry.message, due: this.#now() });
    await this.#drop(entry);
  }

  async #drop(entry: Entry): Promise<void> {
    this.#entries.delete(entry.message.id);
    this.#ready.delete(entry);
    this.#hidden.delete(entry);
    await this.#file.write({ removed: entry.message.id });
  }
}

const receiptOf = ({ id, receives }: Message): string => `${receives}.${id}`;
