import type { Config } from './config.ts';

/**
 * Seconds for which clicks are gathered, by the seconds after which figures show them. The rest is for reading the stream
 * and for writing the figures of a full batch.
 */
const gatheringSeconds = { 2: 1, 10: 8, 60: 55, 300: 290 } as const;

/** The same for a deployment. By default dev gathers nothing, so that trials are fast. */
export const gatheringOf = ({ like, figuresWithin }: Pick<Config, 'like' | 'figuresWithin'>): number =>
  like === 'dev' && figuresWithin === 2 ? 0 : gatheringSeconds[figuresWithin];

/** Seconds for which the changes that events tell of are gathered: events are promised within ten. */
export const eventGatheringOf = ({ like }: Pick<Config, 'like'>): number => (like === 'prod' ? 5 : 0);

/**
 * Records that the stream's two readers take at once. The aggregator takes more than a read of the stream returns: clicks of
 * one batch share the writes of their figures.
 */
export const mostInBatch = { aggregating: 5000, emitting: 1000 } as const;

/** Seconds of the aggregator's tumbling window: only an event with a window names its shard. */
export const windowSeconds = 900;
