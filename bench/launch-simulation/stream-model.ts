import type { DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import type { ItemChange } from './table-model.ts';
import type { VirtualClock } from './virtual-clock.ts';

export interface StreamProps {
  readonly clock: VirtualClock;
  readonly batchSize: number;
  readonly consume: (
    event: Pick<DynamoDBStreamEvent, 'Records'> & { readonly shardId: string },
  ) => Promise<{ readonly batchItemFailures: readonly { readonly itemIdentifier: string }[] }>;
}

interface Shard {
  readonly id: string;
  records: DynamoDBRecord[];
  isRunning: boolean;
}

/** Lambda reads a shard four times a second, and in prod gathers records for a second. */
const pollMs = 250;
const windowMs = 1000;

/** The table's stream that invokes lib/clicks.ts: one batch of a shard at a time, repeated until it succeeds. */
export class StreamModel {
  readonly #props: StreamProps;
  readonly #shards = new Map<string, Shard>();
  #position = 0n;
  /** Completion time of the last batch. */
  doneAt = 0;
  batches = 0;

  constructor(props: StreamProps) {
    this.#props = props;
  }

  take({ shard: id, keys, before, after }: ItemChange): void {
    const shard = this.#shards.get(id) ?? { id, records: [], isRunning: false };
    this.#shards.set(id, shard);
    this.#position += 1n;
    shard.records.push({
      eventName: before ? 'MODIFY' : 'INSERT',
      eventSourceARN: 'arn:aws:dynamodb:us-east-1:123456789012:table/links/stream/2026-01-01T00:00:00.000',
      dynamodb: {
        Keys: keys,
        NewImage: after,
        ...(before && { OldImage: before }),
        SequenceNumber: (10n ** 20n + this.#position).toString(),
        ApproximateCreationDateTime: Math.floor(this.#props.clock.now / 1000),
      } as DynamoDBRecord['dynamodb'] & object,
    });
    if (!shard.isRunning) void this.#read(shard);
  }

  async #read(shard: Shard): Promise<void> {
    const { clock, batchSize, consume } = this.#props;
    shard.isRunning = true;
    await clock.after(clock.random() * pollMs);
    while (shard.records.length > 0) {
      if (shard.records.length < batchSize) await clock.after(windowMs);
      const batch = shard.records.slice(0, batchSize);
      const { batchItemFailures } = await consume({ shardId: shard.id, Records: batch });
      const failed = batchItemFailures[0]?.itemIdentifier;
      const done = batch.findIndex(({ dynamodb }) => dynamodb?.SequenceNumber === failed);
      shard.records.splice(0, done < 0 ? batch.length : done);
      this.batches += 1;
      this.doneAt = clock.now;
    }
    shard.isRunning = false;
  }
}
