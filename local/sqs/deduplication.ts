import type { QueueResource } from '../assembly/assembly.ts';
import type { Fifo, Message } from './queue-file.ts';

type Place = Omit<Fifo, 'sequenceNumber'>;

/** Milliseconds for which a FIFO queue remembers the ids of its messages. Here, a restart forgets them. */
const rememberedMs = 5 * 60_000;

/** Sends each message of a FIFO queue once. */
export class Deduplication {
  readonly #isPerGroup: boolean;
  readonly #now: () => number;
  /** Messages by their ids, oldest first. */
  readonly #sent = new Map<string, { readonly at: number; readonly message: Promise<Message> }>();

  constructor({ isPerGroup }: NonNullable<QueueResource['fifo']>, now: () => number) {
    this.#isPerGroup = isPerGroup;
    this.#now = now;
  }

  /** Sends a message, or resolves to the one with its id. */
  once({ group, deduplicationId }: Place, send: () => Promise<Message>): Promise<Message> {
    const at = this.#now();
    for (const [id, sent] of this.#sent) {
      if (at - sent.at < rememberedMs) break;
      this.#sent.delete(id);
    }
    const id = this.#isPerGroup ? `${group} ${deduplicationId}` : deduplicationId;
    const known = this.#sent.get(id);
    if (known) return known.message;
    const message = send();
    this.#sent.set(id, { at, message });
    message.catch(() => this.#sent.delete(id));
    return message;
  }
}
