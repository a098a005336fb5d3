import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { QueueResource } from '../assembly/assembly.ts';
import { Deduplication } from './deduplication.ts';
import { type Fifo, type Message, noFile, type QueueFile } from './queue-file.ts';

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

/** How a message is sent. */
export interface Sending {
  readonly delaySeconds?: number;
  /** Required by FIFO queues. */
  readonly fifo?: Omit<Fifo, 'sequenceNumber'>;
}

/**
 * A queue: messages are delivered at least once, mostly in order. A received message is hidden for the visibility
 * timeout, and comes again unless it is deleted within it. In a FIFO queue, a group's messages come in order, and none
 * of them while another is received.
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
  readonly #deduplication: Deduplication | undefined;

  constructor(options: QueueOptions) {
    const { resource, file = noFile, now = Date.now } = options;
    this.resource = resource;
    this.#options = options;
    this.#file = file;
    this.#now = now;
    this.#openedAt = now();
    this.#deduplication = resource.fifo && new Deduplication(resource.fifo, now);
    // Receipts of an earlier run are invalid, so messages received then are ready again.
    for (const message of file.messages) this.#add(message);
  }

  /** Resolves when the message is on disk. A duplicate resolves to the message that it repeats. */
  send(body: string, sender: string, { delaySeconds, fifo }: Sending = {}): Promise<Message> {
    const send = async () => {
      const sent = this.#now();
      const due = sent + (delaySeconds ?? this.resource.delaySeconds) * 1000;
      const place = fifo && { fifo: { ...fifo, sequenceNumber: nextSequenceNumber() } };
      const message = { id: randomUUID(), body, sender, sent, due, receives: 0, ...place };
      await this.#take(message);
      return message;
    };
    return fifo && this.#deduplication ? this.#deduplication.once(fifo, send) : send();
  }

  /** Receives at most `most` messages that are ready. */
  receive(most: number, visibilitySeconds = this.resource.visibilitySeconds): Received[] {
    const now = this.#now();
    this.#refresh(now);
    const received: Received[] = [];
    for (const entry of this.#receivable()) {
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
    const [first] = this.#receivable();
    if (first) return;
    const pause = Math.max(0, Math.min(ms, this.#nextReady - this.#now(), longestPauseMs));
    const either = AbortSignal.any([signal, this.#changed.signal]);
    await sleep(pause, undefined, { signal: either }).catch(() => undefined);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  /** Messages that can be received, in order. Those of a FIFO queue's group wait for its earlier ones. */
  *#receivable(): Generator<Entry> {
    if (!this.resource.fifo) return yield* this.#ready;
    const groupOf = ({ message }: Entry) => message.fifo?.group;
    const received = [...this.#hidden].filter(({ message }) => message.receives > 0);
    const busy = new Set(received.map(groupOf));
    // Entries are in the order of sending; ready ones return in the order of their timeouts.
    for (const entry of this.#entries.values())
      if (this.#ready.has(entry) && !busy.has(groupOf(entry))) yield entry;
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
    // Its group may go on.
    if (this.#hidden.delete(entry) && this.resource.fifo) this.#wake();
    await this.#file.write({ removed: entry.message.id });
  }
}

let lastSequenceNumber = 0n;

/** A number of 20 digits that is greater than the one before, also after a restart. */
function nextSequenceNumber(): string {
  const now = BigInt(Date.now()) * 1_000_000n;
  lastSequenceNumber = now > lastSequenceNumber ? now : lastSequenceNumber + 1n;
  return String(lastSequenceNumber).padStart(20, '0');
}

const receiptOf = ({ id, receives }: Message): string => `${receives}.${id}`;
