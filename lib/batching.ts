import type { Config } from './config.ts';

/**
 * Seconds in which clicks wait for a batch, by `figuresWithin`. The remaining time is for reading the stream and writing
 * the analytics of a full batch.
 */
const batchingSeconds = { 2: 1, 10: 8, 60: 55, 300: 290 } as const;

/** A deployment's batch window for clicks in seconds. By default dev has none, so that trials are fast. */
export const batchingSecondsOf = ({ like, figuresWithin }: Pick<Config, 'like' | 'figuresWithin'>): number =>
  like === 'dev' && figuresWithin === 2 ? 0 : batchingSeconds[figuresWithin];

/** The batch window for events in seconds: they are promised within ten. */
export const eventBatchingSecondsOf = ({ like }: Pick<Config, 'like'>): number => (like === 'prod' ? 5 : 0);

/**
 * Batch sizes of the stream's two readers. The aggregator takes more than one read of the stream returns, because
 * clicks of one batch share writes of analytics.
 */
export const mostInBatch = { aggregating: 5000, emitting: 1000 } as const;

/** The aggregator's tumbling window in seconds: only events with a window contain their shard. */
export const windowSeconds = 900;
