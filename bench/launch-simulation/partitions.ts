import { Bucket } from './bucket.ts';
import type { VirtualClock } from './virtual-clock.ts';

/** A part of the table with its own throughput, and a shard of the stream. */
export interface TablePartition {
  readonly shard: string;
  /** The first key hash; the range ends where the next partition starts. */
  readonly start: number;
  readonly reads: Bucket;
  readonly writes: Bucket;
  /** Hashes of recently written keys. */
  readonly recent: number[];
  /** Seconds with throttled requests. */
  hotSeconds: number;
  second: number;
}

export interface PartitionsProps {
  readonly clock: VirtualClock;
  readonly count: number;
  /** Divides a partition's 1,000 writes and 3,000 reads a second. */
  readonly scale: number;
  /** Throttled seconds until a partition is split. */
  readonly splitAfterSeconds: number;
}

const remembered = 64;

/** Hash of a key in [0, 1): ordered by the partition key, then by the sort key. */
export const keyHash = (PK: string, SK: string): number =>
  (fnv(PK) + fnv(SK.slice(SK.indexOf('#') + 1)) / 2 ** 32) / 2 ** 32;

const fnv = (text: string): number => {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i += 1) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
};

export class Partitions {
  readonly #props: PartitionsProps;
  #all: TablePartition[] = [];
  #made = 0;

  constructor(props: PartitionsProps) {
    this.#props = props;
    this.#all = Array.from({ length: props.count }, (_, i) => this.#make(i / props.count));
  }

  get count(): number {
    return this.#all.length;
  }

  of(hash: number): TablePartition {
    let [low, high] = [0, this.#all.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#all[middle]?.start ?? 0) <= hash) low = middle;
      else high = middle - 1;
    }
    return this.#all[low] as TablePartition;
  }

  /** Records a write, accepted or throttled, and splits a partition that stays throttled. */
  note(partition: TablePartition, hash: number, isRefused: boolean): void {
    partition.recent[Math.floor(this.#props.clock.random() * remembered)] = hash;
    const second = Math.floor(this.#props.clock.now / 1000);
    if (!isRefused || second === partition.second) return;
    // A quiet minute resets the count.
    partition.hotSeconds = second - partition.second > 60 ? 0 : partition.hotSeconds + 1;
    partition.second = second;
    if (partition.hotSeconds >= this.#props.splitAfterSeconds) this.#split(partition);
  }

  /** Splits where half of the writes fall on either side. A single hot key can't be split. */
  #split(partition: TablePartition): void {
    const sorted = partition.recent.filter((hash) => hash !== undefined).sort((a, b) => a - b);
    const middle = sorted[sorted.length >> 1] ?? partition.start;
    partition.hotSeconds = 0;
    if (middle <= partition.start) return;
    const index = this.#all.indexOf(partition);
    this.#all.splice(index, 1, this.#make(partition.start), this.#make(middle));
  }

  #make(start: number): TablePartition {
    const { clock, scale } = this.#props;
    const now = () => clock.now;
    this.#made += 1;
    return {
      shard: `shardId-${this.#made}`,
      start,
      reads: new Bucket(3000 / scale, now),
      writes: new Bucket(1000 / scale, now),
      recent: [],
      hotSeconds: 0,
      second: Number.NEGATIVE_INFINITY,
    };
  }
}
