import type { SQSBatchResponse, SQSRecord } from 'aws-lambda';
import { AwsError } from '../../core/table/errors.ts';
import type { Transport } from '../../core/table/port.ts';
import type { VirtualClock } from './virtual-clock.ts';

export interface QueueProps {
  readonly clock: VirtualClock;
  /** Messages of all events in work at once: one batch of the model. */
  readonly batchSize: number;
  /** The share of calls that the queue refuses. */
  readonly refuses: number;
  readonly consume: (event: { Records: SQSRecord[] }) => Promise<SQSBatchResponse>;
}

interface Message {
  readonly record: SQSRecord;
  receives: number;
}

const windowMs = 5000;
const visibilityMs = 360_000;
const mostReceives = 100;
/** One in `again` deleted messages is redelivered; one in `unanswered` calls gets no response. */
const oncePer = { again: 1000, unanswered: 10_000 };

/** A standard queue that invokes lib/click-queue.ts: at-least-once, unordered. */
export class QueueModel {
  readonly #props: QueueProps;
  #waiting: Message[] = [];
  #isRunning = false;
  #sent = 0;
  calls = 0;
  deadLetters = 0;
  mostWaiting = 0;
  /** Working time of the consumer in milliseconds. */
  workedMs = 0;

  constructor(props: QueueProps) {
    this.#props = props;
  }

  /** The senders' API. */
  readonly transport: Transport<string> = async ({ input }) => {
    const { clock, refuses } = this.#props;
    this.calls += 1;
    await clock.after(clock.around(4, 12));
    if (clock.random() < refuses) throw new AwsError({ name: 'RequestThrottled' });
    const { MessageBody: body } = input as { readonly MessageBody: string };
    this.#sent += 1;
    this.#add({ record: { messageId: String(this.#sent), body } as SQSRecord, receives: 0 });
    if (clock.random() < 1 / oncePer.unanswered) throw new AwsError({ name: 'ConnectionLost' });
    return {};
  };

  #add(message: Message): void {
    this.#waiting.push(message);
    this.mostWaiting = Math.max(this.mostWaiting, this.#waiting.length);
    if (!this.#isRunning) void this.#deliver();
  }

  async #deliver(): Promise<void> {
    const { clock, batchSize } = this.#props;
    this.#isRunning = true;
    while (this.#waiting.length > 0) {
      if (this.#waiting.length < batchSize) await clock.after(windowMs);
      await this.#handle(this.#take(batchSize));
    }
    this.#isRunning = false;
  }

  /** Takes the oldest messages, unordered. */
  #take(most: number): Message[] {
    const first = this.#waiting.splice(0, most * 2).sort(() => this.#props.clock.random() - 0.5);
    this.#waiting.unshift(...first.splice(most));
    return first;
  }

  async #handle(batch: readonly Message[]): Promise<void> {
    const { clock, consume } = this.#props;
    const begun = clock.now;
    // Messages are received and deleted in batches of ten.
    this.calls += (2 * batch.length) / 10;
    for (const message of batch) message.receives += 1;
    const { batchItemFailures } = await consume({ Records: batch.map(({ record }) => record) });
    this.workedMs += clock.now - begun;
    const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
    for (const message of batch) {
      const isFailed = failed.has(message.record.messageId);
      if (isFailed && message.receives >= mostReceives) this.deadLetters += 1;
      else if (isFailed) clock.at(begun + visibilityMs, () => this.#add(message));
      else if (clock.random() < 1 / oncePer.again)
        clock.at(clock.now + clock.random() * visibilityMs, () => this.#add(message));
    }
  }
}
